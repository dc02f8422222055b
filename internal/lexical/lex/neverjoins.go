package lex

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Bounds of [Lexer.NeverJoins]: the pairs of states that it examines, and the instructions that
// read the texts of all kinds.
const (
	maxProof     = 4096
	maxProofCode = 1 << 15
)

// NeverJoins reports whether the tokens of every sentence can follow each other without a
// separator: each is read as a token of its kind, and ends where any possible next token
// begins. False means that this could not be proved. Reasons are modes, context lexing,
// indentation, recursive tokens, tokens that end with the text or are empty, or a search
// beyond the bound. The cost is bounded; the answer is not cached.
func (l *Lexer) NeverJoins() bool {
	if len(l.modes) > 1 || l.context != nil || l.lines != nil || l.ends {
		return false
	}
	for _, a := range l.modes[0].actions {
		if a.more || len(a.ops) > 0 {
			return false
		}
	}
	p := &proof{l: l, own: map[int]*engine{}, first: map[int]byteSet{}}
	after, ok := p.neighbours()
	if !ok {
		return false
	}
	// A proof mostly fails at a keyword before a name. So the kinds with the most possible
	// next bytes come first.
	kinds := slices.SortedFunc(maps.Keys(after), func(a, b int) int {
		return cmp.Or(after[b].size()-after[a].size(), a-b)
	})
	for _, k := range kinds {
		if !p.ends(k, after[k]) {
			return false
		}
	}
	return true
}

// proof is the working state of NeverJoins.
type proof struct {
	l     *Lexer
	prog  *program        // of all kinds
	own   map[int]*engine // by kind: reads the texts of that kind alone
	first map[int]byteSet // by kind: the bytes that its texts begin with
	pairs int
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]>>(b&63)&1 != 0 }

func (s *byteSet) size() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s *byteSet) join(t *byteSet) {
	for i, word := range t {
		s[i] |= word
	}
}

// kindSet is a bit set of token kinds.
type kindSet []uint64

// ends is the bytes that the texts of an expression begin with, and the kinds of the
// terminals that they end with.
type ends struct {
	first byteSet
	last  kindSet
	empty bool
}

func (p *proof) newEnds(empty bool) ends {
	return ends{last: make(kindSet, (len(p.l.kinds)+63)/64), empty: empty}
}

func (e *ends) add(f *ends) {
	e.first.join(&f.first)
	for i, word := range f.last {
		e.last[i] |= word
	}
	e.empty = e.empty || f.empty
}

func (e *ends) same(f *ends) bool {
	return e.first == f.first && e.empty == f.empty && slices.Equal(e.last, f.last)
}

// neighbours returns for each kind the bytes that can follow it, and prepares the engines
// of all kinds. It returns false if a terminal cannot be handled. It first computes the
// ends of the rules, from the last rule to the first, until nothing changes. Then one more
// pass notes the neighbours.
func (p *proof) neighbours() (map[int]*byteSet, bool) {
	w := &walkEnds{p: p, rules: map[*grammar.Rule]*ends{}}
	rules := p.l.grammar.Rules
	for _, r := range rules {
		if r.Kind == grammar.Syntax {
			e := p.newEnds(false)
			w.rules[r] = &e
		}
	}
	for changed := true; changed && !w.unsound; {
		changed = false
		for _, r := range slices.Backward(rules) {
			if e := w.rules[r]; e != nil {
				if now := w.of(r.Body); !now.same(e) {
					*e, changed = now, true
				}
			}
		}
	}
	if w.unsound {
		return nil, false
	}
	w.after = map[int]*byteSet{}
	for r := range w.rules {
		w.of(r.Body)
	}
	return w.after, true
}

// walkEnds computes the ends of the expressions of a body, noting neighbours
// where after is not nil.
type walkEnds struct {
	p       *proof
	rules   map[*grammar.Rule]*ends
	after   map[int]*byteSet
	unsound bool
}

