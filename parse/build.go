package parse

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// building makes a tree of a forest, or its choice sequence alone, by the steps
// of the productions. It keeps its own stack: trees may be deep.
type building struct {
	ctx   context.Context
	p     *Parser
	stack []frame

	nodes   []derive.Node
	choices []int
	open    []int // nodes that have not ended
	short   bool  // choices alone, insides of tokens left out
	err     error

	gaps    []gap
	pending string // the layout before the next leaf
	end     int    // of the last token, in bytes

	inner *Forest // room for the inside of the token under way
}

// gap is layout before a node.
type gap struct {
	node int
	text string
}

// frame is a production whose steps are being made.
type frame struct {
	f     *Forest
	p     *production
	kids  []int32
	step  int
	index []*big.Int // by step: which derivation of the kid; nil: the first everywhere

	sel   *Selection // where only trees within a bound are wanted
	picks []int32    // by step: the cell of the kid
}

// enter begins the derivation number index (nil: the first) of a node.
func (b *building) enter(f *Forest, id int32, index *big.Int) {
	if index != nil && index.Sign() != 0 {
		index = new(big.Int).Set(index)
		for {
			c := f.ways(id)
			if index.Cmp(c) < 0 {
				break
			}
			index.Sub(index, c)
			id = f.nodes[id].next
		}
	}
	n := &f.nodes[id]
	p := &f.p.t.prods[n.prod]
	b.push(f, p, f.kidsOf(id), index)
}

// enterEmpty begins the derivation number index of an empty nonterminal.
func (b *building) enterEmpty(f *Forest, id int32, index *big.Int) {
	prods := f.p.t.empties[id]
	if index == nil || index.Sign() == 0 {
		b.push(f, &f.p.t.prods[prods[0]], nil, nil)
		return
	}
	index = new(big.Int).Set(index)
	for _, p := range prods {
		c := f.product(&f.p.t.prods[p], nil)
		if index.Cmp(c) < 0 {
			b.push(f, &f.p.t.prods[p], nil, index)
			return
		}
		index.Sub(index, c)
	}
}

// push splits index among the kids, the leftmost counting most.
func (b *building) push(f *Forest, p *production, kids []int32, index *big.Int) {
	fr := frame{f: f, p: p, kids: kids}
	if index != nil && index.Sign() != 0 {
		fr.index = make([]*big.Int, len(p.steps))
		left := new(big.Int).Set(index)
		for i := len(p.steps) - 1; i >= 0; i-- {
			if c := f.stepCount(&p.steps[i], kids); c != one {
				fr.index[i] = new(big.Int)
				left.DivMod(left, c, fr.index[i])
			}
		}
	}
	b.stack = append(b.stack, fr)
}

// run makes steps until there are at least so many choices, or all is done.
func (b *building) run(choices int) {
	for n := 0; len(b.stack) > 0 && len(b.choices) < choices && b.err == nil; n++ {
		fr := &b.stack[len(b.stack)-1]
		if fr.step == len(fr.p.steps) {
			b.stack = b.stack[:len(b.stack)-1]
			continue
		}
		s := &fr.p.steps[fr.step]
		var index *big.Int
		if fr.index != nil {
			index = fr.index[fr.step]
		}
		fr.step++
		b.step(*fr, s, index)
		if n&0xffff == 0xffff {
			b.check()
		}
	}
}

// check stops the building of a tree that is too large, or no longer wanted.
func (b *building) check() {
	const nodeSize, gapSize = 72, 24
	memory := int64(cap(b.nodes))*nodeSize + int64(cap(b.choices))*8 + int64(cap(b.gaps))*gapSize
	b.err = b.p.check(b.ctx, memory)
}

func (b *building) step(fr frame, s *step, index *big.Int) {
	f := fr.f
	switch s.op {
	case opOpen:
		b.begin(s.expr, int(s.arg))
		if s.expr.Op == grammar.Choice {
			b.choices = append(b.choices, int(s.arg))
		}
	case opClose:
		b.close()
	case opElem:
		b.element()
	case opKid:
		if fr.sel != nil {
			b.enterCell(fr.sel, &fr.sel.cells[fr.kids[s.arg]][fr.picks[fr.step-1]])
			return
		}
		b.enter(f, fr.kids[s.arg], index)
	case opEmpty:
		if fr.sel != nil {
			b.enterCell(fr.sel, &fr.sel.empties[s.arg][fr.picks[fr.step-1]])
			return
		}
		b.enterEmpty(f, s.arg, index)
	case opLit:
		if s.expr.Text != "" {
			b.place(f, ^fr.kids[s.arg])
		}
		b.leaf(s.expr, 0)
	case opClass:
		at := b.place(f, ^fr.kids[s.arg])
		r, _ := utf8.DecodeRuneInString(f.text[at:])
		b.choices = append(b.choices, derive.MemberIndex(s.expr, r))
		b.leaf(s.expr, int(r))
		b.nodes[len(b.nodes)-1].From--
	case opToken:
		place := ^fr.kids[s.arg]
		if fr.sel != nil && fr.sel.inner[place] != nil {
			b.place(f, place)
			b.begin(s.expr, 0)
			b.stack = append(b.stack, frame{p: closing})
			sub := fr.sel.inner[place]
			b.enterCell(sub, &sub.rootCells()[fr.picks[fr.step-1]])
			return
		}
		b.token(f, s.expr, place, index)
	}
}

