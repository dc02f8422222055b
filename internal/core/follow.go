package core

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// ErrOutside says that a tree is not a derivation of the program within the bound.
var ErrOutside = errors.New("the derivation is not within the bound")

// Visit is one step of a derivation's path through a program, in pre-order.
type Visit struct {
	Op    Op
	ID    NodeID // Union, Leaf, Call of a part that adds bytes by its size
	Child int    // Union: the child that the derivation takes
	A, B  NodeID // Prod: its two parts
	Size  int    // Leaf, Call of a rule: the size that it adds
	Way   int    // Leaf: the index of its way
	Step  int    // by depth: the levels left
}

// Follow returns the path of a tree's derivation through the program. By depth, the derivation
// has at most depth levels. The error is [ErrOutside] if the program does not have that
// derivation. It costs time linear in the tree.
func Follow(p *Program, tree *derive.Tree, depth int) ([]Visit, error) {
	f := &following{p: p, first: p, tree: tree}
	f.measureTexts()
	if p.base != nil {
		f.first = p.base
		f.learning = true
		if err := f.run(states{}, depth); err != nil {
			return nil, err
		}
		f.learning = false
	}
	root, err := f.root(depth)
	if err != nil {
		return nil, err
	}
	err = f.run(root, depth)
	return f.visits, err
}

// root visits the node of the accepted derivations with the same end state, and returns the
// states around it.
func (f *following) root(depth int) (st states, err error) {
	if f.p.base == nil || f.p.Automaton.Accepting() == nil {
		return st, nil
	}
	_, st.exact = f.p.base.effects(f.p.base.Root)
	st.out = f.state
	id := f.node(f.first.marks.Whole(f.p.start, grammar.Any), st)
	_, err = f.locate(f.p.Root, depth, func(child NodeID) bool { return child == id && id != None })
	return st, err
}

// following traces a tree and the expressions that made it. With an automaton it does so twice:
// the first time to learn the states after parts, which identify the nodes of the derivation the
// second time.
type following struct {
	p, first *Program // first: the program of the first pass
	tree     *derive.Tree
	texts    []int // bytes of text before each node, one more at the end
	at       int   // the index of the next tree node
	stack    []part
	visits   []Visit

	learning bool
	state    State   // of the automaton, while learning
	ends     []State // after first elements and inside wraps, in the order of use
	asked    int
}

// part is a part of an expression, between states, whose derivation begins at the next
// node.
type part struct {
	Part
	states
	of   int   // Rep with i > 0: the number of all elements
	step int   // by depth: levels left
	end  int   // > 0: no part, but the index of the state in ends
	wrap *Wrap // no part, but the end of a wrap that began in state in
}

func (f *following) measureTexts() {
	f.texts = make([]int, len(f.tree.Nodes())+1)
	var b []byte
	for i := range f.tree.Nodes() {
		b = f.tree.Nodes()[i].AppendText(b[:0])
		f.texts[i+1] = f.texts[i] + len(b)
	}
}

func (f *following) run(root states, depth int) error {
	f.at = 0
	f.push(f.p.start, grammar.Any, root, depth)
	for len(f.stack) > 0 {
		k := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		if err := f.part(k); err != nil {
			return err
		}
	}
	return nil
}

func (f *following) push(e *grammar.Expr, w grammar.Want, st states, step int) {
	f.stack = append(f.stack, part{Part: f.first.marks.Whole(e, w), states: st, step: step})
}

func (f *following) visit(v Visit) {
	if !f.learning {
		f.visits = append(f.visits, v)
	}
}

func (f *following) nothing(step int) { f.visit(Visit{Op: Leaf, ID: Empty, Step: step}) }

// node returns the node of a part between states; while learning there is none.
func (f *following) node(k Part, st states) NodeID {
	if f.learning {
		return None
	}
	id := f.first.find(k)
	if f.p.base != nil {
		id, _, _ = f.p.findBetween(splitKey{id, st})
	}
	return id
}

