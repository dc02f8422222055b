package sample

import (
	"math"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/rawbyte"
)

// walkProgram is a grammar compiled for walks that make a text, choices and sizes but no tree.
// It makes the decisions of a [derive.Machine], in the same order. References and sequences of
// literals are inlined. The only account of the size is the slack: the part of the bound that
// the least completion of the derivation would leave.
type walkProgram struct {
	nodes []walkNode
	root  walkEdge
	least int // the size of the least sentence

	maxSize, maxDepth int // 0: no bound
	maxNodes          int
	weighted          bool

	// strays: a walk may end outside a bound of terminals, or is not sure to end well below
	// maxNodes.
	strays bool
}

// walkNode is an expression in a context, see walkKey. It has 128 bytes, since a walk goes from
// node to node, and those of a large grammar do not fit in a processor's caches.
type walkNode struct {
	op       walkOp
	nonEmpty bool       // Seq, Rep: the text must not be empty
	edges    []walkEdge // Seq, Choice: the children, two for each of a Seq that must not be empty; Rep: the elements up to the least number, further ones, and one that must not be empty

	min, max, last int // Rep: bounds of the number of elements; max < 0: none
	total          int // Choice: of weights

	text        string // Text: with its marks; Class: the mark after it
	bytes, deep int32  // Text: without marks; the levels of rules in it

	ascii   string // Class: the characters, if all are ASCII
	members int32  // Class: how many
	least   int32  // Class: the size included in the slack; < 0: sizes do not count

	allDepth, allSize int32 // Choice: least remaining depth and slack with which every alternative can finish

	*walkRare
}

// walkRare is the part of a node that most steps do not read.
type walkRare struct {
	pos     grammar.Pos // for errors
	gen     grammar.Set // Class: the characters
	values  []int       // Class, Choice: by value drawn: the choice; nil: the value itself
	weights []int       // Choice: of its edges, for walks by weights
	later   []int       // Seq that must not be empty: by child, the least depth of a later one with text
}

type walkOp uint8

const (
	walkOpen walkOp = iota // being compiled
	walkText               // a fixed text
	walkClass
	walkSeq
	walkChoice
	walkRep
)

// walkEdge leads to a part of an expression, through references.
type walkEdge struct {
	to    int32
	level int32 // of the rules that the references open
	nodes int   // of a tree that begin there; for a text all of them

	depth int32 // the least, in rules
	size  int32 // of the alternative or element in excess of the size included in the slack
	cost  int32 // the same for a part that may be empty: taken from the slack
}

// walkKey is an expression with its context: whether its text must not be empty, and whether
// it is in a token, or in one that counts as one leaf.
type walkKey struct {
	e        *grammar.Expr
	nonEmpty bool
	token    bool
	leaf     bool
}

// walkCompiler makes a program.
type walkCompiler struct {
	p       *walkProgram
	o       derive.Options
	f       *grammar.Facts
	known   map[walkKey]walkEdge
	refused bool // the machine would behave differently
}

// maxWalkText bounds precomputed texts, and hugeSize sizes that can be added.
const (
	maxWalkText = 1 << 12
	hugeSize    = 1 << 28
	uncounted   = -math.MaxInt32 // a size that always fits

	fewElements = 16      // of a repetition, below which it has no part in walks that are too large
	manyNodes   = 1 << 20 // a walk by size has fewer
)

// newWalkProgram compiles the walks of a machine with options o; it returns nil if they need
// the machine.
func newWalkProgram(g *grammar.Grammar, o derive.Options, weighted bool) *walkProgram {
	p := &walkProgram{maxSize: o.MaxSize, maxDepth: o.MaxDepth, maxNodes: o.MaxNodes, weighted: weighted}
	p.strays = o.MaxSize == 0 || o.Unit != grammar.Terminals || o.MaxNodes < manyNodes
	c := &walkCompiler{p: p, o: o, f: o.Facts, known: map[walkKey]walkEdge{}}
	p.least = o.Facts.Size(g.Root, o.Unit, grammar.Any)
	if p.root = c.edge(walkKey{e: g.Root}); g.Binary || c.refused || p.least >= hugeSize || p.root.depth == grammar.Never {
		return nil
	}
	return p
}

// size returns the least size of an expression, capped.
func (c *walkCompiler) size(k walkKey) int {
	if k.leaf {
		return 0
	}
	return min(c.f.Size(k.e, c.o.Unit, want(k.nonEmpty)), hugeSize)
}

func want(nonEmpty bool) grammar.Want {
	if nonEmpty {
		return grammar.NonEmpty
	}
	return grammar.Any
}