// place notes the layout before a terminal and returns the terminal's offset.
func (b *building) place(f *Forest, place int32) int {
	if !f.lexed {
		return int(place)
	}
	t := f.tokens[place]
	b.pending = f.text[b.end:t.start]
	b.end = int(t.end)
	return int(t.start)
}

func (b *building) begin(e *grammar.Expr, val int) {
	b.open = append(b.open, len(b.nodes))
	b.nodes = append(room(b.nodes), derive.Node{Expr: e, Val: val, From: len(b.choices)})
}

func (b *building) leaf(e *grammar.Expr, val int) {
	n := len(b.choices)
	if b.pending != "" {
		b.gaps = append(b.gaps, gap{len(b.nodes), b.pending})
		b.pending = ""
	}
	b.nodes = append(room(b.nodes), derive.Node{Expr: e, Val: val, End: len(b.nodes) + 1, From: n, To: n})
}

// element begins an element of the innermost repetition. Where that is not
// part of what is made, every element counts as one beyond the least number:
// that changes no comparison.
func (b *building) element() {
	if len(b.open) == 0 {
		b.choices = append(b.choices, 1)
		return
	}
	n := &b.nodes[b.open[len(b.open)-1]]
	if n.Val >= n.Expr.Min {
		b.choices = append(b.choices, 1)
	}
	n.Val++
}

func (b *building) close() {
	n := &b.nodes[b.open[len(b.open)-1]]
	b.open = b.open[:len(b.open)-1]
	if n.Expr.Op == grammar.Rep && n.Val != n.Expr.Max {
		b.choices = append(b.choices, 0)
	}
	n.End, n.To = len(b.nodes), len(b.choices)
}

// token begins the node of a token and the derivation of its inside.
func (b *building) token(f *Forest, e *grammar.Expr, place int32, index *big.Int) {
	if b.short {
		return
	}
	b.place(f, place)
	in, err := f.inside(b.ctx, e.Rule, place, b.inner)
	if err != nil {
		b.err = err
		return
	}
	b.inner = in
	b.begin(e, 0)
	b.stack = append(b.stack, frame{p: closing})
	b.enter(in, in.root, index)
}

// closing ends the node of a token after its inside.
var closing = &production{steps: []step{{op: opClose}}}

// tree makes the derivation number index of the forest.
func (f *Forest) tree(ctx context.Context, index *big.Int) (*derive.Tree, error) {
	b := &building{ctx: ctx, p: f.p}
	if f.root < 0 {
		b.enterEmpty(f, f.p.t.rootEmpty, index)
	} else {
		b.enter(f, f.root, index)
	}
	return b.finish(f)
}

// finish makes what is left and returns the tree.
func (b *building) finish(f *Forest) (*derive.Tree, error) {
	b.run(unlimited)
	if b.err != nil {
		return nil, b.err
	}
	if last := f.text[b.end:]; f.lexed && last != "" {
		b.gaps = append(b.gaps, gap{len(b.nodes), last})
	}
	var gaps []string
	if len(b.gaps) > 0 {
		gaps = make([]string, len(b.nodes)+1)
		for _, g := range b.gaps {
			gaps[g.node] = g.text
		}
	}
	return derive.NewTree(f.p.g, b.nodes, b.choices, gaps), nil
}

// room makes room for one more by doubling: the runtime's smaller steps copy
// large slices again and again.
func room[T any](s []T) []T {
	if len(s) == cap(s) {
		return slices.Grow(s, max(16, len(s)))
	}
	return s
}

const unlimited = 1<<31 - 1

// inside parses the inside of a token.
func (f *Forest) inside(ctx context.Context, rule *grammar.Rule, place int32, room *Forest) (*Forest, error) {
	if in := f.insides[place]; in != nil {
		return in, nil
	}
	p, err := f.p.token(ctx, rule)
	if err != nil {
		return nil, err
	}
	if room == nil || f.p.o.Measure == grammar.Exact {
		room = &Forest{}
	}
	t := f.tokens[place]
	room.reset()
	room.p, room.text, room.counts, room.counted, room.ordered = p, f.text[t.start:t.end], nil, false, false
	in := &input{alpha: p.t.alpha, text: room.text, bytes: p.t.bytes}
	root, st, err := p.run(ctx, in, &room.packed)
	if st != nil {
		return nil, fmt.Errorf("a token %s has the text %q, which its rule does not derive", rule.Name, clip(room.text))
	}
	if err != nil {
		return nil, err
	}
	room.root = root
	if err := room.settle(ctx, true); err != nil {
		return nil, err
	}
	if f.p.o.Measure == grammar.Exact {
		if f.insides == nil {
			f.insides = map[int32]*Forest{}
		}
		f.insides[place] = room
	}
	return room, nil
}
