package parse

import (
	"context"
	"fmt"
	"math/big"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// treeBuilder makes a tree of a forest, or its choice sequence alone, by the steps
// of the productions. It keeps its own stack: trees may be deep.
type treeBuilder struct {
	ctx   context.Context
	p     *Parser
	text  *Forest // whose text the tree is of
	stack []frame

	rows    []derive.Row
	texts   []string // of the tokens of an outline
	choices []int
	open    []int // nodes that have not ended
	short   bool  // choices alone, insides of tokens left out
	outline bool  // tokens are leaves, and there are no choices
	err     error

	gaps    []derive.RowGap
	pending string // the layout before the next leaf
	end     int    // of the last token, in bytes
	done    int    // the end of the text that is in the tree

	inner      *Forest           // room for the inside of the token under way
	tokenNodes map[tokenText]int // the node of a token that was made before
}

// tokenText is a token by its rule and text.
type tokenText struct {
	rule *grammar.Rule
	text string
}

// Bounds of the tokens that are kept to be copied.
const (
	longToken  = 32 // bytes; longer ones hardly ever come again
	manyTokens = 1 << 16
)

// frame is a production whose steps are being made.
type frame struct {
	f        *Forest
	p        *production
	children []int32
	step     int
	pick     *pick // nil: the first derivation of everything
}

// pick says which derivations of a production's children are wanted.
type pick struct {
	index []*big.Int // by step; nil: the first

	sel   *selection // where only trees within a bound are wanted
	cells []int32    // by step: the cell of the child
}

// enter begins the derivation number index (nil: the first) of a node.
func (b *treeBuilder) enter(f *Forest, id int32, index *big.Int) {
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
	b.push(f, p, f.childrenOf(id), index)
}

// enterEmpty begins the derivation number index of an empty nonterminal.
func (b *treeBuilder) enterEmpty(f *Forest, id int32, index *big.Int) {
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

// push splits index among the children, the leftmost counting most.
func (b *treeBuilder) push(f *Forest, p *production, children []int32, index *big.Int) {
	fr := frame{f: f, p: p, children: children}
	if index != nil && index.Sign() != 0 {
		fr.pick = &pick{index: make([]*big.Int, len(p.steps))}
		left := new(big.Int).Set(index)
		for i := len(p.steps) - 1; i >= 0; i-- {
			if c := f.stepCount(&p.steps[i], children); c != one {
				fr.pick.index[i] = new(big.Int)
				left.DivMod(left, c, fr.pick.index[i])
			}
		}
	}
	b.stack = append(b.stack, fr)
}

// run makes steps until there are at least so many choices, or all is done.
func (b *treeBuilder) run(choices int) {
	for n := 1; len(b.stack) > 0 && len(b.choices) < choices && b.err == nil; n++ {
		b.steps()
		if n&0xffff == 0 && b.err == nil {
			b.err = b.p.check(b.ctx, b.memory())
		}
	}
}

// steps makes the steps of the innermost production until it begins another
// one, or ends.
func (b *treeBuilder) steps() {
	fr := &b.stack[len(b.stack)-1]
	for steps := fr.p.steps; fr.step < len(steps); {
		s := &steps[fr.step]
		fr.step++
		switch s.op {
		case opOpen:
			b.begin(s.expr, int(s.arg))
			if s.expr.Op == grammar.Choice && !b.outline {
				b.choose(int(s.arg))
			}
		case opClose:
			b.close()
		case opElem:
			b.element()
		case opLit:
			if s.expr.Text != "" {
				b.place(fr.f, ^fr.children[s.arg])
			}
			b.leaf(s.expr, 0)
		case opClass:
			at := b.place(fr.f, ^fr.children[s.arg])
			r, size := rune(fr.f.text[at]), 1
			if r >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(fr.f.text[at:])
			}
			if fr.f == b.text && !fr.f.lexed {
				b.done = at + size
			}
			if b.outline {
				b.leaf(s.expr, int(r))
				continue
			}
			b.choose(s.expr.MemberIndex(r))
			b.leaf(s.expr, int(r))
			b.rows[len(b.rows)-1].From--
		default:
			this := *fr
			if fr.step == len(steps) {
				b.stack = b.stack[:len(b.stack)-1]
			}
			b.child(this, s)
			return
		}
	}
	b.stack = b.stack[:len(b.stack)-1]
}

// child begins the child, empty nonterminal or token of a step.
func (b *treeBuilder) child(fr frame, s *step) {
	var index *big.Int
	var sel *selection
	cell := int32(0)
	if fr.pick != nil {
		if fr.pick.index != nil {
			index = fr.pick.index[fr.step-1]
		}
		if sel = fr.pick.sel; sel != nil {
			cell = fr.pick.cells[fr.step-1]
		}
	}
	switch s.op {
	case opChild:
		if sel != nil {
			b.enterCell(sel, &sel.cells[fr.children[s.arg]][cell])
			return
		}
		b.enter(fr.f, fr.children[s.arg], index)
	case opEmpty:
		if sel != nil {
			b.enterCell(sel, &sel.empties[s.arg][cell])
			return
		}
		b.enterEmpty(fr.f, s.arg, index)
	case opToken:
		place := ^fr.children[s.arg]
		if sel != nil && sel.inner[place] != nil {
			b.place(fr.f, place)
			b.begin(s.expr, 0)
			b.stack = append(b.stack, frame{p: closing})
			sub := sel.inner[place]
			b.enterCell(sub, &sub.rootCells()[cell])
			return
		}
		b.token(fr.f, s.expr, place, index)
	}
}

// place notes the layout before a terminal and returns the terminal's offset.
func (b *treeBuilder) place(f *Forest, place int32) int {
	if !f.lexed {
		return int(place)
	}
	t := f.tokens[place]
	b.pending = f.text[b.end:t.start]
	b.end = int(t.end)
	return int(t.start)
}

func (b *treeBuilder) begin(e *grammar.Expr, val int) {
	b.open = append(b.open, len(b.rows))
	b.room(1)
	b.rows = append(b.rows, derive.Row{Expr: int32(e.ID), Val: int32(val), From: int32(len(b.choices))})
}

func (b *treeBuilder) leaf(e *grammar.Expr, val int) {
	b.layOut(len(b.rows))
	b.room(1)
	at := int32(len(b.choices))
	b.rows = append(b.rows, derive.Row{Expr: int32(e.ID), Val: int32(val), End: int32(len(b.rows)) + 1, From: at, To: at})
}

// layOut puts the layout that was read before a node.
func (b *treeBuilder) layOut(node int) {
	if b.pending != "" {
		if len(b.gaps) == cap(b.gaps) {
			b.gaps = grown(b, b.gaps, gapSize)
		}
		b.gaps = append(b.gaps, derive.RowGap{Node: int32(node), Text: b.pending})
		b.pending = ""
	}
}

// element begins an element of the innermost repetition. Where the repetition began
// outside the part being made, every element counts as one beyond the least number;
// that changes no comparison.
func (b *treeBuilder) element() {
	if len(b.open) == 0 {
		b.choose(1)
		return
	}
	n := &b.rows[b.open[len(b.open)-1]]
	if !b.outline && int(n.Val) >= b.p.g.Exprs[n.Expr].Min {
		b.choose(1)
	}
	n.Val++
}

func (b *treeBuilder) close() {
	n := &b.rows[b.open[len(b.open)-1]]
	b.open = b.open[:len(b.open)-1]
	if e := b.p.g.Exprs[n.Expr]; e.Op == grammar.Rep && int(n.Val) != e.Max && !b.outline {
		b.choose(0)
	}
	n.End, n.To = int32(len(b.rows)), int32(len(b.choices))
}

// token makes the node of a token and begins the derivation of its inside.
func (b *treeBuilder) token(f *Forest, e *grammar.Expr, place int32, index *big.Int) {
	if b.short {
		return
	}
	b.done = int(f.tokens[place].end)
	text := f.text[b.place(f, place):b.done]
	if b.outline {
		b.leaf(e, len(b.texts))
		b.texts = append(b.texts, text)
		b.rows[len(b.rows)-1].Expr ^= -1
		return
	}
	w := tokenText{e.Rule, text}
	once := len(text) <= longToken && f.p.o.Measure == grammar.Structure // one derivation is the only one
	if node, ok := b.tokenNodes[w]; ok && once {
		b.copyToken(e, node)
		return
	}
	in, err := f.inside(b.ctx, e.Rule, place, b.inner)
	if err != nil {
		b.err = err
		return
	}
	b.inner = in
	if once && len(b.tokenNodes) < manyTokens {
		if b.tokenNodes == nil {
			b.tokenNodes = map[tokenText]int{}
		}
		b.tokenNodes[w] = len(b.rows)
	}
	b.begin(e, 0)
	b.stack = append(b.stack, frame{p: closing})
	b.enter(in, in.root, index)
}

// copyToken makes a copy of the token at a node.
func (b *treeBuilder) copyToken(e *grammar.Expr, node int) {
	was := b.rows[node]
	if b.pending != "" { // stands before its first leaf
		for i := node; i < int(was.End); i++ {
			if op := b.p.g.Exprs[b.rows[i].Expr].Op; op == grammar.Lit || op == grammar.Class {
				b.layOut(len(b.rows) + i - node)
				break
			}
		}
	}
	at, nodes, choices := len(b.rows), int32(len(b.rows)-node), int32(len(b.choices))-was.From
	b.room(int(was.End) - node)
	b.rows = append(b.rows, b.rows[node:was.End]...)
	for i := at; i < len(b.rows); i++ {
		n := &b.rows[i]
		n.End, n.From, n.To = n.End+nodes, n.From+choices, n.To+choices
	}
	b.rows[at].Expr = int32(e.ID)
	b.chooseAgain(was.From, was.To)
}

// closing ends the node of a token after its inside.
var closing = &production{steps: []step{{op: opClose}}}

// tree makes the derivation number index of the forest.
func (f *Forest) tree(ctx context.Context, index *big.Int) (*derive.Tree, error) {
	return f.build(&treeBuilder{ctx: ctx, p: f.p, text: f}, index)
}

// build makes the derivation number index of the forest by b, which is new.
func (f *Forest) build(b *treeBuilder, index *big.Int) (*derive.Tree, error) {
	if err := b.reserve(); err != nil {
		return nil, err
	}
	if f.root < 0 {
		b.enterEmpty(f, f.p.t.rootEmpty, index)
	} else {
		b.enter(f, f.root, index)
	}
	return b.finish(f)
}

// finish makes the rest and returns the tree.
func (b *treeBuilder) finish(f *Forest) (*derive.Tree, error) {
	b.run(unlimited)
	if b.err != nil {
		return nil, b.err
	}
	if last := f.text[b.end:]; f.lexed && last != "" {
		b.gaps = append(b.gaps, derive.RowGap{Node: int32(len(b.rows)), Text: last})
	}
	return derive.NewPacked(f.p.g, b.rows, b.texts, b.choices, b.gaps), nil
}

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
		if err := room.settle(ctx, false); err != nil {
			return nil, err
		}
	}
	if f.p.o.Measure == grammar.Exact {
		if f.insides == nil {
			f.insides = map[int32]*Forest{}
		}
		f.insides[place] = room
	}
	return room, nil
}
