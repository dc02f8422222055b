package core

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// ErrOutside says that a tree is not among the derivations that a table counts.
var ErrOutside = errors.New("the derivation is not within the bound")

// Rank returns the depth of the table or the size of a derivation of the start, and
// the derivation's number among those of this step, the inverse of [Table.Unrank]. The
// size may be beyond the table; then the number says nothing. Where tokens are leaves
// their texts do not count. The error wraps [ErrOutside] when the tree is not one of
// those counted. It costs time linear in the tree times the length of the numbers, by
// size also in the sizes of elements.
func (t *Table) Rank(tree *derive.Tree) (step int, rank *big.Int, err error) {
	r := &ranking{t: t, p: t.program, tree: tree}
	r.measureTexts()
	if r.p.Names != nil {
		if err := r.findMidStates(); err != nil {
			return 0, nil, err
		}
	}
	if err := r.follow(); err != nil {
		return 0, nil, err
	}
	size, rank := r.fold()
	if r.p.byDepth {
		size = t.max
	}
	return size, rank, nil
}

// ranking follows a tree and the expressions that made it, writes down which
// numbers of the table matter at each step, and adds them up from the leaves.
type ranking struct {
	t     *Table
	p     *Program
	tree  *derive.Tree
	texts []int // bytes of text before each node, one more at the end
	at    int   // the next tree node
	stack []part
	trace []visit

	mids []scope.State // the states after children and inside wraps, in the order in which follow asks
}

// part is a partKey whose derivation begins at the next node.
type part struct {
	partKey
	of   int // Rep with i > 0: elements in all
	step int // by depth: levels left
}

// visit is one step of the way, in pre-order.
type visit struct {
	op    Op
	id    NodeID // Union: the node; Leaf: the node
	child int    // Union: which child was taken
	size  int    // Leaf, Call: units that it adds to the size
	way   int    // Leaf: which of its ways
	step  int    // by depth: levels left
	a, b  NodeID // Prod: the two parts
}

func (r *ranking) measureTexts() {
	r.texts = make([]int, len(r.tree.Nodes)+1)
	var b []byte
	for i := range r.tree.Nodes {
		b = r.tree.Nodes[i].AppendText(b[:0])
		r.texts[i+1] = r.texts[i] + len(b)
	}
}

func (r *ranking) follow() error {
	root := r.p.Grammar.Root
	r.stack = append(r.stack, part{partKey: partKey{expr: root, wraps: r.p.wraps(root)}, step: r.t.max})
	for len(r.stack) > 0 {
		k := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		if err := r.part(k); err != nil {
			return err
		}
	}
	return nil
}

func (r *ranking) part(k part) error {
	e := k.expr
	if k.wraps > 0 {
		return r.unwrap(k)
	}
	var node *derive.Node
	if name := r.p.kind(e) != scope.None; name || e.Op != grammar.Seq && !(e.Op == grammar.Rep && k.i > 0) {
		node = &r.tree.Nodes[r.at]
		r.at++
		if name {
			return r.name(k, node)
		}
	}
	switch e.Op {
	case grammar.Seq:
		return r.sequence(k)
	case grammar.Choice:
		id := r.p.find(k.partKey)
		i := slices.Index(r.p.Nodes[id].Values, node.Val)
		if i < 0 {
			return fmt.Errorf("%w: alternative %d at %v cannot be taken", ErrOutside, node.Val, e.Pos)
		}
		r.trace = append(r.trace, visit{op: Union, id: id, child: i, step: k.step})
		r.push(e.Children[node.Val], k.want, k.states, k.step)
	case grammar.Rep:
		if node != nil {
			k.of = node.Val
		}
		return r.repetition(k)
	case grammar.Ref:
		return r.reference(k, node)
	default:
		return r.terminal(k, node)
	}
	return nil
}

func (r *ranking) push(e *grammar.Expr, w want, st states, step int) {
	r.stack = append(r.stack, part{partKey: partKey{e, 0, r.p.wraps(e), w, st}, step: step})
}

