package parse

import (
	"context"
	"slices"
)

// The generalised parser keeps all stacks at once in a graph (Tomita), with Rekers' shared
// forest. It works on productions with at most two nonterminals, which keeps it cubic, except
// where precedences settle conflicts. No
// production is empty, so every edge of the graph reaches back to an earlier place. So a new
// edge to an existing node can only be the first of a path, and no path is missed.

// gnode is a state of some stack at a place.
type gnode struct {
	state int32
	place int32
	edges int32 // the first of its edges, -1 for none
	count int32 // of its edges
}

// gedge leads to the state below on a stack. Its label is a packed node or ^place.
type gedge struct {
	to    int32
	label int32
	next  int32
}

// glr is the state of one run.
type glr struct {
	t     *table
	in    *input
	f     *packed
	nodes []gnode
	edges []gedge

	level  int32   // the first node of this place
	byTop  []int32 // by state: its node at this place, valid if that node is at this place
	todo   []reduction
	sppf   epochMap // by nonterminal and beginning: the packed node that ends here
	tails  epochMap // by packed node with more than one way: the last way
	seen   epochMap // the ways of those nodes: by node, production, and split
	linked epochMap // the edges of nodes that have many, by their ends
	splits epochMap // the numbers of splits of three or more nonterminals: by that of the others, and the last
	labels []int32  // children of the path under way, from the right
	accept int32    // the packed node of the start, or -1
}

// fewEdges is the maximum number of edges of a node that are searched linearly.
const fewEdges = 8

type reduction struct{ node, edge, prod int32 }

func newGLR(t *table, in *input, f *packed) *glr {
	return &glr{t: t, in: in, f: f, byTop: make([]int32, len(t.kernels)), accept: -1}
}

func (p *Parser) generalised(ctx context.Context, t *table, in *input, f *packed) (int32, *stuck, error) {
	g := newGLR(t, in, f)
	g.node(0, 0)
	for place := int32(0); ; {
		if place&0xf == 0 {
			if err := p.check(ctx, g.memory()); err != nil {
				return 0, nil, err
			}
		}
		sym, after := in.at(place)
		nodes, edges := len(g.nodes), len(g.edges)
		if err := g.reduceAll(ctx, p, place, sym); err != nil {
			return 0, nil, err
		}
		if sym == symEnd && g.accept >= 0 {
			return g.accept, nil, nil
		}
		level := g.level
		if sym == symEnd || !g.shift(place, after, sym) {
			g.level, g.nodes, g.edges = level, g.nodes[:nodes], g.edges[:edges]
			return 0, &stuck{place, g.tops()}, nil
		}
		place = after
	}
}

func (g *glr) memory() int64 {
	return g.in.memory() + g.f.memory() + taken(g.nodes) + taken(g.edges) +
		g.sppf.memory() + g.tails.memory() + g.seen.memory() + g.splits.memory() + g.linked.memory()
}

// node returns the node of a state at this place, creating it if necessary.
func (g *glr) node(state, place int32) (id int32, fresh bool) {
	if id := g.byTop[state]; id >= g.level && int(id) < len(g.nodes) && g.nodes[id].state == state {
		return id, false
	}
	id = int32(len(g.nodes))
	g.nodes = append(g.nodes, gnode{state, place, -1, 0})
	g.byTop[state] = id
	return id, true
}

func (g *glr) edge(from, to, label int32) int32 {
	id := int32(len(g.edges))
	g.edges = append(g.edges, gedge{to, label, g.nodes[from].edges})
	n := &g.nodes[from]
	n.edges = id
	n.count++
	if n.count == fewEdges {
		for e := id; e >= 0; e = g.edges[e].next {
			g.linked.put(key2(from, g.edges[e].to), 0)
		}
	} else if n.count > fewEdges {
		g.linked.put(key2(from, to), 0)
	}
	return id
}

// has reports whether an edge leads from the node id to the node below.
func (g *glr) has(id, below int32) bool {
	n := &g.nodes[id]
	if n.count >= fewEdges {
		_, ok := g.linked.get(key2(id, below))
		return ok
	}
	for e := n.edges; e >= 0; e = g.edges[e].next {
		if g.edges[e].to == below {
			return true
		}
	}
	return false
}

// reduceAll performs all reductions that the symbol sym allows at place.
func (g *glr) reduceAll(ctx context.Context, p *Parser, place, sym int32) error {
	g.sppf.clear()
	g.tails.clear()
	g.seen.clear()
	g.splits.clear()
	g.linked.clear()
	for id := int(g.level); id < len(g.nodes); id++ {
		for e := g.nodes[id].edges; e >= 0; e = g.edges[e].next {
			g.plan(int32(id), e, sym)
		}
	}
	for steps := 1; len(g.todo) > 0; steps++ {
		if steps&0xfff == 0 {
			if err := p.check(ctx, g.memory()); err != nil {
				return err
			}
		}
		r := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		rhs := g.t.prods[r.prod].rhs
		g.labels = g.labels[:0]
		g.path(r.prod, r.edge, len(rhs)-1, place, sym)
	}
	return nil
}

