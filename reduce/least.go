package reduce

import (
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/members"
)

// piece is a part of a derivation that is put into another: its text, which
// bytes of it are layout, and its choices.
type piece struct {
	text    string
	gaps    string // '1' for every byte of text that is layout, else '0'
	choices []int
}

// add appends q, a space between the two where they would join and the
// grammar has layout.
func (p piece) add(q piece, spaced bool) piece {
	if spaced && p.text != "" && q.text != "" && joins(p.text[len(p.text)-1], q.text[0]) {
		p.text, p.gaps = p.text+" ", p.gaps+"1"
	}
	choices := append(append([]int(nil), p.choices...), q.choices...)
	return piece{p.text + q.text, p.gaps + q.gaps, choices}
}

// leastMaker writes down least derivations, as the machine answers
// [derive.Default]. It belongs to one search.
type leastMaker struct {
	facts  *grammar.Facts
	spaced bool
	memo   map[*grammar.Expr]piece
	size   map[*grammar.Rule][]int // see context
	holes  map[hole][2]piece       // likewise
}

// newLeastMaker returns a maker for a grammar; spaced says whether pieces have
// layout.
func newLeastMaker(facts *grammar.Facts, spaced bool) *leastMaker {
	return &leastMaker{facts: facts, spaced: spaced, memo: map[*grammar.Expr]piece{}, size: map[*grammar.Rule][]int{}, holes: map[hole][2]piece{}}
}

// of returns the least derivation of e, which must be productive.
func (m *leastMaker) of(e *grammar.Expr) piece {
	if p, ok := m.memo[e]; ok {
		return p
	}
	p := m.make(e)
	m.memo[e] = p
	return p
}

func (m *leastMaker) make(e *grammar.Expr) (p piece) {
	switch e.Op {
	case grammar.Lit:
		return piece{text: e.Text, gaps: strings.Repeat("0", len(e.Text))}
	case grammar.Class:
		r := m.facts.Mask.Gen(e).At(0)
		return piece{text: string(r), gaps: strings.Repeat("0", utf8.RuneLen(r)), choices: []int{members.Index(e, r)}}
	case grammar.Ref:
		if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
			return p
		}
		inner := *m
		inner.spaced = m.spaced && !e.Rule.Kind.Lexical()
		return inner.of(e.Rule.Body)
	case grammar.Choice:
		alt := m.leastAlt(e)
		return piece{choices: []int{alt}}.add(m.of(e.Children[alt]), false)
	case grammar.Rep:
		for range e.Min {
			p = p.add(m.of(e.Children[0]), m.spaced)
		}
		if e.Min != e.Max {
			p.choices = append(p.choices, 0)
		}
		return p
	}
	for _, k := range e.Children {
		p = p.add(m.of(k), m.spaced)
	}
	return p
}

// leastAlt returns the alternative with the fewest bytes, then nodes.
func (m *leastMaker) leastAlt(e *grammar.Expr) int {
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
func (m *leastMaker) bytes(e *grammar.Expr) int { return m.facts.Size(e, grammar.Bytes, grammar.Any) }
