package parse

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// binaryGrammar reads texts of binary grammars top-down from the left, one choice at a time,
// in the order of the canonical tree. Lengths and counts that were read bound their parts, so
// the bytes behind them leave nothing to try.
type binaryGrammar struct {
	g     *grammar.Grammar
	facts *grammar.Facts
	first []byteSet // by Expr.ID: the first bytes of its texts
	least []int     // by Expr.ID: the least bytes, without parts that stand elsewhere
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

// join adds the bytes of t and reports whether s grew.
func (s *byteSet) join(t *byteSet) bool {
	old := *s
	for i := range s {
		s[i] |= t[i]
	}
	return old != *s
}

// newBinary prepares to read texts of g. It fails where a rule begins with itself.
func newBinary(g *grammar.Grammar, facts *grammar.Facts) (*binaryGrammar, error) {
	b := &binaryGrammar{g: g, facts: facts, first: make([]byteSet, len(g.Exprs)), least: make([]int, len(g.Exprs))}
	for _, e := range slices.Backward(g.Exprs) { // children come after their parents
		b.least[e.ID] = b.leastBytes(e)
	}
	begins := make([][]int32, len(g.Rules))
	for i, r := range g.Rules {
		begins[i] = b.beginsWith(nil, r.Body)
	}
	for _, c := range graphs.Components(len(g.Rules), func(r int32) []int32 { return begins[r] }) {
		for _, r := range c {
			for _, to := range begins[r] {
				if len(c) > 1 || to == r {
					rule := g.Rules[r]
					return nil, fmt.Errorf("%v: rule %q begins with itself, and texts of grammars with bytes and computed fields are read from the left; write it as a repetition", rule.Pos, rule.Name)
				}
			}
		}
	}
	for grew := true; grew; {
		grew = false
		for i := len(g.Exprs) - 1; i >= 0; i-- {
			grew = b.addFirst(g.Exprs[i]) || grew
		}
	}
	return b, nil
}

// leastBytes returns the minimum number of bytes of an expression, given those of its parts.
func (b *binaryGrammar) leastBytes(e *grammar.Expr) (n int) {
	switch {
	case elsewhere(e), b.g.Compresses && e.Op != grammar.Lit && e.Op != grammar.Class: // compressed text may be shorter
		return 0
	case e.Op == grammar.Rep:
		return e.Min * b.least[e.Children[0].ID]
	case e.Op == grammar.Seq && e.Resize == nil:
		for _, k := range e.Children {
			n += b.least[k.ID]
		}
		return n
	}
	return b.facts.Size(e, grammar.Bytes, grammar.Any)
}

// elsewhere reports whether the text of e stands in another part than its place in the
// grammar.
func elsewhere(e *grammar.Expr) bool { return e.Resize != nil && e.Resize.Move != 0 }

// beginsWith appends the rules whose text a text of e may begin with.
func (b *binaryGrammar) beginsWith(to []int32, e *grammar.Expr) []int32 {
	switch e.Op {
	case grammar.Ref:
		if e.Rule == nil { // not defined
			return to
		}
		return append(to, int32(e.Rule.ID))
	case grammar.Seq:
		for _, k := range e.Children {
			to = b.beginsWith(to, k)
			if !b.facts.Nullable(k) {
				break
			}
		}
		return to
	}
	for _, k := range e.Children {
		to = b.beginsWith(to, k)
	}
	return to
}

// addFirst adds to the first bytes of e the ones known for its parts so far.
func (b *binaryGrammar) addFirst(e *grammar.Expr) (grew bool) {
	s := &b.first[e.ID]
	var more byteSet
	switch e.Op {
	case grammar.Lit:
		for c := range 256 {
			if e.Field != nil || e.Text != "" && e.Text[0] == byte(c) {
				more.add(byte(c))
			}
		}
	case grammar.Class:
		for _, r := range e.Set.Ranges() {
			for c := r.Lo; c <= r.Hi && c < 0x80; c++ {
				more.add(byte(c))
			}
			for c := range 0x80 {
				if r.Hi >= 0x80 && r.Lo < rawbyte.First && c+0x80 >= 0xc2 || rawbyte.Of(byte(c+0x80)) >= r.Lo && rawbyte.Of(byte(c+0x80)) <= r.Hi {
					more.add(byte(c + 0x80))
				}
			}
		}
	case grammar.Ref:
		if e.Rule != nil {
			more = b.first[e.Rule.Body.ID]
		}
	case grammar.Seq:
		for c := 0; c < 256 && e.Resize.Encodes(); c++ {
			more.add(byte(c))
		}
		for _, k := range e.Children {
			more.join(&b.first[k.ID])
			if !b.facts.Nullable(k) {
				break
			}
		}
	default:
		for _, k := range e.Children {
			more.join(&b.first[k.ID])
		}
	}
	return s.join(&more)
}

// isBytes reports whether e is a class of bytes.
func isBytes(e *grammar.Expr) bool {
	rs := e.Set.Ranges()
	return len(rs) > 0 && rs[len(rs)-1].Hi >= rawbyte.First
}
