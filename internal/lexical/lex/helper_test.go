package lex

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// Shorthands for grammars in tests.
func lit(s string) *grammar.Expr           { return newLit(grammar.Pos{}, s) }
func seq(k ...*grammar.Expr) *grammar.Expr { return newSeq(grammar.Pos{}, k...) }
func alt(k ...*grammar.Expr) *grammar.Expr { return newChoice(grammar.Pos{}, k...) }
func ref(name string) *grammar.Expr        { return &grammar.Expr{Op: grammar.Ref, Name: name} }
func diff(a, b *grammar.Expr) *grammar.Expr {
	return &grammar.Expr{Op: grammar.Diff, Children: []*grammar.Expr{a, b}}
}
func star(e *grammar.Expr) *grammar.Expr { return rep(e, 0, -1) }
func plus(e *grammar.Expr) *grammar.Expr { return rep(e, 1, -1) }
func opt(e *grammar.Expr) *grammar.Expr  { return rep(e, 0, 1) }
func anyChar() *grammar.Expr             { return newClass(grammar.Pos{}, true) }
func rep(e *grammar.Expr, m, n int) *grammar.Expr {
	return newRep(grammar.Pos{}, e, m, n)
}

func lazy(e *grammar.Expr) *grammar.Expr {
	e.Lazy = true
	return e
}

// class parses a class such as "a-zA-Z_"; "^" at the beginning negates it.
func class(s string) *grammar.Expr {
	s, negated := strings.CutPrefix(s, "^")
	var rs []grammar.Range
	in := []rune(s)
	for i := 0; i < len(in); i++ {
		r := grammar.Range{Lo: in[i], Hi: in[i]}
		if i+2 < len(in) && in[i+1] == '-' {
			r.Hi = in[i+2]
			i += 2
		}
		rs = append(rs, r)
	}
	return newClass(grammar.Pos{}, negated, rs...)
}

func rule(kind grammar.Kind, name string, body *grammar.Expr) *grammar.Rule {
	return &grammar.Rule{Name: name, Kind: kind, Body: body}
}

// gram makes a grammar without bound names: [resolve] binds them, so rules can still be added.
func gram(rules ...*grammar.Rule) *grammar.Bound {
	return &grammar.Bound{Name: "test", Rules: rules}
}

// bound binds the names of b and finds recursion.
func bound(b *grammar.Bound) *grammar.Bound {
	b.Names = make(map[string]*grammar.Rule)
	for i, r := range b.Rules {
		r.ID = i
		b.Names[r.Name] = r
	}
	next := make([][]int, len(b.Rules))
	for i, r := range b.Rules {
		r.Body.Walk(func(e *grammar.Expr) {
			e.Rule = b.Names[e.Name]
			if e.Rule != nil {
				next[i] = append(next[i], e.Rule.ID)
			}
		})
	}
	for _, c := range graphs.Components(len(next), func(v int) []int { return next[v] }) {
		for _, v := range c {
			b.Rules[v].Recursive = len(c) > 1 || slices.Contains(next[v], v)
		}
	}
	return b
}

// resolved resolves the tokens of b and freezes it.
func resolved(b *grammar.Bound) (*grammar.Grammar, grammar.Diagnostics, error) {
	r, ds := Resolve(bound(b))
	g, checks := b.Freeze(r.Bodies, r.Helpers, "")
	return g, ds, checks.Err()
}

// resolve is like resolved, but fails the test on an error.
func resolve(t testing.TB, b *grammar.Bound) (*grammar.Grammar, grammar.Diagnostics) {
	t.Helper()
	g, ds, err := resolved(b)
	if err != nil {
		t.Fatal(err)
	}
	return g, ds
}

// derivations counts the derivations of each text of at most limit characters. Classes
// are restricted to chars.
type derivations struct {
	chars string
	limit int
}

