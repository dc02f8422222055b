package parse

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// The grammar is lowered into productions without empty ones. Every nonterminal derives
// nonempty texts only, and a production contains its empty parts as steps. So a parser never
// decides before it reads, and the generalised parser needs no special treatment of empty
// reductions. Derivations of the empty text are separate nonterminals, which the tables never
// see.
//
// Every derivation counted by package count is one derivation here: elements of unbounded
// repetitions beyond the minimum are not empty.

// op is the kind of a step in building the tree of a production.
type op uint8

const (
	opOpen    op = iota // a node for expr begins; arg is the alternative of a choice
	opClose             // the innermost node ends
	opElem              // an element of the innermost node, a repetition, begins
	opChild             // the derivation of child number arg stands here
	opEmpty             // an empty derivation of empty nonterminal number arg stands here
	opLit               // a node for the literal expr
	opClass             // a node for the class expr; child number arg is where its character begins
	opToken             // a node for the token expr; child number arg is its token
	opPrec              // the precedence of expr begins; only while productions are made
	opPrecEnd           // and ends
)

type step struct {
	op   op
	arg  int32
	expr *grammar.Expr
}

// A symbol of a production is a nonterminal (its number) or a terminal (^ its number).
type symbol = int32

// production is a nonterminal's right-hand side, with the steps to build its tree.
type production struct {
	lhs      int32
	rhs      []symbol
	children int // number of nonterminals in rhs
	steps    []step
	precs    []precedence // of a flat production: after each symbol
}

// nonterminal is one part of the grammar; rule is the rule that contains it.
type nonterminal struct {
	rule *grammar.Rule
	main bool          // it is the rule itself, not a part of it
	expr *grammar.Expr // the part; nil: the rule, or the start
	list bool          // it derives elements of a repetition
}

// terminal is a set of units of the input: characters, bytes or tokens.
type terminal struct {
	expr *grammar.Expr
	rest string      // of a literal read by characters: the remaining text
	set  grammar.Set // characters (or bytes as characters U+0000 to U+00FF)
	kind int         // tokens: the kind, or -1 for a class
	syms []int32     // the input symbols that it accepts; see alphabet
}

// part is which part of an expression a nonterminal derives.
type part uint8

const (
	whole part = iota
	rest       // a sequence from child i on; a repetition after i complete elements, up to the minimum if unbounded
	list       // an unbounded repetition
)

type key struct {
	expr *grammar.Expr
	rule *grammar.Rule // instead of expr: the body of a rule
	part part
	i    int
}

type emptyKey struct {
	expr *grammar.Expr
	i    int
}

// fragment is a piece of a production under construction.
type fragment struct {
	syms     []symbol
	children int
	steps    []step
}

// lowering turns a grammar into productions; maxChildren bounds the nonterminals of a
// production (2 keeps the generalised parser cubic).
type lowering struct {
	g           *grammar.Grammar
	facts       *grammar.Facts
	kindOf      func(*grammar.Expr) int // nil: no tokens, read by characters
	bytes       bool                    // read by bytes
	maxChildren int
	flat        *flat // not nil: productions have precedences

	nonterms []nonterminal
	prods    []production // number 0 is the start
	terms    []terminal
	empties  [][]int32 // by empty nonterminal: its productions

	byKey     map[key]int32
	todo      []key
	byEmpty   map[emptyKey]int32
	emptyTodo []emptyKey
	byTerm    map[termKey]int32
	owner     map[*grammar.Expr]*grammar.Rule
	rootEmpty int32 // the empty nonterminal of the start, or -1
}

type termKey struct {
	expr *grammar.Expr
	at   int // of a literal: the offset; of a class read by bytes: which byte
}

const noMaxChildren = 1 << 30

// lower returns the productions of start. If rule is not nil, its body is the start, else the
// grammar's root.
func lower(g *grammar.Grammar, facts *grammar.Facts, rule *grammar.Rule, kindOf func(*grammar.Expr) int, maxChildren int, marks *flat) (*lowering, error) {
	l := &lowering{g: g, facts: facts, kindOf: kindOf, maxChildren: maxChildren, flat: marks, byKey: map[key]int32{}, byEmpty: map[emptyKey]int32{},
		byTerm: map[termKey]int32{}, owner: map[*grammar.Expr]*grammar.Rule{}, rootEmpty: -1}
	for _, r := range g.Rules {
		r.Body.Walk(func(e *grammar.Expr) {
			l.owner[e] = r
			l.bytes = l.bytes || kindOf == nil && e.Op == grammar.Lit && strayBytes(e.Text)
		})
	}
	l.owner[g.Root] = g.Start
	l.nonterms = []nonterminal{{rule: g.Start}}
	body := g.Root
	var start []fragment
	if rule != nil {
		body = rule.Body
		l.nonterms[0].rule = rule
		start = []fragment{l.child(key{rule: rule})}
	} else {
		start = l.alts(g.Root)
	}
	if !facts.CanBeNonEmpty(body) {
		start = nil
	}
	for _, f := range start {
		l.produce(0, f)
	}
	if facts.Nullable(body) {
		l.rootEmpty = l.empty(emptyKey{body, 0})
	}
	for len(l.todo)+len(l.emptyTodo) > 0 {
		if n := len(l.todo); n > 0 {
			k := l.todo[n-1]
			l.todo = l.todo[:n-1]
			l.fill(k)
			continue
		}
		n := len(l.emptyTodo)
		k := l.emptyTodo[n-1]
		l.emptyTodo = l.emptyTodo[:n-1]
		l.fillEmpty(k)
	}
	if len(l.prods) > maxProductions || l.flat.full() {
		return nil, fmt.Errorf("%w: it has %d productions", errTooLarge, len(l.prods))
	}
	return l, l.acyclic()
}