// of returns the ends of an expression. The caller may change them.
func (w *walkEnds) of(e *grammar.Expr) ends {
	switch e.Op {
	case grammar.Lit, grammar.Class:
		if e.Op == grammar.Lit && e.Text == "" {
			return w.p.newEnds(true)
		}
		return w.terminal(e)
	case grammar.Ref:
		switch {
		case e.Rule == nil:
			return w.p.newEnds(false)
		case e.Rule.Kind == grammar.Skip:
			return w.p.newEnds(true)
		case e.Rule.Kind == grammar.Syntax:
			out := *w.rules[e.Rule]
			out.last = slices.Clone(out.last)
			return out
		}
		return w.terminal(e)
	case grammar.Choice:
		out := w.p.newEnds(false)
		for _, k := range e.Children {
			child := w.of(k)
			out.add(&child)
		}
		return out
	case grammar.Rep:
		out := w.p.newEnds(e.Min == 0)
		child := w.of(e.Children[0])
		if e.Max != 0 {
			out.add(&child)
		}
		if e.Max < 0 || e.Max > 1 {
			w.meet(child.last, &child.first)
		}
		return out
	case grammar.Seq:
		out := w.p.newEnds(true)
		for _, k := range e.Children {
			child := w.of(k)
			w.meet(out.last, &child.first)
			if out.empty {
				out.first.join(&child.first)
			}
			if child.empty {
				for i, word := range out.last {
					child.last[i] |= word
				}
			}
			out.last = child.last
			out.empty = out.empty && child.empty
		}
		return out
	}
	w.unsound = true
	return w.p.newEnds(true)
}

// terminal returns the ends of a terminal.
func (w *walkEnds) terminal(e *grammar.Expr) ends {
	out := w.p.newEnds(false)
	k := w.p.l.KindOf(e)
	if k < 0 || !w.p.prepare(k) {
		w.unsound = true
		return out
	}
	if w.after != nil && w.after[k] == nil {
		w.after[k] = &byteSet{}
	}
	out.first = w.p.first[k]
	out.last[k>>6] |= 1 << (k & 63)
	return out
}

// meet notes that each kind in last can be followed by the bytes in first.
func (w *walkEnds) meet(last kindSet, first *byteSet) {
	if w.after == nil {
		return
	}
	for i, word := range last {
		for ; word != 0; word &= word - 1 {
			k := i<<6 + bits.TrailingZeros64(word)
			if w.after[k] == nil {
				w.after[k] = &byteSet{}
			}
			w.after[k].join(first)
		}
	}
}

// prepare makes the engine that reads the generated texts of kind k. It returns false if
// there is none, or if a text is empty.
func (p *proof) prepare(k int) bool {
	if p.own[k] != nil {
		return true
	}
	if p.prog == nil {
		p.prog = newProgram(maxProofCode)
	}
	prog := p.prog
	if slices.ContainsFunc(p.l.grammar.Rules, func(r *grammar.Rule) bool { return r.Recursive && r.Kind.Lexical() }) {
		return false
	}
	kind := p.l.kinds[k]
	var at int32
	var err error
	switch {
	case kind.Rule != nil:
		at, err = prog.compile(kind.Rule.Body, 0)
	case k == p.l.char:
		chars := syntaxClasses(p.l.grammar.Rules, nil)
		at, err = prog.add(instr{op: opSet, set: &chars})
	default:
		at, err = prog.text(kind.Text, 0)
	}
	if err != nil {
		return false
	}
	g := newEngine(prog.code, []int32{at})
	s := g.start()
	if s.accept >= 0 {
		return false
	}
	p.own[k] = g
	var first byteSet
	for b := range 256 {
		if g.step(s, byte(b)) != none {
			first.add(byte(b))
		}
	}
	p.first[k] = first
	return true
}

// ends reports whether each text of kind k is read as a token of that kind, and whether
// that token ends before any of the bytes in next.
func (p *proof) ends(k int, next *byteSet) bool {
	m := p.l.modes[0]
	type pair struct{ all, own *state }
	seen := map[pair]bool{}
	queue := []pair{{m.engine.start(), p.own[k].start()}}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		if q.own.accept >= 0 {
			if q.all.accept < 0 || !p.l.standsFor(m.actions[q.all.accept].kind, k) {
				return false
			}
			for b := range 256 {
				if next.has(byte(b)) && m.engine.step(q.all, byte(b)) != none {
					return false
				}
			}
		}
		for b := range 256 {
			own := p.own[k].step(q.own, byte(b))
			if own == none {
				continue
			}
			to := pair{m.engine.step(q.all, byte(b)), own}
			if seen[to] {
				continue
			}
			p.pairs++
			if p.pairs > maxProof {
				return false
			}
			seen[to] = true
			queue = append(queue, to)
		}
	}
	return true
}

// standsFor is [Lexer.stands] without regard to the token's text.
func (l *Lexer) standsFor(got, asked int) bool {
	return l.kinds[got].Type == l.kinds[asked].Type || asked == l.char && l.IsChar(got)
}