func (d derivations) of(e *grammar.Expr) map[string]int {
	out := map[string]int{}
	switch e.Op {
	case grammar.Lit:
		if utf8.RuneCountInString(e.Text) <= d.limit {
			out[e.Text] = 1
		}
	case grammar.Class:
		s := classSet(e)
		for _, c := range d.chars {
			if s.Has(c) && d.limit > 0 {
				out[string(c)] = 1
			}
		}
	case grammar.Ref:
		return d.of(e.Rule.Body)
	case grammar.Choice:
		for _, k := range e.Children {
			for t, n := range d.of(k) {
				out[t] += n
			}
		}
	case grammar.Seq:
		out[""] = 1
		for _, k := range e.Children {
			out = d.join(out, d.of(k))
		}
	case grammar.Rep:
		child := d.of(e.Children[0])
		now := map[string]int{"": 1}
		for i := 0; e.Max < 0 && i <= d.limit+e.Min || i <= e.Max; i++ {
			if i >= e.Min {
				for t, n := range now {
					out[t] += n
				}
			}
			if e.Max < 0 && i >= e.Min {
				delete(child, "")
			}
			now = d.join(now, child)
		}
	}
	return out
}

func (d derivations) join(a, b map[string]int) map[string]int {
	out := map[string]int{}
	for s, n := range a {
		for t, m := range b {
			if utf8.RuneCountInString(s+t) <= d.limit {
				out[s+t] += n * m
			}
		}
	}
	return out
}

// texts lists every text over chars of at most limit characters.
func texts(chars string, limit int) []string {
	out := []string{""}
	for from := 0; limit > 0; limit-- {
		to := len(out)
		for _, t := range out[from:to] {
			for _, c := range chars {
				out = append(out, t+string(c))
			}
		}
		from = to
	}
	return out
}

// naive reports whether e matches text, by trying everything. It handles differences, and
// ignores non-greedy marks.
func naive(e *grammar.Expr, text string) bool {
	return slices.Contains(naiveEnds(e, text, 0), len(text))
}

func naiveEnds(e *grammar.Expr, text string, at int) []int {
	ends := map[int]bool{}
	switch e.Op {
	case grammar.Lit:
		if strings.HasPrefix(text[at:], e.Text) {
			ends[at+len(e.Text)] = true
		}
	case grammar.Class:
		r, n := utf8.DecodeRuneInString(text[at:])
		if n > 0 && !(r == utf8.RuneError && n == 1) && classSet(e).Has(r) {
			ends[at+n] = true
		}
	case grammar.Ref:
		return naiveEnds(e.Rule.Body, text, at)
	case grammar.Choice:
		for _, k := range e.Children {
			for _, x := range naiveEnds(k, text, at) {
				ends[x] = true
			}
		}
	case grammar.Seq:
		ends[at] = true
		for _, k := range e.Children {
			next := map[int]bool{}
			for x := range ends {
				for _, y := range naiveEnds(k, text, x) {
					next[y] = true
				}
			}
			ends = next
		}
	case grammar.Rep:
		now := map[int]bool{at: true}
		for i := 0; len(now) > 0 && (e.Max < 0 && i <= len(text)+e.Min || i <= e.Max); i++ {
			next := map[int]bool{}
			for x := range now {
				if i >= e.Min {
					ends[x] = true
				}
				for _, y := range naiveEnds(e.Children[0], text, x) {
					next[y] = true
				}
			}
			now = next
		}
	case grammar.Diff:
		for x := at; x <= len(text); x++ {
			if naive(e.Children[0], text[at:x]) && !naive(e.Children[1], text[at:x]) {
				ends[x] = true
			}
		}
	}
	out := make([]int, 0, len(ends))
	for x := range ends {
		out = append(out, x)
	}
	sort.Ints(out)
	return out
}

// randomExpr makes a small regular expression over the letters a, b, é.
func randomExpr(r *rand.Rand, depth int, diffs bool) *grammar.Expr {
	if depth == 0 {
		return []*grammar.Expr{lit("a"), lit("b"), lit("é"), lit("ab"), class("ab"), class("^a"), anyChar(), lit(""), class("b-é")}[r.IntN(9)]
	}
	k := func() *grammar.Expr { return randomExpr(r, depth-1, diffs) }
	switch n := r.IntN(10); {
	case n < 3:
		return seq(k(), k())
	case n < 6:
		return alt(k(), k())
	case n < 8:
		lo := r.IntN(2)
		return rep(k(), lo, []int{-1, lo, lo + 1, lo + 2}[r.IntN(4)])
	case n < 9 && diffs:
		return diff(k(), k())
	}
	return randomExpr(r, 0, diffs)
}
