// Package brute is the independent oracle for counting: it makes random small grammars and lists
// their derivations one by one, with no table and no formula.
//
//	g := brute.Random(rng)
//	l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Most: 10_000}
//	derivations := l.List(g.Root, 5) // within 5 levels of nested rules
//	p := brute.ChiSquare(counts, brute.Even(len(derivations)))
package brute

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/load"
)

// Derivation is one derivation of an expression.
type Derivation struct {
	Choices []int
	Text    string
	Size    [3]int // by grammar.Unit
}

// Lister lists derivations of one grammar; tokens are leaves where the measure
// of Facts is structure.
type Lister struct {
	Facts  *grammar.Facts
	Inner  *grammar.Facts // facts of measure exact, for the inside of tokens
	Slack  int            // the greatest length of a token above its least, in bytes
	Repeat int            // where positive, unbounded repetitions have at most max(min, Repeat) elements
	Limit  int            // where positive, derivations larger than this in Unit are left out
	Unit   grammar.Unit
	Most   int // Overflow is set at more derivations than this

	Overflow bool
	memo     map[key][]Derivation
}

type key struct {
	e    *grammar.Expr
	left int
}

// List returns the derivations of e within left levels of nested rules, in
// lexicographic order of their choices.
func (l *Lister) List(e *grammar.Expr, left int) []Derivation {
	if l.memo == nil {
		l.memo = map[key][]Derivation{}
	}
	if ds, ok := l.memo[key{e, left}]; ok {
		return ds
	}
	ds := l.list(e, left)
	if len(ds) > l.Most {
		l.Overflow = true
		ds = nil
	}
	l.memo[key{e, left}] = ds
	return ds
}

func (l *Lister) list(e *grammar.Expr, left int) []Derivation {
	switch e.Op {
	case grammar.Lit:
		d := Derivation{Text: e.Text}
		if e.Text != "" {
			d.Size = [3]int{1, len(e.Text), 1}
		}
		return l.keep([]Derivation{d})
	case grammar.Class:
		var ds []Derivation
		gen := l.Facts.Mask.Gen(e)
		for i := range gen.Len() {
			r := gen.At(i)
			ds = append(ds, Derivation{[]int{e.Gen.Index(r)}, string(rawbyte.Append(nil, r)), [3]int{1, rawbyte.Len(r), 1}})
		}
		return l.keep(ds)
	case grammar.Ref:
		if l.Facts.Leaf(e) {
			return l.keep(l.token(e))
		}
		left -= l.Facts.Level(e)
		if left < 0 {
			return nil
		}
		var ds []Derivation
		for _, d := range l.List(e.Rule.Body, left) {
			d.Size[grammar.Nodes]++
			ds = append(ds, d)
		}
		return l.keep(ds)
	case grammar.Choice:
		var ds []Derivation
		for i, k := range e.Children {
			if l.Facts.Mask.On(e, i) {
				ds = append(ds, prefix([]int{i}, l.List(k, left))...)
			}
		}
		return ds
	case grammar.Seq:
		ds := []Derivation{{}}
		for _, k := range e.Children {
			ds = l.pairs(ds, l.List(k, left))
		}
		if e.Resize != nil {
			for i := range ds {
				ds[i].Size[grammar.Bytes] = e.Resize.Forward(ds[i].Size[grammar.Bytes])
			}
			ds = l.keep(ds)
		}
		return ds
	}
	return l.repeated(e, left, 0)
}

// token lists a token that is a leaf: by bytes one derivation for each occurring length up to
// Slack bytes above the least, otherwise one. Their choices and texts are not those of a real
// derivation.
func (l *Lister) token(e *grammar.Expr) []Derivation {
	if l.Unit != grammar.Bytes || l.Limit == 0 {
		return []Derivation{{Text: "t", Size: [3]int{1, 1, 1}}}
	}
	inner := &Lister{Facts: l.Inner, Limit: l.Limit, Unit: grammar.Bytes, Most: l.Most, Inner: l.Inner}
	lengths := map[int]bool{}
	var ds []Derivation
	least := l.Inner.Size(e.Rule.Body, grammar.Bytes, grammar.Any)
	for _, d := range inner.List(e.Rule.Body, 40) {
		if n := len(d.Text); !lengths[n] && n <= least+l.Slack {
			lengths[n] = true
			ds = append(ds, Derivation{Text: d.Text, Size: [3]int{1, n, 1}})
		}
	}
	l.Overflow = l.Overflow || inner.Overflow
	return ds
}