// edge returns the edge to an expression.
func (c *walkCompiler) edge(k walkKey) walkEdge {
	w := want(k.nonEmpty)
	if k.nonEmpty = k.nonEmpty && c.f.Nullable(k.e); !c.f.Derives(k.e, w) {
		return walkEdge{depth: grammar.Never} // unreachable
	}
	if at, ok := c.known[k]; ok {
		return at
	}
	if k.e.Op == grammar.Ref {
		return c.ref(k)
	}
	at := walkEdge{to: int32(len(c.p.nodes)), depth: int32(c.f.Depth(k.e, w))}
	if k.e.Op != grammar.Seq {
		at.nodes = 1
	}
	c.p.nodes = append(c.p.nodes, walkNode{})
	c.known[k] = at
	n := c.node(k)
	if n.op == walkText {
		at.nodes = n.min // of the whole text
	}
	c.p.nodes[at.to] = n
	c.known[k] = at
	return at
}

// ref returns the edge to the body of a rule. A token's mark follows its body.
func (c *walkCompiler) ref(k walkKey) walkEdge {
	r := k.e.Rule
	if r.Kind == grammar.Skip && !r.Inline {
		return c.add(walkNode{op: walkText}, 1)
	}
	in := k
	in.e, in.token, in.leaf = r.Body, k.token || r.Kind == grammar.Token, k.leaf || c.f.Leaf(k.e) && c.o.Unit != grammar.Bytes
	c.p.strays = c.p.strays || in.leaf && (r.Recursive || !k.leaf && c.f.Nullable(r.Body)) // no bound, or a size without text
	own := 0
	if !k.leaf && (in.leaf || c.o.Unit == grammar.Nodes && !r.Inline) {
		own = 1
	}
	if one := (walkKey{e: k.e, leaf: k.leaf}); c.size(one) != own+c.size(walkKey{e: r.Body, leaf: in.leaf}) {
		c.refused = true
	}
	at := c.edge(in)
	if r.Kind == grammar.Token && !k.token {
		at = c.marked(in, at, k)
	}
	at.level += int32(c.f.Level(k.e))
	at.depth = int32(c.f.Depth(k.e, want(k.nonEmpty)))
	at.nodes++
	return at
}

// mark returns the mark after a terminal, or in its place.
func (c *walkCompiler) mark(k walkKey) (mark string, alone bool) {
	if c.o.Mark == nil || k.token {
		return "", false
	}
	return c.o.Mark(k.e)
}

// marked returns the edge to the body of a token, followed by the mark of a reference to it.
func (c *walkCompiler) marked(body walkKey, at walkEdge, ref walkKey) walkEdge {
	mark, _ := c.mark(ref)
	if mark == "" || at.depth == grammar.Never {
		return at
	}
	body.token = false // of none else
	if known, ok := c.known[body]; ok {
		return known
	}
	var to walkEdge
	switch n := c.p.nodes[at.to]; n.op {
	case walkText, walkClass:
		n.text += mark
		to = c.add(n, at.nodes)
		to.level = at.level
	default:
		to = c.add(walkNode{op: walkSeq, edges: []walkEdge{at, c.add(walkNode{op: walkText, text: mark}, 0)}}, 0)
	}
	c.known[body] = to
	return to
}

// add adds a node that is not that of a single expression.
func (c *walkCompiler) add(n walkNode, nodes int) walkEdge {
	c.p.nodes = append(c.p.nodes, n)
	return walkEdge{to: int32(len(c.p.nodes) - 1), nodes: nodes}
}

// node compiles an expression. The min of a text is its number of nodes in a tree.
func (c *walkCompiler) node(k walkKey) walkNode {
	switch e := k.e; e.Op {
	case grammar.Lit:
		mark, alone := c.mark(k)
		text := e.Text + mark
		if alone {
			text = mark
		}
		c.refused = c.refused || len(e.Text) > hugeSize
		return walkNode{op: walkText, text: text, bytes: int32(len(e.Text)), min: 1}
	case grammar.Class:
		return c.class(k)
	case grammar.Choice:
		return c.choice(k)
	case grammar.Rep:
		return c.repetition(k)
	case grammar.Seq:
		return c.sequence(k)
	}
	c.refused = true
	return walkNode{}
}

func (c *walkCompiler) class(k walkKey) walkNode {
	n := walkNode{op: walkClass, least: -1, walkRare: &walkRare{gen: c.f.Mask.Gen(k.e)}}
	n.members = int32(n.gen.Len())
	if n.gen.Len() != k.e.Gen.Len() {
		for i := range n.gen.Len() {
			n.values = append(n.values, k.e.Gen.Index(n.gen.At(i)))
		}
	}
	if n.gen.Len() > 0 && n.gen.At(n.gen.Len()-1) < 0x80 {
		var b []byte
		for i := range n.gen.Len() {
			b = rawbyte.Append(b, n.gen.At(i))
		}
		n.ascii = string(b)
	}
	if c.o.Unit == grammar.Bytes && !k.leaf {
		n.least = int32(c.size(k))
	}
	n.text, _ = c.mark(k)
	return n
}

// costs sets the sizes of an edge to an expression for which the slack includes base.
func (c *walkCompiler) costs(at *walkEdge, k walkKey, base int) {
	if at.size = uncounted; k.leaf {
		return
	}
	at.size = int32(c.size(k) - base)
	k.nonEmpty = false
	at.cost = int32(c.size(k) - base)
}

