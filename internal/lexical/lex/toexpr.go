package lex

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Bounds of an expression made from an automaton: the nodes of all its parts, the states of
// one loop, and the nodes of a loop's equations.
const (
	maxExpr     = 200_000
	maxLoop     = 100
	maxLoopExpr = 50_000
)

// smallExpr is the size up to which an expression is copied rather than made a helper rule.
const smallExpr = 8

// writer converts an automaton to an expression that derives each accepted text exactly
// once. States outside of loops become nested expressions or helper rules. The states of a
// loop become repetitions by state elimination.
type writer struct {
	d       *dfa
	pos     grammar.Pos
	beyond  []bool   // by symbol: it has characters that the rule itself does not name: see class
	out     [][]edge // by state
	helper  func(body *grammar.Expr) *grammar.Rule
	comp    []int                    // by state: the number of its component
	exprs   []*grammar.Expr          // by state: the texts from it to acceptance, once known
	uses    []int                    // by state: edges from other components
	total   int                      // nodes in helper rules
	classes map[string]*grammar.Expr // by symbols
}

// expr returns an expression with the texts of d, which has to be minimized. It makes
// helper rules by calling helper. named is the characters that the rule names.
func (d *dfa) expr(pos grammar.Pos, named grammar.Set, helper func(*grammar.Expr) *grammar.Rule) (*grammar.Expr, error) {
	if d.empty() {
		return newClass(pos, false), nil
	}
	w := &writer{d: d, pos: pos, helper: helper, classes: make(map[string]*grammar.Expr),
		exprs: make([]*grammar.Expr, d.len()), uses: make([]int, d.len())}
	unnamed := named.Complement()
	for _, set := range d.al.sets {
		w.beyond = append(w.beyond, set.Intersect(unnamed).Len() > 0)
	}
	for s := range int32(d.len()) {
		w.out = append(w.out, d.edges(s))
	}
	comps := w.components()
	w.comp = make([]int, d.len())
	for i, states := range comps {
		for _, s := range states {
			w.comp[s] = i
		}
	}
	entered := make([]bool, d.len())
	entered[0] = true
	for s := range d.len() {
		for _, e := range w.out[s] {
			if w.comp[s] != w.comp[e.to] {
				w.uses[e.to]++
				entered[e.to] = true
			}
		}
	}
	for _, states := range comps { // each after its successors
		var entries []int32
		for _, s := range states {
			if entered[s] {
				entries = append(entries, s)
			}
		}
		if err := w.component(states, entries); err != nil {
			return nil, err
		}
	}
	if size(w.exprs[0], maxExpr)+w.total > maxExpr {
		return nil, errTooLarge
	}
	return w.exprs[0], nil
}

// component converts the states of one loop, or a single state outside of loops. An entry
// that is not small and is used more than once becomes a helper rule.
func (w *writer) component(states, entries []int32) error {
	exits := make(map[int32]*grammar.Expr, len(states))
	uses := len(entries)
	if len(states) > 1 {
		uses = 2 // elimination copies it
	}
	for _, s := range states {
		exits[s] = w.shared(w.exit(s), uses)
	}
	for _, s := range entries {
		e, err := w.eliminate(states, s, exits)
		if err != nil {
			return err
		}
		w.exprs[s] = w.shared(e, w.uses[s])
	}
	return nil
}

// shared returns the expression to use for e, which is needed uses times: e itself, or a
// reference to a helper rule.
func (w *writer) shared(e *grammar.Expr, uses int) *grammar.Expr {
	if e == nil || uses < 2 || size(e, smallExpr) <= smallExpr {
		return e
	}
	w.total += size(e, maxExpr)
	return newRef(w.pos, w.helper(e))
}

// size returns the number of nodes of e, or limit+1 if there are more than limit.
func size(e *grammar.Expr, limit int) int {
	n := 1
	for _, k := range e.Children {
		if n > limit {
			return limit + 1
		}
		n += size(k, limit-n)
	}
	return n
}