func (l *lowering) produce(lhs int32, f fragment) {
	p := production{lhs: lhs, rhs: f.syms, children: f.children, steps: f.steps}
	if l.flat != nil {
		p.steps, p.precs = l.flat.precedences(f)
	}
	l.prods = append(l.prods, p)
}

// child returns a fragment of only the nonterminal for k.
func (l *lowering) child(k key) fragment {
	id, ok := l.byKey[k]
	if !ok {
		id = int32(len(l.nonterms))
		l.byKey[k] = id
		n := nonterminal{rule: k.rule, main: k.rule != nil}
		if k.rule == nil {
			n.rule, n.expr, n.list = l.owner[k.expr], k.expr, k.part == list || k.part == rest && k.expr.Op == grammar.Rep
		}
		l.nonterms = append(l.nonterms, n)
		l.todo = append(l.todo, k)
	}
	return fragment{syms: []symbol{id}, children: 1, steps: []step{{op: opChild}}}
}

// fill makes the productions of the nonterminal for k.
func (l *lowering) fill(k key) {
	var fs []fragment
	switch {
	case k.rule != nil:
		fs = l.openAlts(k.rule.Body)
	case k.part == whole:
		fs = l.openAlts(k.expr)
	case k.part == list:
		fs = l.list(k.expr)
	case k.expr.Op == grammar.Seq:
		fs = l.seq(k.expr, k.i)
	default:
		fs = l.bounded(k.expr, k.i)
	}
	lhs := l.byKey[k]
	for _, f := range fs {
		l.produce(lhs, f)
	}
}

// openAlts is alts, except that the alternatives of a choice stay separate.
func (l *lowering) openAlts(e *grammar.Expr) []fragment {
	if e.Op != grammar.Choice {
		return l.alts(e)
	}
	var fs []fragment
	for i, k := range e.Children {
		for _, f := range l.alts(k) {
			fs = append(fs, f.wrap(step{op: opOpen, arg: int32(i), expr: e}))
		}
	}
	return l.flat.mark(e, fs)
}

// alts returns the ways to derive a nonempty text from e. There is mostly one; there are none
// where e derives no such text.
func (l *lowering) alts(e *grammar.Expr) []fragment {
	if !l.facts.CanBeNonEmpty(e) || l.flat.full() {
		return nil
	}
	if e.Op == grammar.Choice {
		if l.flat.takesApart() {
			return l.openAlts(e)
		}
		return []fragment{l.child(key{expr: e})}
	}
	return l.flat.mark(e, l.ways(e))
}

// ways is alts for an expression that is no choice and derives some nonempty text.
func (l *lowering) ways(e *grammar.Expr) []fragment {
	switch e.Op {
	case grammar.Lit:
		return []fragment{l.literal(e)}
	case grammar.Class:
		return l.class(e)
	case grammar.Seq:
		return l.seq(e, 0)
	case grammar.Ref:
		if l.kindOf != nil && e.Rule.Kind.Lexical() && !e.Rule.Inline {
			id := l.terminal(termKey{e, 0}, terminal{expr: e, kind: l.kindOf(e)})
			return []fragment{{syms: []symbol{^id}, steps: []step{{op: opToken, expr: e}}}}
		}
		return []fragment{l.child(key{rule: e.Rule}).wrap(step{op: opOpen, expr: e})}
	case grammar.Rep:
		return l.repeated(e)
	}
	return nil
}

func (l *lowering) repeated(e *grammar.Expr) []fragment {
	open := step{op: opOpen, expr: e}
	switch {
	case e.Max < 0:
		return []fragment{l.child(key{expr: e, part: list}).wrap(open)}
	case e.Max == 1:
		fs := l.alts(e.Children[0])
		for i := range fs {
			fs[i] = elem(e).then(fs[i]).wrap(open)
		}
		return fs
	}
	return []fragment{l.child(key{expr: e, part: rest}).wrap(open)}
}

// heads returns alts for an element with a continuation: one fragment, with most bounding its
// nonterminals, unless productions are flat.
func (l *lowering) heads(e *grammar.Expr, most int) []fragment {
	fs := l.alts(e)
	if l.flat.takesApart() || len(fs) == 0 || len(fs) == 1 && fs[0].children <= most {
		return fs
	}
	return []fragment{l.child(key{expr: e})}
}