func (r *ranking) terminal(k part, node *derive.Node) error {
	id := r.p.find(k.partKey)
	v := visit{op: Leaf, id: id, step: k.step}
	switch {
	case k.expr.Op == grammar.Lit && r.p.byDepth, id == Empty:
	case k.expr.Op == grammar.Lit:
		v.size = r.p.Nodes[id].Ways[0].Size
	default:
		gen := r.p.Facts.Mask.Gen(k.expr)
		c := rune(node.Val)
		if v.way = gen.Index(c); v.way < 0 {
			return fmt.Errorf("%w: character %q is outside the alphabet", ErrOutside, c)
		}
		if r.p.byDepth {
			break
		}
		v.size = 1
		if r.p.Unit == grammar.Bytes {
			v.size = len(string(c))
			n := gen.LenByBytes()
			for s := 1; s < v.size; s++ {
				v.way -= n[s-1]
			}
		}
	}
	r.trace = append(r.trace, v)
	return nil
}

func (r *ranking) reference(k part, node *derive.Node) error {
	e := k.expr
	if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
		r.trace = append(r.trace, visit{op: Leaf, id: Empty, step: k.step})
		return nil
	}
	if !r.p.Facts.Leaf(e) {
		n := &r.p.Nodes[r.p.find(k.partKey)]
		if k.step -= n.Level; r.p.byDepth && k.step < 0 {
			return fmt.Errorf("%w: it is higher than %d", ErrOutside, r.t.max)
		}
		r.trace = append(r.trace, visit{op: Call, size: n.Size, step: k.step})
		r.push(e.Rule.Body, k.want, k.states, k.step)
		return nil
	}
	v := visit{op: Leaf, id: r.p.find(k.partKey), step: k.step}
	if !r.p.byDepth {
		v.size = 1
	}
	if r.p.Unit == grammar.Bytes && !r.p.byDepth {
		v.size = r.texts[node.End] - r.texts[r.at-1]
		if !slices.Contains(r.p.Nodes[v.id].Ways, Ways{v.size, 1}) {
			return fmt.Errorf("%w: a token %s has %d bytes", ErrOutside, e.Rule.Name, v.size)
		}
	}
	r.at = node.End
	r.trace = append(r.trace, v)
	return nil
}

func (r *ranking) sequence(k part) error {
	if k.i == len(k.expr.Children) {
		r.trace = append(r.trace, visit{op: Leaf, id: Empty, step: k.step})
		return nil
	}
	child := k.expr.Children[k.i]
	if k.i == len(k.expr.Children)-1 {
		r.push(child, k.want, k.states, k.step)
		return nil
	}
	return r.join(k, child, grammar.Any, r.p.find(k.partKey))
}

func (r *ranking) repetition(k part) error {
	e := k.expr
	childWant := grammar.Any
	id := r.p.find(k.partKey)
	if k.i >= e.Min {
		if k.i == e.Max {
			r.trace = append(r.trace, visit{op: Leaf, id: Empty, step: k.step})
			return nil
		}
		goOn := 0
		if k.i < k.of {
			goOn = 1
		}
		child := slices.Index(r.p.Nodes[id].Values, goOn)
		if child < 0 {
			return fmt.Errorf("%w: the repetition at %v has %d elements", ErrOutside, e.Pos, k.of)
		}
		r.trace = append(r.trace, visit{op: Union, id: id, child: child, step: k.step})
		if goOn == 0 {
			r.trace = append(r.trace, visit{op: Leaf, id: Empty, step: k.step})
			return nil
		}
		id = r.p.Nodes[id].Children[child]
		childWant = r.p.Facts.ElementWant(e)
	}
	if childWant == grammar.NonEmpty && r.empty(e.Children[0]) {
		return fmt.Errorf("%w: the repetition at %v has an element without text", ErrOutside, e.Pos)
	}
	return r.join(k, e.Children[0], childWant, id)
}

