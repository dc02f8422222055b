package core

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Part is a part of an expression: of a sequence or repetition from part I on; of an expression
// with actions, with its first Wraps wraps.
type Part struct {
	Expr     *grammar.Expr
	I, Wraps int
	Want     grammar.Want
}

// lowering is the first pass. It settles repetitions, inline rules, layout and emptiness, and
// inserts the automaton's leaves and wraps.
type lowering struct {
	p        *Program
	todo     []pending
	elements int // of the counted repetitions so far
}

// pending is a node whose children are still to be made. A worklist replaces recursion, since a
// hostile grammar can nest rules arbitrarily deep.
type pending struct {
	id  NodeID
	key Part
}

// nodeBytes is the approximate memory of a node of the first pass.
const nodeBytes = 400

// maxElements bounds the elements of all counted repetitions, each of which has nodes of its own.
const maxElements = 1 << 18

// ElementsError says that counted repetitions have too many elements.
type ElementsError struct {
	Pos   grammar.Pos // of the repetition that exceeds the limit
	Limit int
}

func (e *ElementsError) Error() string {
	return fmt.Sprintf("%v: counted repetitions have more than %d elements: too many to count with; lower this one's numbers, or take a walk", e.Pos, e.Limit)
}

// Unwrap returns [ErrMemory].
func (e *ElementsError) Unwrap() error { return ErrMemory }

// lower returns the node for a part and makes all missing nodes for it. Errors: [MemoryError],
// [ElementsError].
func (p *Program) lower(k Part) (NodeID, error) {
	l := &lowering{p: p}
	id := l.part(k)
	for len(l.todo) > 0 {
		if err := p.Budget.Ask("the parts of the grammar", nodeBytes*float64(len(p.Nodes))); err != nil {
			return None, err
		}
		t := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		if e := t.key.Expr; e.Op == grammar.Rep && t.key.I == 0 && t.key.Wraps == 0 {
			n := max(e.Min, e.Max)
			if err := p.Budget.Ask("the parts of the grammar", nodeBytes*float64(n)); err != nil {
				return None, err
			}
			l.elements += n
			if l.elements > maxElements {
				return None, &ElementsError{e.Pos, maxElements}
			}
		}
		p.Nodes[t.id] = l.node(t.key)
	}
	return id, nil
}

// part returns the node for a part; a new one is made later.
func (l *lowering) part(k Part) NodeID {
	id, key, known := l.p.resolve(k)
	if !known {
		id = l.p.add(Node{Expr: key.Expr})
		l.p.setKey(id, key)
		l.p.memo[key] = id
		l.todo = append(l.todo, pending{id, key})
	}
	return id
}

// add adds a node without a part of its own.
func (p *Program) add(n Node) NodeID {
	p.Nodes = append(p.Nodes, n)
	if p.keys != nil {
		p.keys = append(p.keys, Part{})
	}
	return NodeID(len(p.Nodes) - 1)
}

func (p *Program) setKey(id NodeID, k Part) {
	if p.keys != nil {
		p.keys[id] = k
	}
}

// resolve finds the node for a part, or the key under which it will be made.
func (p *Program) resolve(k Part) (id NodeID, key Part, known bool) {
	for {
		e := k.Expr
		bare := k.Wraps == 0 && !p.marks.leaf(e)
		switch {
		case k.I == 0 && !p.Facts.Derives(e, k.Want):
			return None, key, true
		case bare && e.IsEmpty():
			return Empty, key, true // Derives says that the text is not wanted
		case e.Op == grammar.Rep:
			k.I = p.clamp(e, k.I)
		}
		over := bare && (e.Op == grammar.Seq && k.I == len(e.Children) || e.Op == grammar.Rep && k.I == e.Max)
		switch {
		case over && k.Want == grammar.NonEmpty:
			return None, key, true
		case over:
			return Empty, key, true
		case bare && e.Op == grammar.Seq && k.I == len(e.Children)-1 && !p.resizes(e):
			k = p.marks.Whole(e.Children[k.I], k.Want)
			continue
		}
		id, known = p.memo[k]
		return id, k, known
	}
}

// find returns the node for a part; None if there is none.
func (p *Program) find(k Part) NodeID {
	id, _, _ := p.resolve(k)
	return id
}

// clamp folds the positions of an unbounded repetition with the same derivations.
func (p *Program) clamp(e *grammar.Expr, i int) int {
	switch {
	case e.Max >= 0:
		return i
	case p.repeat > 0:
		return min(i, max(e.Min, p.repeat))
	}
	return min(i, e.Min)
}

// node makes the node for a part.
func (l *lowering) node(k Part) Node {
	e := k.Expr
	switch {
	case k.Wraps > 0:
		k.Wraps--
		return Node{Op: wrapped, Expr: e, Children: []NodeID{l.part(k)}}
	case k.I == 0 && l.p.marks.leaf(e) && k.Want == grammar.OnlyEmpty:
		return Node{Op: Union, Expr: e}
	case k.I == 0 && l.p.marks.leaf(e):
		return Node{Op: Leaf, Expr: e, Effect: OwnLeaf}
	}
	switch e.Op {
	case grammar.Lit, grammar.Class:
		return Node{Op: Leaf, Expr: e, Ways: l.p.ways(e)}
	case grammar.Choice:
		n := Node{Op: Union, Expr: e}
		for i, child := range e.Children {
			if !l.p.Facts.Mask.On(e, i) {
				continue
			}
			if id := l.part(l.p.marks.Whole(child, k.Want)); id != None {
				n.Children, n.Values = append(n.Children, id), append(n.Values, i)
			}
		}
		return n
	case grammar.Rep:
		return l.repetition(k)
	case grammar.Ref:
		return l.reference(k)
	}
	if l.p.resizes(e) {
		return l.resized(k)
	}
	return l.join(k)
}