func (f *following) part(k part) error {
	switch {
	case k.end > 0:
		f.ends[k.end-1] = f.state
		return nil
	case k.wrap != nil:
		to, ok := f.p.Automaton.Leave(*k.wrap, k.in, f.state)
		f.state = to
		if !ok {
			return fmt.Errorf("%w: the automaton refuses a part of it", ErrOutside)
		}
		return nil
	case k.Wraps > 0:
		return f.wrapped(k)
	}
	e, leaf := k.Expr, f.first.marks.leaf(k.Expr)
	var node *derive.Node
	if leaf || e.Op != grammar.Seq && !(e.Op == grammar.Rep && k.I > 0) {
		node = &f.tree.Nodes()[f.at]
		f.at++
	}
	switch {
	case leaf:
		return f.leaf(k, node)
	case e.Op == grammar.Seq:
		return f.sequence(k)
	case e.Op == grammar.Choice:
		if err := f.choose(f.node(k.Part, k.states), node.Val, k); err != nil {
			return fmt.Errorf("%w: alternative %d at %v cannot be taken", err, node.Val, e.Pos)
		}
		f.push(e.Children[node.Val], k.Want, k.states, k.step)
		return nil
	case e.Op == grammar.Rep:
		if node != nil {
			k.of = node.Val
		}
		return f.repetition(k)
	case e.Op == grammar.Ref:
		return f.reference(k, node)
	}
	return f.terminal(k, node)
}

// choose visits the union id, at which a value was chosen.
func (f *following) choose(id NodeID, value int, k part) error {
	if f.learning {
		return nil
	}
	child := slices.Index(f.p.Nodes[id].Values, value)
	if child < 0 {
		return ErrOutside
	}
	f.visit(Visit{Op: Union, ID: id, Child: child, Step: k.step})
	return nil
}

func (f *following) terminal(k part, node *derive.Node) error {
	if f.learning {
		return nil
	}
	p, id := f.p, f.node(k.Part, k.states)
	v := Visit{Op: Leaf, ID: id, Step: k.step}
	switch {
	case k.Expr.Op == grammar.Lit && p.ByDepth(), id == Empty:
	case k.Expr.Op == grammar.Lit:
		v.Size = p.Nodes[id].Ways[0].Size
	default:
		gen, c := p.Facts.Mask.Gen(k.Expr), rune(node.Val)
		v.Way = gen.Index(c)
		if v.Way < 0 {
			return fmt.Errorf("%w: character %q is outside the alphabet", ErrOutside, c)
		}
		if p.ByDepth() {
			break
		}
		v.Size = 1
		if p.Unit == grammar.Bytes {
			v.Size = rawbyte.Len(c)
			n := gen.LenByBytes()
			for s := 1; s < v.Size; s++ {
				v.Way -= n[s-1]
			}
		}
	}
	f.visit(v)
	return nil
}

func (f *following) reference(k part, node *derive.Node) error {
	p, e := f.p, k.Expr
	switch {
	case e.Rule.Kind == grammar.Skip && !e.Rule.Inline:
		f.nothing(k.step)
		return nil
	case !p.Facts.Leaf(e):
		n := &Node{}
		if !f.learning {
			n = &p.Nodes[f.node(k.Part, k.states)]
		}
		k.step -= n.Level
		if p.ByDepth() && k.step < 0 {
			return fmt.Errorf("%w: it is higher than the bound", ErrOutside)
		}
		f.visit(Visit{Op: Call, Size: n.Size, Step: k.step})
		f.push(e.Rule.Body, k.Want, k.states, k.step)
		return nil
	}
	begin := f.texts[f.at-1]
	f.at = node.End
	if f.learning {
		return nil
	}
	v := Visit{Op: Leaf, ID: f.node(k.Part, k.states), Step: k.step}
	switch {
	case p.ByDepth():
	case p.Unit == grammar.Bytes:
		v.Size = f.texts[node.End] - begin
		if !slices.Contains(p.Nodes[v.ID].Ways, Ways{v.Size, 1}) {
			return fmt.Errorf("%w: a token %s has %d bytes", ErrOutside, e.Rule.Name, v.Size)
		}
	default:
		v.Size = 1
	}
	f.visit(v)
	return nil
}