// join writes down a child followed by the rest of its parent, whose node is id,
// in the same cases as lowering.join.
func (r *ranking) join(k part, child *grammar.Expr, childWant grammar.Want, id NodeID) error {
	a, b := k.want, k.want
	full := anyText
	if childWant == grammar.NonEmpty {
		full = nonEmpty
	}
	switch {
	case k.want == anyText, k.want == nonEmpty && (full == nonEmpty || !r.p.Facts.Nullable(child)):
		a, b = full, anyText
	case k.want == nonEmpty && !r.empty(child):
		a, b = nonEmpty, anyText
	case k.want == nonEmpty:
		a, b = emptyOnly, nonEmpty
	}
	rest := k
	rest.i++
	rest.want = b
	var st split
	if r.p.Names != nil {
		st = r.p.split(child, rest.partKey, r.nextMid())
	}
	rest.states = st.rest
	v := visit{op: Prod, step: k.step}
	v.a, v.b = r.p.find(partKey{child, 0, r.p.wraps(child), a, st.child}), r.p.find(rest.partKey)
	if err := r.locate(id, v.a, v.b, k.step); err != nil {
		return fmt.Errorf("%w (at %v)", err, k.expr.Pos)
	}
	r.trace = append(r.trace, v)
	r.stack = append(r.stack, rest)
	r.push(child, a, st.child, k.step)
	return nil
}

// locate writes down which child of the silent union id is the product of x and y,
// unless id is that product itself.
func (r *ranking) locate(id, x, y NodeID, step int) error {
	n := &r.p.Nodes[id]
	for i, child := range n.Children {
		if n.Op == Union && r.p.isProduct(child, x, y) {
			r.trace = append(r.trace, visit{op: Union, id: id, child: i, step: step})
			return nil
		}
	}
	if r.p.isProduct(id, x, y) {
		return nil
	}
	return fmt.Errorf("%w: a part of it cannot be derived there", ErrOutside)
}

// isProduct reports whether lowering.product made the node of x and y.
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

// empty reports whether e, whose derivation begins at the next node, has no text.
func (r *ranking) empty(e *grammar.Expr) bool { return r.texts[r.end(e, r.at)] == r.texts[r.at] }

// end returns the index after the nodes of e, which begin at the given one.
func (r *ranking) end(e *grammar.Expr, at int) int {
	if e.Op != grammar.Seq {
		return r.tree.Nodes[at].End
	}
	for _, k := range e.Children {
		at = r.end(k, at)
	}
	return at
}

// fold computes size and rank from the leaves up: later visits of the trace are below
// or behind earlier ones.
func (r *ranking) fold() (size int, rank *big.Int) {
	type value struct {
		size int
		rank *big.Int
	}
	var done []value
	for i := len(r.trace) - 1; i >= 0; i-- {
		v := &r.trace[i]
		if v.op == Leaf {
			done = append(done, value{v.size, big.NewInt(int64(v.way))})
			continue
		}
		top := &done[len(done)-1]
		switch v.op {
		case Call:
			top.size += v.size
		case Union:
			for _, k := range r.p.Nodes[v.id].Children[:v.child] {
				top.rank.Add(top.rank, r.t.Count(k, r.stepOf(v, top.size)))
			}
		case Prod:
			a, b := *top, done[len(done)-2]
			done = done[:len(done)-1]
			done[len(done)-1] = value{a.size + b.size, r.joined(v, a.size, b.size, a.rank, b.rank)}
		}
	}
	return done[0].size, done[0].rank
}

// stepOf returns the step of the table that a visit looks at.
func (r *ranking) stepOf(v *visit, size int) int {
	if r.p.byDepth {
		return v.step
	}
	return size
}

// joined returns the rank of a product of two derivations.
func (r *ranking) joined(v *visit, m, n int, x, y *big.Int) *big.Int {
	t := r.t
	if r.p.byDepth {
		return x.Mul(x, t.Count(v.b, v.step)).Add(x, y)
	}
	var part big.Int
	x.Mul(x, t.Count(v.b, n)).Add(x, y)
	for k := range m {
		x.Add(x, part.Mul(t.Count(v.a, k), t.Count(v.b, m+n-k)))
	}
	return x
}