// plan records the reductions of a node by paths that begin with the edge e.
func (g *glr) plan(id, e, sym int32) {
	var buf [1]int32
	for _, act := range g.t.list(g.nodes[id].state, sym, &buf) {
		if act < 0 {
			g.todo = append(g.todo, reduction{id, e, ^act})
		}
	}
}

// path follows the edge e and then left more edges, in all ways, and reduces at the end of
// each path. Its recursion is as deep as a production is long.
func (g *glr) path(prod, e int32, left int, place, sym int32) {
	g.labels = append(g.labels, g.edges[e].label)
	to := g.edges[e].to
	if left == 0 {
		g.reduce(prod, to, place, sym)
	} else {
		for e := g.nodes[to].edges; e >= 0; e = g.edges[e].next {
			g.path(prod, e, left-1, place, sym)
		}
	}
	g.labels = g.labels[:len(g.labels)-1]
}

// reduce reduces prod on the node below its children, which are in labels.
func (g *glr) reduce(prod, below, place, sym int32) {
	lhs := g.t.prods[prod].lhs
	from := g.nodes[below].place
	label, known := g.pack(prod, lhs, from)
	if lhs == 0 {
		g.accept = label
		return
	}
	id, fresh := g.node(g.t.next(g.nodes[below].state, lhs), place)
	if known && !fresh && g.has(id, below) {
		return
	}
	g.plan(id, g.edge(id, below, label), sym)
}

// pack adds to the forest a way to derive lhs from the place from; known reports whether its
// node existed before.
func (g *glr) pack(prod, lhs, from int32) (id int32, known bool) {
	at := key2(lhs, from)
	children := g.f.children
	for i := len(g.labels) - 1; i >= 0; i-- {
		g.f.children = append(g.f.children, g.labels[i])
	}
	way := g.f.children[len(children):]
	id, known = g.sppf.get(at)
	if !known {
		id = int32(len(g.f.nodes))
		g.f.nodes = append(g.f.nodes, node{prod, uint32(len(children)), -1})
		g.sppf.put(at, id)
		return id, false
	}
	tail, several := g.tails.get(key2(id, 0))
	if !several {
		tail = id
		first := &g.f.nodes[id]
		n := len(g.t.prods[first.prod].rhs)
		g.seen.put(key3(id, first.prod, g.split(g.f.children[first.children:int(first.children)+n])), 0)
		g.tails.put(key2(id, 0), tail)
	}
	fam := key3(id, prod, g.split(way))
	if _, ok := g.seen.get(fam); ok {
		g.f.children = children
		return id, true
	}
	g.seen.put(fam, 0)
	last := int32(len(g.f.nodes))
	g.f.nodes = append(g.f.nodes, node{prod, uint32(len(children)), -1})
	g.f.nodes[tail].next = last
	g.tails.put(key2(id, 0), last)
	g.f.ambiguous = true
	return id, true
}

// split returns a number for where the children of a way begin and end: equal only for equal
// children of one production. The first nonterminal settles that of two.
func (g *glr) split(children []int32) int32 {
	out, last := int32(-1), int32(-1)
	for _, k := range children {
		if k < 0 {
			continue
		}
		if out < 0 {
			out = k
			continue
		}
		if last >= 0 {
			at := key2(out, last)
			n, ok := g.splits.get(at)
			if !ok {
				n = int32(g.splits.n)
				g.splits.put(at, n)
			}
			out = n
		}
		last = k
	}
	return out
}

// shift reads the symbol on all stacks that can shift it.
func (g *glr) shift(place, after, sym int32) bool {
	from, end := g.level, int32(len(g.nodes))
	g.level = end
	var buf [1]int32
	for id := from; id < end; id++ {
		for _, act := range g.t.list(g.nodes[id].state, sym, &buf) {
			if act > 0 {
				to, _ := g.node(act, after)
				g.edge(to, id, ^place)
			}
		}
	}
	return int(g.level) < len(g.nodes)
}

// tops returns one stack for each node of this place, at most maxTops, for messages.
func (g *glr) tops() []top {
	var out []top
	for id := int(g.level); id < len(g.nodes) && len(out) < maxTops; id++ {
		var t top
		for at := int32(id); ; {
			n := &g.nodes[at]
			t.states = append(t.states, n.state)
			if n.edges < 0 {
				t.places = append(t.places, 0)
				break
			}
			at = g.edges[n.edges].to
			t.places = append(t.places, g.nodes[at].place)
		}
		slices.Reverse(t.states)
		slices.Reverse(t.places)
		out = append(out, t)
	}
	return out
}