func (c *walkCompiler) choice(k walkKey) walkNode {
	e, n := k.e, walkNode{op: walkChoice, allSize: uncounted, walkRare: &walkRare{pos: k.e.Pos}}
	base := c.size(walkKey{e: e, leaf: k.leaf})
	for i, child := range e.Children {
		in := k
		in.e = child
		if !c.f.Mask.On(e, i) || !c.f.Derives(child, want(k.nonEmpty)) {
			continue
		}
		at := c.edge(in)
		in.nonEmpty = k.nonEmpty
		c.costs(&at, in, base)
		n.allDepth, n.allSize = max(n.allDepth, at.depth), max(n.allSize, at.size)
		n.edges, n.values = append(n.edges, at), append(n.values, i)
		if c.p.weighted && e.Weights != nil {
			n.weights = append(n.weights, e.Weights[i])
			n.total += e.Weights[i]
		}
	}
	if len(n.edges) == len(e.Children) {
		n.values = nil
	}
	return n
}

func (c *walkCompiler) repetition(k walkKey) walkNode {
	e, n := k.e, walkNode{op: walkRep, nonEmpty: k.nonEmpty, min: k.e.Min, max: k.e.Max, last: k.e.Max, walkRare: &walkRare{pos: k.e.Pos}}
	c.p.strays = c.p.strays || e.Min > fewElements
	if n.last < 0 {
		if n.last = grammar.Never; c.o.Repeat > 0 {
			n.last = max(e.Min, c.o.Repeat)
		}
	}
	in := walkKey{e: e.Children[0], token: k.token, leaf: k.leaf}
	if least := c.size(in); int64(c.size(walkKey{e: e, leaf: k.leaf})) != int64(e.Min)*int64(least) {
		c.refused = true
	}
	element := func(nonEmpty bool) walkEdge {
		in.nonEmpty = nonEmpty
		at := c.edge(in)
		c.costs(&at, in, 0)
		return at
	}
	first := element(false)
	if one := &c.p.nodes[first.to]; e.Min == e.Max && first.depth != grammar.Never && one.op == walkText && max(len(one.text), int(one.bytes)) <= maxWalkText/max(e.Min, 1) {
		return walkNode{op: walkText, text: strings.Repeat(one.text, e.Min), bytes: int32(e.Min * int(one.bytes)), deep: deepest(first, one), min: 1 + e.Min*first.nodes}
	} else if c.o.Mark == nil && e.Min == e.Max && e.Children[0].Op == grammar.Lit {
		c.refused = true // a machine writes it at once, or says at once that it is too large
	}
	n.edges = []walkEdge{first, element(c.f.ElementWant(e) == grammar.NonEmpty), element(true)}
	return n
}

// deepest returns the levels of rules in a text at the end of an edge.
func deepest(at walkEdge, n *walkNode) int32 { return at.level + n.deep }

func (c *walkCompiler) sequence(k walkKey) walkNode {
	n := walkNode{op: walkSeq, nonEmpty: k.nonEmpty, walkRare: &walkRare{}}
	total, forced := 0, 0
	for i, child := range k.e.Children {
		in := walkKey{e: child, token: k.token, leaf: k.leaf}
		total += c.size(in)
		at := c.edge(in)
		if !k.nonEmpty {
			c.join(&n, at)
			continue
		}
		if in.nonEmpty = true; c.f.CanBeNonEmpty(child) {
			forced = c.size(in) // if all before it are empty
		}
		n.edges = append(n.edges, at, c.edge(in))
		later := grammar.Never
		for _, b := range k.e.Children[i+1:] {
			later = min(later, c.f.Depth(b, grammar.NonEmpty))
		}
		n.later = append(n.later, later)
	}
	c.p.strays = c.p.strays || k.nonEmpty && forced != c.size(k)
	if total != c.size(walkKey{e: k.e, leaf: k.leaf}) {
		c.refused = true
	}
	switch one := len(n.edges) == 1; {
	case len(n.edges) == 0:
		return walkNode{op: walkText}
	case one && c.p.nodes[n.edges[0].to].op == walkText:
		t := c.p.nodes[n.edges[0].to]
		t.deep, t.min = deepest(n.edges[0], &t), n.edges[0].nodes
		return t
	}
	return n
}

// join appends a part to a sequence and merges adjacent texts.
func (c *walkCompiler) join(n *walkNode, at walkEdge) {
	t := &c.p.nodes[at.to]
	if last := len(n.edges) - 1; last >= 0 && t.op == walkText {
		if before := c.p.nodes[n.edges[last].to]; before.op == walkText && len(before.text)+len(t.text) <= maxWalkText {
			before.deep = max(deepest(n.edges[last], &before), deepest(at, t))
			before.text += t.text
			before.bytes += t.bytes
			n.edges[last] = c.add(before, n.edges[last].nodes+at.nodes)
			return
		}
	}
	n.edges = append(n.edges, at)
}
