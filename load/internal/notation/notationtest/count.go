package notationtest

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Counts returns the number of derivations from g's start for each number of bytes from 0 to n. It
// is an oracle independent of package count: plain dynamic programming over (expression, length).
// Unproductive parts count 0, and unbounded repetitions count nonempty elements only.
func Counts(g *grammar.Grammar, n int) []*big.Int {
	c := &counter{g: g, memo: make(map[key]*big.Int), busy: make(map[key]bool)}
	out := make([]*big.Int, n+1)
	for i := range out {
		out[i] = c.count(g.Start.Body, i)
	}
	return out
}

// SameCounts reports whether two grammars have equal counts by bytes, up to n bytes. Otherwise the
// test fails.
func SameCounts(t *testing.T, a, b *grammar.Grammar, n int) bool {
	t.Helper()
	text := func(g *grammar.Grammar) []string {
		var out []string
		for _, c := range Counts(g, n) {
			out = append(out, c.String())
		}
		return out
	}
	diff := cmp.Diff(text(a), text(b))
	if diff != "" {
		t.Errorf("counts by bytes of %s and %s differ: -first +second\n%s", a.Notation, b.Notation, diff)
	}
	return diff == ""
}

type key struct {
	e    *grammar.Expr
	n, m int // m is as in part
}

type counter struct {
	g    *grammar.Grammar
	memo map[key]*big.Int
	busy map[key]bool
}

func (c *counter) count(e *grammar.Expr, n int) *big.Int { return c.part(e, n, 0) }

// part counts the derivations of n bytes from e. If e is a sequence, it counts the part from child
// m on, and if e is a repetition, the part after m elements.
func (c *counter) part(e *grammar.Expr, n, m int) *big.Int {
	k := key{e, n, m}
	if v := c.memo[k]; v != nil {
		return v
	}
	if c.busy[k] { // a cycle without bytes has no finite derivation
		return new(big.Int)
	}
	c.busy[k] = true
	v := c.compute(e, n, m)
	c.memo[k] = v
	delete(c.busy, k)
	return v
}

func (c *counter) compute(e *grammar.Expr, n, m int) *big.Int {
	sum := new(big.Int)
	switch e.Op {
	case grammar.Lit:
		if len(e.Text) == n {
			return big.NewInt(1)
		}
	case grammar.Class:
		if by := e.Gen.LenByBytes(); n >= 1 && n <= 4 {
			return big.NewInt(int64(by[n-1]))
		}
	case grammar.Ref:
		if e.Rule != nil {
			return c.count(e.Rule.Body, n)
		}
	case grammar.Choice:
		for _, k := range e.Children {
			sum.Add(sum, c.count(k, n))
		}
	case grammar.Diff:
		panic("the oracle does not count differences")
	case grammar.Seq:
		if m == len(e.Children) {
			return one(n == 0)
		}
		for i := 0; i <= n; i++ {
			if head := c.count(e.Children[m], i); head.Sign() > 0 {
				sum.Add(sum, new(big.Int).Mul(head, c.part(e, n-i, m+1)))
			}
		}
	case grammar.Rep:
		return c.rep(e, n, m)
	}
	return sum
}

func (c *counter) rep(e *grammar.Expr, n, m int) *big.Int {
	if e.Max >= 0 && m == e.Max {
		return one(n == 0)
	}
	sum := new(big.Int)
	next := m + 1
	if m >= e.Min {
		sum.Set(one(n == 0))
		if e.Max < 0 {
			next = m
		}
	}
	for i := 0; i <= n; i++ {
		if i == 0 && m >= e.Min && e.Max < 0 {
			continue
		}
		if head := c.count(e.Children[0], i); head.Sign() > 0 {
			sum.Add(sum, new(big.Int).Mul(head, c.part(e, n-i, next)))
		}
	}
	return sum
}

func one(yes bool) *big.Int {
	if yes {
		return big.NewInt(1)
	}
	return new(big.Int)
}
