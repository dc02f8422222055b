package parse

import (
	"context"
	"fmt"
	"math/big"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// treeBuilder builds a tree of a forest, or only its choice sequence, by the steps of the
// productions. It keeps its own stack, because trees may be deep.
type treeBuilder struct {
	ctx   context.Context
	p     *Parser
	text  *Forest // whose text the tree is of
	stack []frame

	rows    []derive.Row
	texts   []string // of the tokens of an outline
	choices []int32
	open    []int // nodes not ended yet
	short   bool  // choices only, without the insides of tokens
	outline bool  // tokens are leaves, and there are no choices
	err     error

	hiddenNodes, hiddenChoices int // those inside tokens, which are built on demand

	gapAt   []int32
	gaps    []string
	pending string // the layout before the next leaf
	end     int    // of the last token, in bytes
	done    int    // the end of the text covered by the tree

	inner *Forest // reused for the inside of the current token
}

// frame is a production whose steps are being executed.
type frame struct {
	f        *Forest
	p        *production
	children []int32
	step     int
	pick     *pick // nil: the first derivation of every child
}

// pick selects derivations of a production's children.
type pick struct {
	index []*big.Int // by step; nil: the first

	sel   *selection // for trees within a bound only
	cells []int32    // by step: the cell of the child
}

// enter begins derivation number index of a node; nil is the first.
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
	p := &f.t.prods[n.prod]
	b.push(f, p, f.childrenOf(id), index)
}

// enterEmpty begins derivation number index of an empty nonterminal; nil is the first.
func (b *treeBuilder) enterEmpty(f *Forest, id int32, index *big.Int) {
	prods := f.t.empties[id]
	if index == nil || index.Sign() == 0 {
		b.push(f, &f.t.prods[prods[0]], nil, nil)
		return
	}
	index = new(big.Int).Set(index)
	for _, p := range prods {
		c := f.product(&f.t.prods[p], nil)
		if index.Cmp(c) < 0 {
			b.push(f, &f.t.prods[p], nil, index)
			return
		}
		index.Sub(index, c)
	}
}

// push splits index among the children; the leftmost is the most significant.
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

// run executes steps until there are as many choices as asked for, or the tree is complete.
func (b *treeBuilder) run(choices int) {
	for n := 1; len(b.stack) > 0 && len(b.choices) < choices && b.err == nil; n++ {
		b.steps()
		if n&0xffff == 0 && b.err == nil {
			b.err = b.p.check(b.ctx, b.memory())
		}
	}
}