func (f *following) sequence(k part) error {
	switch last := len(k.Expr.Children) - 1; {
	case k.I > last:
		f.nothing(k.step)
		return nil
	case k.I == last:
		if f.p.resizes(k.Expr) {
			f.visit(Visit{Op: Call, ID: f.node(k.Part, k.states), Step: k.step})
		}
		f.push(k.Expr.Children[k.I], k.Want, k.states, k.step)
		return nil
	}
	return f.join(k, f.node(k.Part, k.states))
}

func (f *following) repetition(k part) error {
	e := k.Expr
	id := f.node(k.Part, k.states)
	if k.I < e.Min {
		return f.join(k, id)
	}
	if k.I == e.Max {
		f.nothing(k.step)
		return nil
	}
	goOn := min(k.of-k.I, 1)
	if err := f.choose(id, goOn, k); err != nil {
		return fmt.Errorf("%w: the repetition at %v has %d elements", err, e.Pos, k.of)
	}
	if goOn == 0 {
		f.nothing(k.step)
		return nil
	}
	if !f.learning {
		id = f.p.Nodes[id].Children[f.visits[len(f.visits)-1].Child]
	}
	return f.join(k, id)
}

// join visits an element followed by the rest of its parent, whose node is id.
func (f *following) join(k part, id NodeID) error {
	e, element := f.first.element(k.Part)
	empty := f.empty(e)
	pairs := f.first.pairs(k.Part, e, element)
	at := slices.IndexFunc(pairs, func(c pair) bool {
		return c.first == grammar.Any || (c.first == grammar.OnlyEmpty) == empty
	})
	if at < 0 {
		return fmt.Errorf("%w: the part at %v has no text or some where it must not", ErrOutside, e.Pos)
	}
	x, rest := f.first.marks.Whole(e, pairs[at].first), k
	rest.Part = k.next(pairs[at].rest)
	first := states{}
	switch {
	case f.learning:
		f.stack = append(f.stack, rest, f.note())
		f.stack = append(f.stack, part{Part: x})
		return nil
	case f.p.base != nil:
		first, rest.states = f.p.halve(f.first.find(x), rest.Part, k.states, f.noted())
	}
	v := Visit{Op: Prod, A: f.node(x, first), B: f.node(rest.Part, rest.states), Step: k.step}
	if _, err := f.locate(id, k.step, func(child NodeID) bool { return f.p.isProduct(child, v.A, v.B) }); err != nil {
		return fmt.Errorf("%w (at %v)", err, k.Expr.Pos)
	}
	f.visit(v)
	f.stack = append(f.stack, rest, part{Part: x, states: first, step: k.step})
	return nil
}

// note returns the task of noting the next state, and reserves its place.
func (f *following) note() part {
	f.ends = append(f.ends, 0)
	return part{end: len(f.ends)}
}

func (f *following) noted() State {
	f.asked++
	return f.ends[f.asked-1]
}

// locate returns the node for which is holds: a child of the silent union id, which it visits, or
// id itself.
func (f *following) locate(id NodeID, step int, is func(NodeID) bool) (NodeID, error) {
	n := &f.p.Nodes[id]
	if n.Op == Union && n.Values == nil {
		if i := slices.IndexFunc(n.Children, is); i >= 0 {
			f.visit(Visit{Op: Union, ID: id, Child: i, Step: step})
			return n.Children[i], nil
		}
	}
	if is(id) {
		return id, nil
	}
	return None, fmt.Errorf("%w: a part of it cannot be derived there", ErrOutside)
}