// seq returns the ways to derive children i … of the sequence e.
func (l *lowering) seq(e *grammar.Expr, i int) []fragment {
	if i == len(e.Children)-1 {
		return l.alts(e.Children[i])
	}
	if i >= len(e.Children) {
		return nil
	}
	k := e.Children[i]
	heads := l.heads(k, l.maxChildren-1)
	var end []fragment
	children := 0
	if len(heads) > 0 {
		children = heads[0].children
		if l.nullableFrom(e, i+1) {
			end = []fragment{l.emptyRest(e, i+1)}
		}
	}
	return l.join(k, fragment{}, heads, l.rest(e, i+1, children), end)
}

// join returns the ways to derive an element, which is e after a mark, and its continuation:
// one of tails, or, after one of heads, which have text, of ends.
func (l *lowering) join(e *grammar.Expr, mark fragment, heads, tails, ends []fragment) (fs []fragment) {
	for _, head := range heads {
		for _, f := range slices.Concat(tails, ends) {
			if l.flat.full() {
				return nil
			}
			f = mark.then(head).then(f)
			l.flat.count(f)
			fs = append(fs, f)
		}
	}
	if l.facts.Nullable(e) {
		for _, f := range tails {
			fs = append(fs, mark.then(l.emptyFragment(e)).then(f))
		}
	}
	return fs
}

// rest returns the ways to derive children i … of a sequence after a part with the given
// number of nonterminals: in place as long as they are few, else by a nonterminal.
func (l *lowering) rest(e *grammar.Expr, i, children int) []fragment {
	if l.flat.takesApart() {
		return l.seq(e, i)
	}
	nullable := 0
	for _, k := range e.Children[i:] {
		if l.facts.Nullable(k) {
			nullable++
		}
	}
	if nullable <= 1 && len(e.Children)-i < maxInPlace {
		fs := l.seq(e, i)
		fits := true
		for _, f := range fs {
			fits = fits && f.children+children <= l.maxChildren
		}
		if fits {
			return fs
		}
	}
	return []fragment{l.child(key{expr: e, part: rest, i: i})}
}

// list returns the ways to derive the unbounded repetition e. It is left-recursive, so its end
// need not be known in advance.
func (l *lowering) list(e *grammar.Expr) []fragment {
	self := l.child(key{expr: e, part: list})
	var elems []fragment
	for _, f := range l.openAlts(e.Children[0]) {
		if f.children > l.maxChildren-1 {
			f = l.child(key{expr: e.Children[0]})
			elems = []fragment{elem(e).then(f)}
			break
		}
		elems = append(elems, elem(e).then(f))
	}
	var fs []fragment
	nullable := l.facts.Nullable(e.Children[0])
	switch {
	case e.Min == 0 || e.Min == 1 && !nullable:
		fs = append(fs, elems...)
	default:
		fs = l.bounded(e, 0)
		if nullable {
			for _, f := range elems {
				fs = append(fs, l.emptyHead(e, 0).then(f))
			}
		}
	}
	for _, f := range elems {
		fs = append(fs, self.then(f))
	}
	return fs
}

// bounded returns the ways to derive the rest of the repetition e after i complete elements.
// Of an unbounded repetition it derives the minimum.
func (l *lowering) bounded(e *grammar.Expr, i int) []fragment {
	most := e.Max
	if most < 0 {
		most = e.Min
	}
	if i == most {
		return nil
	}
	heads := l.heads(e.Children[0], l.maxChildren-1)
	some := len(heads) > 0
	var tail, end []fragment
	nullable := l.facts.Nullable(e.Children[0])
	if i+1 < most && (some || nullable) {
		tail = []fragment{l.child(key{expr: e, part: rest, i: i + 1})}
	}
	if some && (i+1 >= e.Min || nullable) {
		end = []fragment{l.emptyPart(e, i+1)}
	}
	return l.join(e.Children[0], elem(e), heads, tail, end)
}

// elem begins an element of the repetition e.
func elem(e *grammar.Expr) fragment { return fragment{steps: []step{{op: opElem, expr: e}}} }

// then returns f followed by g.
func (f fragment) then(g fragment) fragment {
	out := fragment{children: f.children + g.children}
	out.syms = append(append(out.syms, f.syms...), g.syms...)
	out.steps = append(out.steps, f.steps...)
	for _, s := range g.steps {
		if s.op == opChild || s.op == opLit || s.op == opClass || s.op == opToken {
			s.arg += int32(len(f.syms))
		}
		out.steps = append(out.steps, s)
	}
	return out
}

// wrap returns f inside the node that open begins.
func (f fragment) wrap(open step) fragment {
	steps := append(make([]step, 0, len(f.steps)+2), open)
	steps = append(steps, f.steps...)
	f.steps = append(steps, step{op: opClose, expr: open.expr})
	return f
}