// steps executes the steps of the innermost production until it begins another one or ends.
func (b *treeBuilder) steps() {
	fr := &b.stack[len(b.stack)-1]
	b.space(len(fr.p.steps))
	for steps := fr.p.steps; fr.step < len(steps); {
		s := &steps[fr.step]
		fr.step++
		switch s.op {
		case opOpen:
			b.node(s)
		case opClose:
			b.close(s.expr)
		case opElem:
			b.element(s.expr)
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
				b.leaf(s.expr, r)
				continue
			}
			b.char(s.expr, r, int32(s.expr.MemberIndex(r)))
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
		sel = fr.pick.sel
		if sel != nil {
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

// place records the layout before a terminal and returns the terminal's offset.
func (b *treeBuilder) place(f *Forest, place int32) int {
	if !f.lexed {
		return int(place)
	}
	t := f.tokens[place]
	if t.start < t.end { // the layout before a token without text belongs to the next token
		b.pending = f.text[b.end:t.start]
		b.end = int(t.end)
	}
	return int(t.start)
}

// next and choice return the numbers of the next node and choice.
func (b *treeBuilder) next() int32   { return int32(len(b.rows) + b.hiddenNodes) }
func (b *treeBuilder) choice() int32 { return int32(len(b.choices) + b.hiddenChoices) }

// row appends a row; the space has been reserved.
func (b *treeBuilder) row(r derive.Row) {
	n := len(b.rows)
	b.rows = b.rows[:n+1]
	b.rows[n] = r
}

// choose appends a choice; the space has been reserved.
func (b *treeBuilder) choose(value int32) {
	n := len(b.choices)
	b.choices = b.choices[:n+1]
	b.choices[n] = value
}

func (b *treeBuilder) begin(e *grammar.Expr, val int32) {
	b.open = append(b.open, len(b.rows))
	b.row(derive.Row{Expr: int32(e.ID), Val: val, From: b.choice()})
}

// node begins the node of a step.
func (b *treeBuilder) node(s *step) {
	b.begin(s.expr, s.arg)
	if s.expr.Op == grammar.Choice && !b.outline {
		b.choose(s.arg)
	}
}

// char adds the node of a character, with its choice from the class.
func (b *treeBuilder) char(e *grammar.Expr, r rune, choice int32) {
	b.leaf(e, r)
	b.choose(choice)
	b.rows[len(b.rows)-1].To++
}

func (b *treeBuilder) leaf(e *grammar.Expr, val int32) {
	if b.pending != "" {
		b.layOut(b.next())
	}
	at := b.choice()
	b.row(derive.Row{Expr: int32(e.ID), Val: val, End: b.next() + 1, From: at, To: at})
}

// layOut attaches the layout read before a node.
func (b *treeBuilder) layOut(node int32) {
	if len(b.gaps) == cap(b.gaps) {
		b.gapAt, b.gaps = grown(b, b.gapAt, 1, 0), grown(b, b.gaps, 1, gapSize)
	}
	b.gapAt, b.gaps, b.pending = append(b.gapAt, node), append(b.gaps, b.pending), ""
}

// element begins an element of the repetition e, the innermost node. Where that node began
// outside the part being built, every element counts as one beyond the minimum; no comparison
// depends on it.
func (b *treeBuilder) element(e *grammar.Expr) {
	if len(b.open) == 0 {
		b.choose(1)
		return
	}
	n := &b.rows[b.open[len(b.open)-1]]
	if int(n.Val) >= e.Min && !b.outline {
		b.choose(1)
	}
	n.Val++
}

// close ends the innermost node, that of e; nil is a token.
func (b *treeBuilder) close(e *grammar.Expr) {
	n := &b.rows[b.open[len(b.open)-1]]
	b.open = b.open[:len(b.open)-1]
	if e != nil && e.Op == grammar.Rep && int(n.Val) != e.Max && !b.outline {
		b.choose(0)
	}
	n.End, n.To = b.next(), b.choice()
}

// token adds the node of a token and begins the derivation of its inside.
func (b *treeBuilder) token(f *Forest, e *grammar.Expr, place int32, index *big.Int) {
	if b.short {
		return
	}
	b.space(1)
	b.done = int(f.tokens[place].end)
	b.place(f, place)
	if b.outline {
		b.leaf(e, int32(len(b.texts)))
		b.texts = append(b.texts, f.text[f.tokens[place].start:b.done])
		b.rows[len(b.rows)-1].Expr ^= -1
		return
	}
	text := f.tokens[place].text(f.text, e.Rule)
	if t := f.p.direct(e.Rule); t != nil && (t.more == nil || f.p.o.Measure != grammar.Exact) {
		nodes, choices, leaf, ok := t.measure(text)
		if !ok {
			b.err = underivable(e.Rule, text)
		}
		if b.pending != "" && leaf > 0 {
			b.layOut(b.next() + leaf)
		}
		from := b.choice()
		b.hiddenNodes, b.hiddenChoices = b.hiddenNodes+nodes, b.hiddenChoices+choices
		b.row(derive.Row{Expr: int32(e.ID), Val: ^place, End: b.next() + 1, From: from, To: b.choice()})
		return
	}
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

// closing is the production that ends the node of a token after its inside.
var closing = &production{steps: []step{{op: opClose}}}

// tree builds derivation number index of the forest.
func (f *Forest) tree(ctx context.Context, index *big.Int) (*derive.Tree, error) {
	return f.build(&treeBuilder{ctx: ctx, p: f.p, text: f}, index)
}

// build builds derivation number index of the forest with b, which must be new.
func (f *Forest) build(b *treeBuilder, index *big.Int) (*derive.Tree, error) {
	if err := b.reserve(); err != nil {
		return nil, err
	}
	if f.root < 0 {
		b.enterEmpty(f, f.t.rootEmpty, index)
	} else {
		b.enter(f, f.root, index)
	}
	return b.finish(f)
}

// finish executes the remaining steps and returns the tree.
func (b *treeBuilder) finish(f *Forest) (*derive.Tree, error) {
	b.run(unlimited)
	if b.err != nil {
		return nil, b.err
	}
	if last := f.text[b.end:]; f.lexed && last != "" {
		b.gapAt, b.gaps = append(b.gapAt, b.next()), append(b.gaps, last)
	}
	if err := b.p.ask(b.memory()); err != nil {
		return nil, err
	}
	return derive.NewPacked(f.p.g, derive.Packed{Rows: b.rows, Texts: b.texts, Choices: b.choices, GapAt: b.gapAt, Gaps: b.gaps,
		Inside: insides{f.p.shared, f.text, f.tokens}.of}), nil
}

// insides builds the insides of a tree's tokens.
type insides struct {
	*shared
	text   string
	tokens []token
}

func (in insides) of(row derive.Row, node int, nodes []derive.Node, choices []int) {
	at := in.tokens[^row.Val]
	rule := in.g.Exprs[row.Expr].Rule
	t, text := in.direct(rule), at.text(in.text, rule)
	if nodes == nil {
		t.choices(text, choices)
		return
	}
	t.nodes(text, nodes, node, int(row.From))
}

func underivable(rule *grammar.Rule, text string) error {
	return fmt.Errorf("a token %s has the text %q, which its rule does not derive", rule.Name, clip(text))
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
	room.reset()
	room.p, room.t, room.text, room.counts, room.counted, room.ordered = p, p.t, f.tokens[place].text(f.text, rule), nil, false, false
	in := &input{alpha: p.t.alpha, text: room.text, bytes: p.t.bytes}
	root, st, err := p.run(ctx, p.t, in, &room.packed)
	if st != nil {
		return nil, underivable(rule, room.text)
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
