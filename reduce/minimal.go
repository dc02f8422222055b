package reduce

import (
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// piece is a part of a derivation to be inserted into another one.
type piece struct {
	text    string
	gaps    string // '1' for every byte of text that is layout, else '0'
	choices []int
}

// add appends q. In a grammar with layout a space separates words that would join.
func (p piece) add(q piece, spaced bool) piece {
	if spaced && p.text != "" && q.text != "" && joins(p.text[len(p.text)-1], q.text[0]) {
		p.text, p.gaps = p.text+" ", p.gaps+"1"
	}
	choices := append(append([]int(nil), p.choices...), q.choices...)
	return piece{p.text + q.text, p.gaps + q.gaps, choices}
}

// minimalDeriver makes the least derivations of expressions, the same as the machine with
// [derive.Default]. It belongs to one search.
type minimalDeriver struct {
	facts  *grammar.Facts
	spaced bool
	pieces map[*grammar.Expr]piece

	contextSize map[*grammar.Rule][]int
	contexts    map[hole][2]piece
}

// newMinimalDeriver returns a deriver for a grammar, spaced if its pieces have
// layout.
func newMinimalDeriver(facts *grammar.Facts, spaced bool) *minimalDeriver {
	return &minimalDeriver{facts: facts, spaced: spaced, pieces: map[*grammar.Expr]piece{}, contextSize: map[*grammar.Rule][]int{}, contexts: map[hole][2]piece{}}
}

// derive returns the least derivation of e, which must be productive.
func (m *minimalDeriver) derive(e *grammar.Expr) piece {
	if p, ok := m.pieces[e]; ok {
		return p
	}
	p := m.build(e)
	m.pieces[e] = p
	return p
}

func (m *minimalDeriver) build(e *grammar.Expr) (p piece) {
	switch e.Op {
	case grammar.Lit:
		return piece{text: e.Text, gaps: strings.Repeat("0", len(e.Text))}
	case grammar.Class:
		r := m.facts.Mask.Gen(e).At(0)
		return piece{text: string(rawbyte.Append(nil, r)), gaps: strings.Repeat("0", rawbyte.Len(r)), choices: []int{e.MemberIndex(r)}}
	case grammar.Ref:
		if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
			return p
		}
		inner := *m
		inner.spaced = m.spaced && !e.Rule.Kind.Lexical()
		return inner.derive(e.Rule.Body)
	case grammar.Choice:
		alt := m.minimalAlternative(e)
		return piece{choices: []int{alt}}.add(m.derive(e.Children[alt]), false)
	case grammar.Rep:
		for range e.Min {
			p = p.add(m.derive(e.Children[0]), m.spaced)
		}
		if e.Min != e.Max {
			p.choices = append(p.choices, 0)
		}
		return p
	}
	for _, k := range e.Children {
		p = p.add(m.derive(k), m.spaced)
	}
	return p
}

// minimalAlternative returns the alternative with the fewest bytes, then nodes.
func (m *minimalDeriver) minimalAlternative(e *grammar.Expr) int {
	best := -1
	for i, k := range e.Children {
		if !m.facts.Mask.On(e, i) {
			continue
		}
		if best < 0 || less(m.facts, k, e.Children[best]) {
			best = i
		}
	}
	return max(best, 0)
}

func less(f *grammar.Facts, a, b *grammar.Expr) bool {
	if x, y := f.Size(a, grammar.Bytes, grammar.Any), f.Size(b, grammar.Bytes, grammar.Any); x != y {
		return x < y
	}
	return f.Size(a, grammar.Nodes, grammar.Any) < f.Size(b, grammar.Nodes, grammar.Any)
}

// bytes is the size of the least derivation of e.
func (m *minimalDeriver) bytes(e *grammar.Expr) int {
	return m.facts.Size(e, grammar.Bytes, grammar.Any)
}