// exit returns the texts from s that leave the loop at once, or nil if there are none.
func (w *writer) exit(s int32) *grammar.Expr {
	var e *grammar.Expr
	for _, edge := range w.out[s] {
		if w.comp[edge.to] == w.comp[s] {
			continue
		}
		rest := w.exprs[edge.to]
		if w.uses[edge.to] > 1 {
			rest = clone(rest)
		}
		e = w.either(e, w.then(w.class(edge.syms), rest))
	}
	if w.d.accept[s] {
		e = w.either(newSeq(w.pos), e)
	}
	return e
}

// eliminate solves the equations of one loop for its state entry. It eliminates the other
// states, those with the fewest paths through them first.
func (w *writer) eliminate(states []int32, entry int32, exits map[int32]*grammar.Expr) (*grammar.Expr, error) {
	n := len(states)
	if n == 1 {
		return w.then(w.star(w.loop(entry)), exits[entry]), nil
	}
	if n > maxLoop {
		return nil, errTooLarge
	}
	at := make(map[int32]int, n)
	for i, s := range states {
		at[s] = i
	}
	steps := make([][]*grammar.Expr, n) // steps[i][j]: the texts between two states
	rest := make([]*grammar.Expr, n)
	for i, s := range states {
		steps[i] = make([]*grammar.Expr, n)
		rest[i] = cloned(exits[s])
		for _, edge := range w.out[s] {
			if j, ok := at[edge.to]; ok {
				steps[i][j] = w.class(edge.syms)
			}
		}
	}
	gone := make([]bool, n)
	for range n - 1 {
		k := cheapest(steps, gone, at[entry])
		gone[k] = true
		if err := w.remove(steps, rest, gone, k); err != nil {
			return nil, err
		}
	}
	i := at[entry]
	return w.then(w.star(steps[i][i]), rest[i]), nil
}

// loop returns the texts that lead from s directly to itself, or nil if there are none.
func (w *writer) loop(s int32) *grammar.Expr {
	for _, edge := range w.out[s] {
		if edge.to == s {
			return w.class(edge.syms)
		}
	}
	return nil
}