// resizes reports whether e adds bytes by its size, and bytes are counted.
func (p *Program) resizes(e *grammar.Expr) bool {
	return e.Resize != nil && p.Unit == grammar.Bytes && !p.ByDepth()
}

// resized makes the node of a part that adds bytes by its size: silent cases if several sizes map
// to the same one.
func (l *lowering) resized(k Part) Node {
	body := l.part(l.p.marks.Whole(k.Expr.Children[0], k.Want))
	n := Node{Op: Union, Expr: k.Expr}
	for residue := range k.Expr.Resize.Residues() {
		call := Node{Op: Call, Expr: k.Expr, Children: []NodeID{body}, Resize: Resize{k.Expr.Resize, residue}}
		if k.Expr.Resize.Residues() == 1 {
			return call
		}
		n.Children = append(n.Children, l.p.add(call))
	}
	return n
}

// pair has the demands for emptiness of the first part of a sequence and of its rest.
type pair struct{ first, rest grammar.Want }

// pairs is the case analysis of a sequence: it divides a part k, with demand element for its
// first element e, into exclusive cases by which of its two parts is empty.
func (p *Program) pairs(k Part, e *grammar.Expr, element grammar.Want) []pair {
	switch {
	case k.Want == grammar.Any:
		return []pair{{element, grammar.Any}}
	case k.Want == grammar.OnlyEmpty && element == grammar.NonEmpty:
		return nil
	case k.Want == grammar.OnlyEmpty:
		return []pair{{grammar.OnlyEmpty, grammar.OnlyEmpty}}
	case element == grammar.NonEmpty || !p.Facts.Nullable(e):
		return []pair{{element, grammar.Any}}
	}
	return []pair{{grammar.NonEmpty, grammar.Any}, {grammar.OnlyEmpty, grammar.NonEmpty}}
}

// element returns the first element of a sequence or repetition part k, and its demand for
// emptiness.
func (p *Program) element(k Part) (*grammar.Expr, grammar.Want) {
	switch {
	case k.Expr.Op == grammar.Seq:
		return k.Expr.Children[k.I], grammar.Any
	case k.I < k.Expr.Min:
		return k.Expr.Children[0], grammar.Any
	}
	return k.Expr.Children[0], p.Facts.ElementWant(k.Expr)
}

// next returns the rest after the first element of part k.
func (k Part) next(w grammar.Want) Part { return Part{k.Expr, k.I + 1, 0, w} }

// join makes the node of a part that begins with an element.
func (l *lowering) join(k Part) Node {
	e, element := l.p.element(k)
	n := Node{Op: Union, Expr: k.Expr}
	for _, c := range l.p.pairs(k, e, element) {
		x := l.part(l.p.marks.Whole(e, c.first))
		if x == None {
			continue
		}
		rest := k.next(c.rest)
		y := l.part(rest)
		touch, _ := l.p.marks.Of(rest)
		id := y
		switch {
		case y == None:
			continue
		case x == Empty:
		case y == Empty && touch == 0:
			id = x
		default: // also if the rest is empty, since states are divided before it
			id = l.p.add(Node{Op: Prod, Expr: k.Expr, Children: []NodeID{x, y}})
			l.p.setKey(id, rest)
		}
		n.Children = append(n.Children, id)
	}
	return n
}

// product returns a node for x and then y.
func (p *Program) product(e *grammar.Expr, x, y NodeID) NodeID {
	switch {
	case x == None || y == None:
		return None
	case x == Empty:
		return y
	case y == Empty:
		return x
	}
	return p.add(Node{Op: Prod, Expr: e, Children: []NodeID{x, y}})
}

// repetition makes the node of a repetition when k.I elements are complete.
func (l *lowering) repetition(k Part) Node {
	e := k.Expr
	if k.I < e.Min {
		return l.join(k)
	}
	n := Node{Op: Union, Expr: e}
	if k.Want != grammar.NonEmpty {
		n.Children, n.Values = append(n.Children, Empty), append(n.Values, 0)
	}
	if l.p.repeat > 0 && e.Max < 0 && k.I >= max(e.Min, l.p.repeat) {
		return n
	}
	more := l.join(k)
	if len(more.Children) > 0 {
		id := more.Children[0]
		if len(more.Children) > 1 {
			id = l.p.add(more)
		}
		n.Children, n.Values = append(n.Children, id), append(n.Values, 1)
	}
	return n
}

// reference makes the node of a reference: a leaf for a token, otherwise a call.
func (l *lowering) reference(k Part) Node {
	p, e := l.p, k.Expr
	if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
		return Node{Op: Union, Expr: e, Children: []NodeID{Empty}}
	}
	if p.Facts.Leaf(e) {
		n := Node{Op: Leaf, Expr: e, Want: k.Want, Ways: []Ways{{1, 1}}}
		if p.ByDepth() {
			n.Ways[0].Size = 0
		}
		p.tokens[e.Rule] = nil
		return n
	}
	n := Node{Op: Call, Expr: e, Children: []NodeID{l.part(p.marks.Whole(e.Rule.Body, k.Want))}, Level: p.Facts.Level(e)}
	if p.Unit == grammar.Nodes && !e.Rule.Inline && !p.ByDepth() {
		n.Size = 1
	}
	return n
}
