package lex

import (
	"maps"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// maxProof bounds how many pairs of states [Lexer.NeverJoins] looks at.
const maxProof = 4096

// NeverJoins reports whether the tokens of every sentence can follow each other
// without anything between: each is read as what it is, and ends where any
// token that can come next begins. False means that this could not be shown:
// there are modes, recursive tokens, tokens without text, or too much to look
// at. The cost is bounded; the answer is not kept.
func (l *Lexer) NeverJoins() bool {
	if len(l.modes) > 1 || l.context != nil {
		return false
	}
	for _, a := range l.modes[0].actions {
		if a.more || len(a.ops) > 0 {
			return false
		}
	}
	p := &proof{l: l, own: map[int]*engine{}, first: map[int][]byte{}}
	after, ok := p.neighbours()
	if !ok {
		return false
	}
	// Where a proof fails it mostly does so at a word before a name: the kinds
	// with the most neighbours first.
	kinds := slices.SortedFunc(maps.Keys(after), func(a, b int) int { return len(after[b]) - len(after[a]) })
	for _, k := range kinds {
		var next [256]bool
		for f := range after[k] {
			for _, b := range p.first[f] {
				next[b] = true
			}
		}
		if !p.ends(k, &next) {
			return false
		}
	}
	return true
}

// proof is what NeverJoins knows.
type proof struct {
	l     *Lexer
	prog  *program        // of all kinds
	own   map[int]*engine // by kind: reads the texts of that kind alone
	first map[int][]byte  // by kind: the bytes that its texts begin with
	pairs int
}

// kindSet is a set of kinds of tokens.
type kindSet map[int]bool

// ends are the terminals that the texts of an expression begin and end with.
type ends struct {
	first, last kindSet
	empty       bool
}

func (e *ends) add(f ends) bool {
	before := len(e.first) + len(e.last)
	maps.Copy(e.first, f.first)
	maps.Copy(e.last, f.last)
	changed := len(e.first)+len(e.last) > before || f.empty && !e.empty
	e.empty = e.empty || f.empty
	return changed
}

func newEnds(empty bool) ends { return ends{kindSet{}, kindSet{}, empty} }

// neighbours returns for each kind the kinds that can follow it, and prepares
// the engines of all; false where a terminal cannot be dealt with.
func (p *proof) neighbours() (map[int]kindSet, bool) {
	rules := map[*grammar.Rule]*ends{}
	for _, r := range p.l.grammar.Rules {
		if r.Kind == grammar.Syntax {
			e := newEnds(false)
			rules[r] = &e
		}
	}
	after := map[int]kindSet{}
	sound := true
	for changed := true; changed && sound; {
		changed = false
		for r, e := range rules {
			w := &walkEnds{p: p, rules: rules, after: after}
			changed = e.add(w.of(r.Body)) || changed
			changed = changed || w.grown
			sound = sound && !w.unsound
		}
	}
	return after, sound
}

// walkEnds computes the ends of the expressions of a body, noting neighbours.
type walkEnds struct {
	p       *proof
	rules   map[*grammar.Rule]*ends
	after   map[int]kindSet
	grown   bool
	unsound bool
}

func (w *walkEnds) of(e *grammar.Expr) ends {
	switch e.Op {
	case grammar.Lit, grammar.Class:
		if e.Op == grammar.Lit && e.Text == "" {
			return newEnds(true)
		}
		return w.terminal(e)
	case grammar.Ref:
		switch {
		case e.Rule == nil:
			return newEnds(false)
		case e.Rule.Kind == grammar.Skip:
			return newEnds(true)
		case e.Rule.Kind == grammar.Syntax:
			return *w.rules[e.Rule]
		}
		return w.terminal(e)
	case grammar.Choice:
		out := newEnds(false)
		for _, k := range e.Kids {
			out.add(w.of(k))
		}
		return out
	case grammar.Rep:
		out := newEnds(e.Min == 0)
		kid := w.of(e.Kids[0])
		if e.Max != 0 {
			out.add(kid)
		}
		if e.Max < 0 || e.Max > 1 {
			w.meet(kid.last, kid.first)
		}
		return out
	case grammar.Seq:
		out := newEnds(true)
		for _, k := range e.Kids {
			kid := w.of(k)
			w.meet(out.last, kid.first)
			if out.empty {
				maps.Copy(out.first, kid.first)
			}
			if !kid.empty {
				out.last = kindSet{}
			}
			maps.Copy(out.last, kid.last)
			out.empty = out.empty && kid.empty
		}
		return out
	}
	w.unsound = true
	return newEnds(true)
}

// terminal returns the ends of a terminal.
func (w *walkEnds) terminal(e *grammar.Expr) ends {
	k := w.p.l.KindOf(e)
	if k < 0 || !w.p.prepare(k) {
		w.unsound = true
	}
	if w.after[k] == nil {
		w.after[k] = kindSet{}
	}
	return ends{kindSet{k: true}, kindSet{k: true}, false}
}

// meet notes that each of first can follow each of last.
func (w *walkEnds) meet(last, first kindSet) {
	for k := range last {
		before := len(w.after[k])
		maps.Copy(w.after[k], first)
		w.grown = w.grown || len(w.after[k]) > before
	}
}

// prepare makes the engine that reads the texts of kind k as they are
// generated; false where there is none, or where a text is empty.
func (p *proof) prepare(k int) bool {
	if p.own[k] != nil {
		return true
	}
	if p.prog == nil {
		p.prog = &program{rules: make(map[string]*grammar.Rule), called: make(map[*grammar.Rule]int32), code: []instr{{op: opReturn}}}
		for _, r := range p.l.grammar.Rules {
			p.prog.rules[r.Name] = r
		}
		p.prog.loops = recursive(p.l.grammar.Rules, p.prog.rules, scanned)
	}
	prog := p.prog
	for r := range prog.loops {
		if r.Kind.Lexical() {
			return false
		}
	}
	kind := p.l.kinds[k]
	var at int32
	var err error
	switch {
	case kind.Rule != nil:
		at, err = prog.compile(kind.Rule.Body, 0)
	case k == p.l.char:
		at, err = prog.add(instr{op: opSet, set: syntaxClasses(p.l.grammar)})
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
	for b := range 256 {
		if g.step(s, byte(b)) != none {
			p.first[k] = append(p.first[k], byte(b))
		}
	}
	return true
}

// ends reports whether each text of kind k is read as a token of that kind,
// which ends before any of the bytes in next.
func (p *proof) ends(k int, next *[256]bool) bool {
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
			for b, follows := range next {
				if follows && m.engine.step(q.all, byte(b)) != none {
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
			if p.pairs++; p.pairs > maxProof {
				return false
			}
			seen[to] = true
			queue = append(queue, to)
		}
	}
	return true
}

// standsFor is stands for the texts of a kind, whatever they are.
func (l *Lexer) standsFor(got, asked int) bool {
	return l.kinds[got].Type == l.kinds[asked].Type || asked == l.char && l.IsChar(got)
}
