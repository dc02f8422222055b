package parse

import (
	"slices"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// chars reads the tokens of a rule that does not lead to itself. The steps between two characters
// are known in advance, from Glushkov's automaton of the rule. Where that is deterministic, a
// token has one derivation, which is measured with one look at each character, and built without a
// forest on demand. Elsewhere the moves of a character are in the order of their choices, and
// the first route to the end is the canonical derivation (route.go).
type chars struct {
	alpha *alphabet
	moves []move                  // [state*alpha.size+symbol]; state 0 is the beginning, any other the last character read
	more  map[int32][]move        // by index in moves: all moves, in order, if there are several
	index []*[utf8.RuneSelf]int32 // by state: the choice of each character of its class; nil for a literal
}

// move is the action of a symbol in a state. The zero value means none. In its steps, the arg
// of opElem and of a repetition's opClose is 1 if they are a choice.
type move struct {
	steps          []step
	to             int32 // 0: the end
	nodes, choices int32 // made by the steps
	leaf           int32 // number of the node that is the first leaf, from 1; 0: none
	ok             bool
}

// Bounds of such an automaton.
const (
	maxPlaces  = 1 << 10
	maxMoves   = 1 << 17
	maxSpelled = 1 << 20 // steps between all pairs of positions
)

// spot is a position of a character in a rule, with the steps that lead to or from it.
type spot struct {
	at    int32
	steps []step
}

// span is an expression as a set of positions of its rule.
type span struct {
	first, last []spot
	empty       []step // the derivation of the empty text
	nullable    bool
}

// charsBuilder makes the automaton of a rule.
type charsBuilder struct {
	terms  []terminal // by position, from 1 on
	follow [][]spot
	rules  []*grammar.Rule // the rules around the expression
	steps  int             // written so far
	failed bool            // the rule has no automaton
}

// newChars returns nil for a rule that leads to itself, is too large, or has repetitions of what can
// be empty, except those that can be left out.
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
	t.order()
	return t
}

func (b *charsBuilder) move(t *chars, from int, sym int32, p spot) {
	i := from*t.alpha.size + int(sym)
	m := &t.moves[i]
	if m.ok {
		if t.more == nil {
			t.more = map[int32][]move{}
		}
		if t.more[int32(i)] == nil {
			t.more[int32(i)] = []move{*m}
		}
		t.more[int32(i)] = append(t.more[int32(i)], move{})
		m = &t.more[int32(i)][len(t.more[int32(i)])-1]
	}
	*m = move{steps: p.steps, to: p.at, ok: true}
	for _, s := range p.steps {
		switch {
		case s.op == opElem || s.op == opClose:
			m.choices += s.arg
			continue
		case s.op == opClass || s.op == opOpen && s.expr.Op == grammar.Choice:
			m.choices++
		}
		m.nodes++
		if m.leaf == 0 && s.op != opOpen {
			m.leaf = m.nodes
		}
	}
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
			s = b.or(s, b.wrap(b.span(k), open))
		}
	case grammar.Ref:
		b.failed = e.Rule == nil || e.Rule.Kind == grammar.Skip && !e.Rule.Inline
		if !b.failed {
			s = b.wrap(b.rule(e.Rule), open)
		}
	case grammar.Rep:
		s = b.repeated(e, open)
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
		out.first = slices.Concat(s.first, b.around(s.empty, t.first, nil))
	}
	if t.nullable {
		out.last = slices.Concat(t.last, b.around(nil, s.last, t.empty))
	}
	return out
}

// link records that the positions of next can follow those of last.
func (b *charsBuilder) link(last, next []spot) {
	for _, p := range last {
		b.follow[p.at] = append(b.follow[p.at], b.around(p.steps, next, nil)...)
	}
}

// or returns the span of the alternatives s and t.
func (b *charsBuilder) or(s, t span) span {
	out := span{slices.Concat(s.first, t.first), slices.Concat(s.last, t.last), s.empty, s.nullable || t.nullable}
	if !s.nullable {
		out.empty = t.empty
	}
	return out
}

// repeated returns the span of a repetition: its elements one by one, with a loop on the last
// one of an unbounded repetition. Elements beyond the least number are not empty.
func (b *charsBuilder) repeated(e *grammar.Expr, open step) span {
	n := e.Max
	if n < 0 {
		n = max(e.Min, 1)
	}
	chosen := func(op op, yes bool) []step {
		s := step{op: op, expr: e}
		if yes {
			s.arg = 1
		}
		return []step{s}
	}
	s, last := span{nullable: true}, []spot(nil)
	for i := n - 1; i >= 0 && !b.failed; i-- {
		k := b.span(e.Children[0])
		if k.nullable && i == n-1 {
			b.failed = b.failed || e.Min > 1 || e.Max > 1
			if e.Max < 0 && e.Min == 1 {
				n, i = 2, 1 // the first element alone may be empty
			}
		}
		if e.Max < 0 && i == n-1 {
			b.link(k.last, b.around(chosen(opElem, true), k.first, nil))
		}
		k.first = b.around(chosen(opElem, i >= e.Min), k.first, nil)
		k.empty, k.nullable = slices.Concat(chosen(opElem, false), k.empty), k.nullable && i < e.Min
		if i+1 >= e.Min {
			last = append(last, b.around(nil, k.last, chosen(opClose, i+1 != e.Max))...)
		}
		s = b.then(k, s)
		if i >= e.Min {
			s.nullable, s.empty = true, nil
		}
	}
	s.first, s.last = b.around([]step{open}, s.first, nil), last
	s.empty = slices.Concat([]step{open}, s.empty, chosen(opClose, e.Min != e.Max))
	return s
}