// isProduct reports whether product made the node of x and y.
func (p *Program) isProduct(id, x, y NodeID) bool {
	n := &p.Nodes[id]
	switch {
	case x == None || y == None:
		return false
	case x == Empty:
		return id == y
	case y == Empty:
		return id == x
	}
	return n.Op == Prod && n.Children[0] == x && n.Children[1] == y
}

// wrapped continues inside the outermost wrap of a part.
func (f *following) wrapped(k part) error {
	w := f.p.Automaton.At(k.Expr).Wraps[k.Wraps-1]
	inner := k
	inner.Wraps--
	if f.learning {
		f.stack = append(f.stack, part{wrap: &w, states: states{in: f.state}}, f.note(), inner)
		f.state = f.p.Automaton.Enter(w, f.state)
		return nil
	}
	bit, end := uint64(1)<<w.Component, f.noted()
	free := states{f.p.Automaton.Enter(w, k.in), k.out, k.exact &^ bit}
	bound := free
	bound.out, bound.exact = f.p.Automaton.Space().Merge(k.out, end, bit), k.exact|bit
	for _, st := range []states{bound, free} {
		inner.states = st
		id := f.node(inner.Part, st)
		if _, err := f.locate(f.node(k.Part, k.states), k.step, func(child NodeID) bool { return f.p.isAround(child, w, id) }); err == nil {
			f.stack = append(f.stack, inner)
			return nil
		}
	}
	return fmt.Errorf("%w: the state at %v", ErrOutside, k.Expr.Pos)
}

// isAround reports whether splitting made the node of inner and the effects of a
// wrap around it.
func (p *Program) isAround(id NodeID, w Wrap, inner NodeID) bool {
	begin, end := p.effectOf(w.Begin, w), p.effectOf(w.End, w)
	switch n := &p.Nodes[id]; {
	case begin == Empty:
	case id == begin:
		id = Empty
	case n.Op != Prod || n.Children[0] != begin:
		return false
	default:
		id = n.Children[1]
	}
	return p.isProduct(id, inner, end)
}

// effectOf returns the leaf of an effect, Empty where there is no effect, [None] where
// the leaf is not made yet.
func (p *Program) effectOf(x Effect, w Wrap) NodeID {
	if x == NoEffect {
		return Empty
	}
	return p.leaves[effectKey{x, w.Component}]
}

// leaf visits a leaf of the automaton.
func (f *following) leaf(k part, node *derive.Node) error {
	outside := fmt.Errorf("%w: %q cannot stand at %v", ErrOutside, node.Text, k.Expr.Pos)
	if f.learning {
		a := f.p.Automaton.At(k.Expr)
		if !node.Name {
			return fmt.Errorf("%w: the tree was made without the automaton", ErrOutside)
		}
		for _, edge := range f.p.Automaton.Edges(a, f.state) {
			if node.Val >= edge.First && node.Val < edge.First+edge.Ways {
				f.state = edge.To
				return nil
			}
		}
		return outside
	}
	id, err := f.locate(f.node(k.Part, k.states), k.step, func(id NodeID) bool {
		n := &f.p.Nodes[id]
		first := max(n.First, 0)
		return n.Effect == OwnLeaf && node.Val >= first && node.Val < first+n.Ways[0].N
	})
	if err != nil {
		return outside
	}
	n := &f.p.Nodes[id]
	f.visit(Visit{Op: Leaf, ID: id, Size: n.Ways[0].Size, Way: node.Val - max(n.First, 0), Step: k.step})
	return nil
}

// empty reports whether e, whose derivation begins at the next node, has no text.
func (f *following) empty(e *grammar.Expr) bool { return f.texts[f.end(e, f.at)] == f.texts[f.at] }

// end returns the index after the nodes of e, which begin at the given one.
func (f *following) end(e *grammar.Expr, at int) int {
	if e.Op != grammar.Seq || f.first.marks.leaf(e) {
		return f.tree.Nodes()[at].End
	}
	for _, k := range e.Children {
		at = f.end(k, at)
	}
	return at
}