func (l *Lister) repeated(e *grammar.Expr, left, done int) []Derivation {
	element := l.List(e.Children[0], left)
	switch {
	case done == e.Max:
		return []Derivation{{}}
	case done < e.Min:
		return l.pairs(element, l.repeated(e, left, done+1))
	}
	ds := []Derivation{{Choices: []int{0}}}
	if e.Max < 0 && l.Repeat > 0 && done >= max(e.Min, l.Repeat) {
		return ds
	}
	if e.Max < 0 {
		var some []Derivation
		for _, d := range element {
			if d.Text != "" {
				some = append(some, d)
			}
		}
		element = some
	}
	if len(element) == 0 || l.Repeat == 0 && done > l.Limit+1 {
		return ds
	}
	return append(ds, prefix([]int{1}, l.pairs(element, l.repeated(e, left, done+1)))...)
}

func prefix(choices []int, ds []Derivation) []Derivation {
	out := make([]Derivation, len(ds))
	for i, d := range ds {
		d.Choices = append(append([]int{}, choices...), d.Choices...)
		out[i] = d
	}
	return out
}

func (l *Lister) pairs(as, bs []Derivation) []Derivation {
	if len(as)*len(bs) > 4*l.Most {
		l.Overflow = true
		return nil
	}
	var out []Derivation
	for _, a := range as {
		for _, b := range bs {
			d := Derivation{Choices: append(append([]int{}, a.Choices...), b.Choices...), Text: a.Text + b.Text}
			for u := range d.Size {
				d.Size[u] = a.Size[u] + b.Size[u]
			}
			out = append(out, d)
		}
	}
	return l.keep(out)
}

func (l *Lister) keep(ds []Derivation) []Derivation {
	if l.Limit == 0 {
		return ds
	}
	var out []Derivation
	for _, d := range ds {
		if d.Size[l.Unit] <= l.Limit {
			out = append(out, d)
		}
	}
	return out
}

// Random returns a random small grammar whose start rule derives something and that has no cycle.
// It may be ambiguous and left-recursive, with empty rules.
func Random(rng *rand.Rand) *grammar.Grammar {
	for {
		if g := random(rng); g != nil {
			return g
		}
	}
}

func random(rng *rand.Rand) *grammar.Grammar {
	n := 1 + rng.IntN(4)
	var src strings.Builder
	for i := range n {
		fmt.Fprintf(&src, "r%d = %s ;\n", i, expr(rng, n, 3))
	}
	g, _, err := load.Source("", []byte(src.String()), load.Options{Notation: "ebnf", Unicode: true}) // [a-cé] has both ASCII and other characters
	if err != nil || !g.Facts(nil, grammar.Exact).Productive(g.Root) {
		return nil
	}
	return g
}

// expr writes an expression in the native notation.
func expr(rng *rand.Rand, rules, depth int) string {
	joined := func(n int, sep string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = expr(rng, rules, depth-1)
		}
		return "(" + strings.Join(parts, sep) + ")"
	}
	pick := rng.IntN(10)
	if depth == 0 {
		pick = rng.IntN(5)
	}
	switch pick {
	case 0, 1:
		return []string{`""`, `"a"`, `"b"`, `"ab"`, `"ccc"`}[rng.IntN(5)]
	case 2:
		return fmt.Sprintf("[a-%cé]", 'a'+rune(rng.IntN(3)))
	case 3, 4:
		return fmt.Sprint("r", rng.IntN(rules))
	case 5, 6:
		return joined(2+rng.IntN(2), " ")
	case 7, 8:
		return joined(2+rng.IntN(2), " | ")
	}
	min := rng.IntN(3)
	most := []string{"", fmt.Sprint(min), fmt.Sprint(min + 1), fmt.Sprint(min + 2)}[rng.IntN(4)]
	return fmt.Sprintf("(%s){%d,%s}", expr(rng, rules, depth-1), min, most)
}