// wrap returns s inside the node that open begins.
func (b *charsBuilder) wrap(s span, open step) span {
	begin, end := []step{open}, []step{{op: opClose, expr: open.expr}}
	s.first, s.last = b.around(begin, s.first, nil), b.around(nil, s.last, end)
	if s.nullable {
		s.empty = slices.Concat(begin, s.empty, end)
	}
	return s
}

// around returns positions with steps before and after their own.
func (b *charsBuilder) around(before []step, places []spot, after []step) []spot {
	out := make([]spot, len(places))
	for i, p := range places {
		out[i] = spot{p.at, slices.Concat(before, p.steps, after)}
		b.steps += 1 + len(out[i].steps)
	}
	b.failed = b.failed || b.steps > maxSpelled
	return out
}

// next returns the index of the moves at byte i of a text, and the character there.
func (t *chars) next(state int32, text string, i int) (at int32, r rune, size int) {
	sym := int32(symEnd)
	if i < len(text) {
		r, size = rune(text[i]), 1
		if r < utf8.RuneSelf {
			sym = t.alpha.ascii[r]
		} else {
			r, size = utf8.DecodeRuneInString(text[i:])
			if size > 1 {
				sym = t.alpha.of(r)
			} else {
				sym = symNone
			}
		}
	}
	return state*int32(t.alpha.size) + sym, r, size
}

// measure returns the number of nodes and choices in the derivation of a token's text, and the
// number of the node that is the first leaf, from 1. ok reports whether there is a derivation.
func (t *chars) measure(text string) (nodes, choices int, leaf int32, ok bool) {
	route, ok := t.route(text)
	state := int32(0)
	for i, n := 0, 0; ok; n++ {
		at, _, size := t.next(state, text, i)
		m := &t.moves[at]
		if route != nil {
			m = route[n]
		}
		if !m.ok {
			return 0, 0, 0, false
		}
		if i == 0 {
			leaf = m.leaf
		}
		nodes, choices = nodes+int(m.nodes), choices+int(m.choices)
		if size == 0 {
			return nodes, choices, leaf, true
		}
		state, i = m.to, i+size
	}
	return 0, 0, 0, false
}

// walk calls do with every step of the derivation of a measured text, the character before
// which the step is made, and the state after that character.
func (t *chars) walk(text string, do func(s *step, r rune, to int32)) {
	route, _ := t.route(text)
	state := int32(0)
	for i, n := 0, 0; ; n++ {
		at, r, size := t.next(state, text, i)
		m := &t.moves[at]
		if route != nil {
			m = route[n]
		}
		for j := range m.steps {
			do(&m.steps[j], r, m.to)
		}
		if size == 0 {
			return
		}
		state, i = m.to, i+size
	}
}

// choices writes the choices of a measured text.
func (t *chars) choices(text string, out []int) {
	choose := func(v int) { out[0], out = v, out[1:] }
	t.walk(text, func(s *step, r rune, to int32) {
		switch {
		case s.op == opOpen && s.expr.Op == grammar.Choice:
			choose(int(s.arg))
		case s.op == opElem && s.arg == 1:
			choose(1)
		case s.op == opClose && s.arg == 1:
			choose(0)
		case s.op == opClass && r < utf8.RuneSelf:
			choose(int(t.index[to][r]))
		case s.op == opClass:
			choose(s.expr.MemberIndex(r))
		}
	})
}

// nodes writes the nodes of a measured text. The first node and choice have the numbers node
// and choice in the whole tree.
func (t *chars) nodes(text string, out []derive.Node, node, choice int) {
	var room [32]int
	open, n := room[:0], 0
	t.walk(text, func(s *step, r rune, _ int32) {
		switch s.op {
		case opOpen:
			open = append(open, n)
			out[n] = derive.Node{Expr: s.expr, Val: int(s.arg), From: choice}
			n++
			if s.expr.Op == grammar.Choice {
				choice++
			}
		case opElem:
			out[open[len(open)-1]].Val++
			choice += int(s.arg)
		case opClose:
			choice += int(s.arg)
			e := &out[open[len(open)-1]]
			e.End, e.To = node+n, choice
			open = open[:len(open)-1]
		case opLit:
			out[n] = derive.Node{Expr: s.expr, End: node + n + 1, From: choice, To: choice}
			n++
		case opClass:
			out[n] = derive.Node{Expr: s.expr, Val: int(r), End: node + n + 1, From: choice, To: choice + 1}
			n, choice = n+1, choice+1
		}
	})
}
