package parse

import (
	"slices"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// chars reads the tokens of a rule whose derivation the next character always settles:
// the steps between two characters are known beforehand (Glushkov's automaton of the
// rule, where that is deterministic). So a token has one derivation, and it is made in
// pre-order without a forest.
type chars struct {
	alpha *alphabet
	moves []move                  // [state*alpha.size+symbol]; state 0 is the beginning, any other a character that was read
	index []*[utf8.RuneSelf]int32 // by state: the choice of each character of its class; nil for a literal's
}

// move is what a symbol does in a state. The zero value is none.
type move struct {
	steps []step
	to    int32 // 0: the end
	ok    bool
}

// Bounds of such an automaton.
const (
	maxPlaces = 1 << 10
	maxMoves  = 1 << 17
)

// spot is a place of a character in a rule, and the steps on the way to or from it.
type spot struct {
	at    int32
	steps []step
}

// span is an expression among the places of its rule.
type span struct {
	first, last []spot
	empty       []step // how the empty text is derived
	nullable    bool
}

// charsBuilder makes the automaton of a rule.
type charsBuilder struct {
	terms  []terminal // by place, from 1 on
	follow [][]spot
	rules  []*grammar.Rule // those around the expression
	failed bool            // the rule has no deterministic automaton
}

// newChars returns nil where the next character does not settle the derivation.
func newChars(rule *grammar.Rule) *chars {
	b := &charsBuilder{terms: make([]terminal, 1), follow: make([][]spot, 1)}
	s := b.rule(rule)
	if b.failed {
		return nil
	}
	t := &chars{alpha: newAlphabet(b.terms[1:], 0), index: make([]*[utf8.RuneSelf]int32, len(b.terms))}
	if len(b.terms)*t.alpha.size > maxMoves {
		return nil
	}
	t.moves = make([]move, len(b.terms)*t.alpha.size)
	b.follow[0] = s.first
	for at, places := range b.follow {
		for _, p := range places {
			for _, sym := range b.terms[p.at].syms {
				b.move(t, at, sym, p)
			}
		}
		if e := b.terms[at].expr; e != nil && e.Op == grammar.Class {
			t.index[at] = new([utf8.RuneSelf]int32)
			for c := range t.index[at] {
				t.index[at][c] = int32(e.MemberIndex(rune(c)))
			}
		}
	}
	for _, p := range s.last {
		b.move(t, int(p.at), symEnd, spot{0, p.steps})
	}
	if s.nullable {
		b.move(t, 0, symEnd, spot{0, s.empty})
	}
	if b.failed {
		return nil
	}
	return t
}

func (b *charsBuilder) move(t *chars, from int, sym int32, p spot) {
	m := &t.moves[from*t.alpha.size+int(sym)]
	b.failed = b.failed || m.ok
	*m = move{p.steps, p.at, true}
}

// rule returns the span of a rule's body.
func (b *charsBuilder) rule(r *grammar.Rule) span {
	if slices.Contains(b.rules, r) {
		b.failed = true
		return span{}
	}
	b.rules = append(b.rules, r)
	s := b.span(r.Body)
	b.rules = b.rules[:len(b.rules)-1]
	return s
}

func (b *charsBuilder) span(e *grammar.Expr) (s span) {
	if b.failed {
		return s
	}
	open := step{op: opOpen, expr: e}
	switch e.Op {
	case grammar.Lit:
		s = b.literal(e)
	case grammar.Class:
		s = b.char(e, e.Set)
		s.first[0].steps = []step{{op: opClass, expr: e}}
	case grammar.Seq:
		s.nullable = true
		for _, k := range e.Children {
			s = b.then(s, b.span(k))
		}
	case grammar.Choice:
		for i, k := range e.Children {
			open.arg = int32(i)
			s = b.or(s, b.span(k).wrap(open))
		}
	case grammar.Ref:
		b.failed = b.failed || e.Rule.Kind == grammar.Skip && !e.Rule.Inline
		s = b.rule(e.Rule).wrap(open)
	case grammar.Rep:
		s = b.repeated(e).wrap(open)
	default:
		b.failed = true
	}
	return s
}

// char returns the span of one character.
func (b *charsBuilder) char(e *grammar.Expr, set grammar.Set) span {
	at := []spot{{at: int32(len(b.terms))}}
	b.failed = b.failed || len(b.terms) == maxPlaces
	b.terms, b.follow = append(b.terms, terminal{expr: e, set: set}), append(b.follow, nil)
	return span{first: at, last: slices.Clone(at)}
}

func (b *charsBuilder) literal(e *grammar.Expr) span {
	leaf := []step{{op: opLit, expr: e}}
	s := span{empty: leaf, nullable: true}
	b.failed = b.failed || strayBytes(e.Text)
	for i, r := range e.Text {
		c := b.char(e, grammar.NewSet(grammar.Range{Lo: r, Hi: r}))
		if i == 0 {
			c.first[0].steps, s = leaf, c
			continue
		}
		s = b.then(s, c)
	}
	return s
}

// then returns the span of s followed by t.
func (b *charsBuilder) then(s, t span) span {
	b.link(s.last, t.first)
	out := span{first: s.first, last: t.last, nullable: s.nullable && t.nullable}
	if out.nullable {
		out.empty = slices.Concat(s.empty, t.empty)
	}
	if s.nullable {
		out.first = slices.Concat(s.first, around(s.empty, t.first, nil))
	}
	if t.nullable {
		out.last = slices.Concat(t.last, around(nil, s.last, t.empty))
	}
	return out
}

// link notes that the places of next can follow those of last.
func (b *charsBuilder) link(last, next []spot) {
	for _, p := range last {
		b.follow[p.at] = append(b.follow[p.at], around(p.steps, next, nil)...)
	}
}

// or returns the span of s or t.
func (b *charsBuilder) or(s, t span) span {
	b.failed = b.failed || s.nullable && t.nullable
	return span{slices.Concat(s.first, t.first), slices.Concat(s.last, t.last), slices.Concat(s.empty, t.empty), s.nullable || t.nullable}
}

// repeated returns the span of a repetition: its elements one by one, the last of an
// unbounded one again and again.
func (b *charsBuilder) repeated(e *grammar.Expr) span {
	n := e.Max
	if n < 0 {
		n = max(e.Min, 1)
	}
	s := span{nullable: true}
	for i := n - 1; i >= 0 && !b.failed; i-- {
		k := b.span(e.Children[0])
		b.failed = b.failed || k.nullable
		k.first = around(elem(e).steps, k.first, nil)
		if e.Max < 0 && i == n-1 {
			b.link(k.last, k.first)
		}
		s = b.then(k, s)
		s.nullable = i >= e.Min
	}
	return s
}

// wrap returns s inside of the node that open begins.
func (s span) wrap(open step) span {
	begin, end := []step{open}, []step{{op: opClose, expr: open.expr}}
	s.first, s.last = around(begin, s.first, nil), around(nil, s.last, end)
	if s.nullable {
		s.empty = slices.Concat(begin, s.empty, end)
	}
	return s
}

// around returns places with steps before and after their own.
func around(before []step, places []spot, after []step) []spot {
	out := make([]spot, len(places))
	for i, p := range places {
		out[i] = spot{p.at, slices.Concat(before, p.steps, after)}
	}
	return out
}

// read makes the derivation of a token's text and reports whether it has one.
func (b *treeBuilder) read(t *chars, text string) bool {
	state := int32(0)
	for i := 0; b.err == nil; {
		sym, r, size := int32(symEnd), rune(0), 1
		if i < len(text) {
			if r = rune(text[i]); r < utf8.RuneSelf {
				sym = t.alpha.ascii[r]
			} else if r, size = utf8.DecodeRuneInString(text[i:]); size > 1 {
				sym = t.alpha.of(r)
			} else {
				sym = symNone
			}
		}
		m := &t.moves[int(state)*t.alpha.size+int(sym)]
		if !m.ok {
			return false
		}
		b.space(len(m.steps))
		for j := range m.steps {
			switch s := &m.steps[j]; s.op {
			case opOpen:
				b.node(s)
			case opClose:
				b.close(s.expr)
			case opElem:
				b.element(s.expr)
			case opLit:
				b.leaf(s.expr, 0)
			case opClass:
				if r < utf8.RuneSelf {
					b.char(s.expr, r, t.index[m.to][r])
				} else {
					b.char(s.expr, r, int32(s.expr.MemberIndex(r)))
				}
			}
		}
		if sym == symEnd {
			return true
		}
		if state, i = m.to, i+size; i&0xffff == 0 {
			b.err = b.p.check(b.ctx, b.memory())
		}
	}
	return true
}