// cheapest picks the state to eliminate next: the one with the least product of incoming
// and outgoing edges.
func cheapest(steps [][]*grammar.Expr, gone []bool, keep int) int {
	best, cost := -1, 0
	for k := range steps {
		if gone[k] || k == keep {
			continue
		}
		in, out := 0, 1
		for i := range steps {
			if i != k && !gone[i] {
				in += btoi(steps[i][k] != nil)
				out += btoi(steps[k][i] != nil)
			}
		}
		if best < 0 || in*out < cost {
			best, cost = k, in*out
		}
	}
	return best
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// remove eliminates state k from the equations.
func (w *writer) remove(steps [][]*grammar.Expr, rest []*grammar.Expr, gone []bool, k int) error {
	around := w.star(steps[k][k])
	nodes := 0
	for i := range steps {
		in := steps[i][k]
		if gone[i] || in == nil {
			continue
		}
		steps[i][k] = nil
		through := w.then(in, clone(around))
		for j := range steps {
			if !gone[j] && steps[k][j] != nil {
				steps[i][j] = w.either(steps[i][j], w.then(clone(through), clone(steps[k][j])))
				nodes += size(steps[i][j], maxLoopExpr)
			}
		}
		if rest[k] != nil {
			rest[i] = w.either(rest[i], w.then(through, clone(rest[k])))
			nodes += size(rest[i], maxLoopExpr)
		}
	}
	if nodes > maxLoopExpr {
		return errTooLarge
	}
	return nil
}

func cloned(e *grammar.Expr) *grammar.Expr {
	if e == nil {
		return nil
	}
	return clone(e)
}

// class returns an expression for one of syms. A set with characters that the rule does
// not name comes from a negated class. It is written as a negated class too, so that
// generation stays within the alphabet in force.
func (w *writer) class(syms []sym) *grammar.Expr {
	key := make([]byte, 0, 2*len(syms))
	for _, c := range syms {
		key = append(key, byte(c), byte(c>>8))
	}
	e := w.classes[string(key)]
	if e == nil {
		e = w.makeClass(syms)
		w.classes[string(key)] = e
	}
	return clone(e)
}

func (w *writer) makeClass(syms []sym) *grammar.Expr {
	var ranges []grammar.Range
	var e *grammar.Expr
	beyond := false
	for _, c := range syms {
		if rs := w.d.al.sets[c].Ranges(); len(rs) > 0 {
			ranges = append(ranges, rs...)
			beyond = beyond || w.beyond[c]
			continue
		}
		e = w.either(e, newLit(w.pos, string(w.d.al.bytes[c:c+1])))
	}
	if ranges == nil {
		return e
	}
	set := grammar.NewSet(ranges...)
	var chars *grammar.Expr
	switch {
	case set.Len() == 1:
		chars = newLit(w.pos, string(set.At(0)))
	case beyond:
		chars = newClass(w.pos, true, set.Complement().Ranges()...)
	default:
		chars = newClass(w.pos, false, set.Ranges()...)
	}
	return w.either(chars, e)
}

// star returns e repeated any number of times. For a nil e, that is the empty text.
func (w *writer) star(e *grammar.Expr) *grammar.Expr {
	if e == nil {
		return newSeq(w.pos)
	}
	return newRep(w.pos, e, 0, grammar.Unbounded)
}

// then returns the concatenation of two expressions; nil has no texts.
func (w *writer) then(a, b *grammar.Expr) *grammar.Expr {
	switch {
	case a == nil || b == nil:
		return nil
	case a.IsEmpty():
		return b
	case b.IsEmpty():
		return a
	}
	children := append(elements(a), elements(b)...)
	var out []*grammar.Expr
	for _, k := range children {
		last := len(out) - 1
		switch {
		case last >= 0 && k.Op == grammar.Lit && out[last].Op == grammar.Lit:
			out[last] = newLit(w.pos, out[last].Text+k.Text)
		case last >= 0 && k.Op == grammar.Rep && k.Min == 0 && k.Max < 0 && sameLeaf(out[last], k.Children[0]):
			out[last] = newRep(w.pos, k.Children[0], 1, grammar.Unbounded)
		default:
			out = append(out, k)
		}
	}
	return newSeq(w.pos, out...)
}

func elements(e *grammar.Expr) []*grammar.Expr {
	if e.Op == grammar.Seq {
		return e.Children
	}
	return []*grammar.Expr{e}
}

// sameLeaf reports whether a and b are equal classes or literals. The ranges of classes
// are sorted and disjoint here, as makeClass makes them.
func sameLeaf(a, b *grammar.Expr) bool {
	switch {
	case a.Op != b.Op:
		return false
	case a.Op == grammar.Lit:
		return a.Text == b.Text
	case a.Op == grammar.Class:
		return a.Negated == b.Negated && len(a.Ranges) == len(b.Ranges) &&
			(len(a.Ranges) == 0 || &a.Ranges[0] == &b.Ranges[0] || slices.Equal(a.Ranges, b.Ranges))
	}
	return false
}

// either returns the choice between two expressions, whose texts have to be disjoint; nil
// has no texts. If a is empty, b becomes optional.
func (w *writer) either(a, b *grammar.Expr) *grammar.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.IsEmpty():
		return newRep(w.pos, b, 0, 1)
	}
	return newChoice(w.pos, append(alternatives(a), alternatives(b)...)...)
}

func alternatives(e *grammar.Expr) []*grammar.Expr {
	if e.Op == grammar.Choice {
		return e.Children
	}
	return []*grammar.Expr{e}
}

// namer makes the names of the helper rules of a rule: NAME~1, NAME~2, …
type namer struct {
	rules   map[string]*grammar.Rule // of the grammar
	helpers map[string]bool
	last    map[string]int
}

func (n *namer) next(base string) string {
	for {
		n.last[base]++
		name := fmt.Sprintf("%s~%d", base, n.last[base])
		if n.rules[name] == nil && !n.helpers[name] {
			n.helpers[name] = true
			return name
		}
	}
}
