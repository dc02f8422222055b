package core

import "github.com/gramfuzz/gramfuzz/grammar"

// partKey is a part of an expression: of a sequence or repetition from part i on, of one
// that the automaton acts at with so many of its wraps.
type partKey struct {
	expr     *grammar.Expr
	i, wraps int
	want     grammar.Want
}

// lowering is the first pass. It settles repetitions, inline rules, layout and
// emptiness, and puts the automaton's leaves and wraps where they stand.
type lowering struct {
	p    *Program
	todo []pending
}

// pending is a node whose children are still to be made; a worklist instead of
// recursion, since a hostile grammar can nest rules as deep as it likes.
type pending struct {
	id  NodeID
	key partKey
}

// whole returns the partKey of all of e.
func (p *Program) whole(e *grammar.Expr, w grammar.Want) partKey {
	return partKey{e, 0, p.marks.Wraps(e), w}
}

// lower returns the node for a part and makes what is missing for it.
func (p *Program) lower(k partKey) NodeID {
	l := &lowering{p: p}
	id := l.part(k)
	for len(l.todo) > 0 {
		t := l.todo[len(l.todo)-1]
		l.todo = l.todo[:len(l.todo)-1]
		p.Nodes[t.id] = l.node(t.key)
	}
	return id
}

// part returns the node for a part, which is made later where it is new.
func (l *lowering) part(k partKey) NodeID {
	id, key, known := l.p.resolve(k)
	if !known {
		id = l.p.add(Node{Expr: key.expr})
		l.p.setKey(id, key)
		l.p.memo[key] = id
		l.todo = append(l.todo, pending{id, key})
	}
	return id
}

// add adds a node of no partKey.
func (p *Program) add(n Node) NodeID {
	p.Nodes = append(p.Nodes, n)
	if p.keys != nil {
		p.keys = append(p.keys, partKey{})
	}
	return NodeID(len(p.Nodes) - 1)
}

func (p *Program) setKey(id NodeID, k partKey) {
	if p.keys != nil {
		p.keys[id] = k
	}
}

// resolve finds the node for a part, or the key under which it is to be made.
func (p *Program) resolve(k partKey) (id NodeID, key partKey, known bool) {
	for {
		e := k.expr
		bare := k.wraps == 0 && !p.marks.leaf(e)
		switch {
		case k.i == 0 && !p.Facts.Derives(e, k.want):
			return None, key, true
		case bare && e.IsEmpty():
			return Empty, key, true // Derives says that the text is not wanted
		case e.Op == grammar.Rep:
			k.i = p.clamp(e, k.i)
		}
		over := bare && (e.Op == grammar.Seq && k.i == len(e.Children) || e.Op == grammar.Rep && k.i == e.Max)
		switch {
		case over && k.want == grammar.NonEmpty:
			return None, key, true
		case over:
			return Empty, key, true
		case bare && e.Op == grammar.Seq && k.i == len(e.Children)-1:
			k = p.whole(e.Children[k.i], k.want)
			continue
		}
		id, known = p.memo[k]
		return id, k, known
	}
}

// find returns the node for a part; None where there is none.
func (p *Program) find(k partKey) NodeID {
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
func (l *lowering) node(k partKey) Node {
	e := k.expr
	switch {
	case k.wraps > 0:
		k.wraps--
		n := Node{Op: wrapped, Expr: e}
		if id := l.part(k); id != None {
			n.Children = []NodeID{id}
		}
		return n
	case k.i == 0 && l.p.marks.leaf(e) && k.want == grammar.OnlyEmpty:
		return Node{Op: Union, Expr: e}
	case k.i == 0 && l.p.marks.leaf(e):
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
			if id := l.part(l.p.whole(child, k.want)); id != None {
				n.Children, n.Values = append(n.Children, id), append(n.Values, i)
			}
		}
		return n
	case grammar.Rep:
		return l.repetition(k)
	case grammar.Ref:
		return l.reference(k)
	}
	return l.join(k)
}

// pair is how the first part of a sequence and its rest may be empty.
type pair struct{ first, rest grammar.Want }

// pairs is the case analysis of a sequence: how a part k, whose first element e has to
// be as asked for, divides into exclusive cases by which of its two parts is empty.
func (p *Program) pairs(k partKey, e *grammar.Expr, element grammar.Want) []pair {
	switch {
	case k.want == grammar.Any:
		return []pair{{element, grammar.Any}}
	case k.want == grammar.OnlyEmpty && element == grammar.NonEmpty:
		return nil
	case k.want == grammar.OnlyEmpty:
		return []pair{{grammar.OnlyEmpty, grammar.OnlyEmpty}}
	case element == grammar.NonEmpty || !p.Facts.Nullable(e):
		return []pair{{element, grammar.Any}}
	}
	return []pair{{grammar.NonEmpty, grammar.Any}, {grammar.OnlyEmpty, grammar.NonEmpty}}
}

// element returns the element of a sequence or repetition that part k begins with,
// and how it has to be.
func (p *Program) element(k partKey) (*grammar.Expr, grammar.Want) {
	switch {
	case k.expr.Op == grammar.Seq:
		return k.expr.Children[k.i], grammar.Any
	case k.i < k.expr.Min:
		return k.expr.Children[0], grammar.Any
	}
	return k.expr.Children[0], p.Facts.ElementWant(k.expr)
}

// next returns the rest behind the first element of part k.
func (k partKey) next(w grammar.Want) partKey { return partKey{k.expr, k.i + 1, 0, w} }

// join makes the node of a part that begins with an element.
func (l *lowering) join(k partKey) Node {
	e, element := l.p.element(k)
	n := Node{Op: Union, Expr: k.expr}
	for _, c := range l.p.pairs(k, e, element) {
		x := l.part(l.p.whole(e, c.first))
		if x == None {
			continue
		}
		rest := k.next(c.rest)
		y := l.part(rest)
		touch, _ := l.p.marks.Of(rest.expr, rest.i, 0)
		id := y
		switch {
		case y == None:
			continue
		case x == Empty:
		case y == Empty && touch == 0:
			id = x
		default: // also where the rest is empty but states are divided before it
			id = l.p.add(Node{Op: Prod, Expr: k.expr, Children: []NodeID{x, y}})
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

// repetition makes the node of a repetition when k.i elements are complete.
func (l *lowering) repetition(k partKey) Node {
	e := k.expr
	if k.i < e.Min {
		return l.join(k)
	}
	n := Node{Op: Union, Expr: e}
	if k.want != grammar.NonEmpty {
		n.Children, n.Values = append(n.Children, Empty), append(n.Values, 0)
	}
	if l.p.repeat > 0 && e.Max < 0 && k.i >= max(e.Min, l.p.repeat) {
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

// reference makes the node of a reference: a leaf for a token, else a call.
func (l *lowering) reference(k partKey) Node {
	p, e := l.p, k.expr
	if e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
		return Node{Op: Union, Expr: e, Children: []NodeID{Empty}}
	}
	if p.Facts.Leaf(e) {
		n := Node{Op: Leaf, Expr: e, Want: k.want, Ways: []Ways{{1, 1}}}
		if p.byDepth {
			n.Ways[0].Size = 0
		}
		p.tokens[e.Rule] = nil
		return n
	}
	n := Node{Op: Call, Expr: e, Children: []NodeID{l.part(p.whole(e.Rule.Body, k.want))}, Level: p.Facts.Level(e)}
	if p.Unit == grammar.Nodes && !e.Rule.Inline && !p.byDepth {
		n.Size = 1
	}
	return n
}
