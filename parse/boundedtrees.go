package parse

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// selection is the set of trees of a forest that are within a bound.
type selection struct {
	f     *Forest
	bound count.Bound
	facts *grammar.Facts

	cells   [][]boundCell // by node
	empties [][]boundCell // by empty nonterminal
	inner   map[int32]*selection

	compared [2]treeBuilder // builders reused by comparisons
	looked   *int           // choices compared so far, including those of inner selections
}

// boundCell is a class of derivations of a node that the bound does not distinguish: those of
// one height, or of one size.
type boundCell struct {
	n     int32 // the height or size
	elems int32 // elements so far, where the node is part of an unbounded repetition

	// The first derivation in lexicographic order of choices: its production and children, and
	// for each step the cell of the child's derivation.
	prod     *production
	children []int32
	picks    []int32
}

// within returns the canonical tree among those within the bound, or nil if there is none. The
// bound means the same as in package count: by depth, unbounded repetitions are limited too,
// and the mask and the alphabet exclude trees. The facts are those of the counting program.
// The cost is that of counting the forest, times the square of the number of distinct heights
// or sizes of its nodes. It gives up after comparing maxCompared choices; compared is the
// number of choices compared.
func (f *Forest) within(ctx context.Context, b count.Bound, facts *grammar.Facts) (tree *derive.Tree, compared int, err error) {
	s := &selection{f: f, bound: b, facts: facts, inner: map[int32]*selection{}, looked: &compared}
	if err := s.fill(ctx); err != nil {
		return nil, compared, err
	}
	var best *boundCell
	cells := s.rootCells()
	for i := range cells {
		if c := &cells[i]; (b.ByDepth() || int(c.n) >= b.Min) && (best == nil || s.before(ctx, c, best)) {
			best = c
		}
	}
	if best == nil {
		return nil, compared, nil
	}
	t := &treeBuilder{ctx: ctx, p: f.p, text: f}
	t.enterCell(s, best)
	tree, err = t.finish(f)
	return tree, compared, err
}

// maxCompared bounds the choices compared for one text, to a few seconds of work.
const maxCompared = 10_000_000

// errTooAmbiguous says that a text has too many derivations to find one within a bound.
var errTooAmbiguous = errors.New("a text has too many derivations to find its first one within the bound; take a smaller bound, or take trees in place of texts")

func (s *selection) rootCells() []boundCell {
	if s.f.root < 0 {
		return s.empties[s.f.t.rootEmpty]
	}
	return s.cells[s.f.root]
}

// fill computes the cells of all nodes, from the leaves up.
func (s *selection) fill(ctx context.Context) error {
	f := s.f
	s.empties = make([][]boundCell, len(f.t.empties))
	s.cells = make([][]boundCell, len(f.nodes))
	prods := f.t.prods
	for _, id := range f.t.emptyOrder {
		for _, p := range f.t.empties[id] {
			if err := s.addWay(ctx, &s.empties[id], &prods[p], nil); err != nil {
				return err
			}
		}
	}
	if f.root < 0 {
		return nil
	}
	const cellSize = 120
	return f.fromLeaves(ctx, cellSize, func(head int32) error {
		for id := head; id >= 0; id = f.nodes[id].next {
			if err := s.addWay(ctx, &s.cells[head], &prods[f.nodes[id].prod], f.childrenOf(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

// beginning is a prefix of a production's derivations.
type beginning struct {
	n, elems int32
	picks    []int32
}

// addWay adds the cells of one way to derive a node.
func (s *selection) addWay(ctx context.Context, out *[]boundCell, p *production, children []int32) error {
	parts := []beginning{{picks: make([]int32, len(p.steps))}}
	level := int32(0)   // number of references around the step
	var open []openNode // the nodes around the step
	for i := range p.steps {
		st := &p.steps[i]
		switch st.op {
		case opOpen:
			if st.expr.Op == grammar.Choice && !s.facts.Mask.On(st.expr, int(st.arg)) {
				return nil
			}
			o := openNode{expr: st.expr}
			if st.expr.Op == grammar.Ref && !(st.expr.Rule.Kind == grammar.Skip && !st.expr.Rule.Inline) {
				o.level = int32(s.facts.Level(st.expr))
				size := int32(0)
				if s.bound.Unit == grammar.Nodes && !st.expr.Rule.Inline {
					size = 1
				}
				level += o.level
				parts = s.grow(parts, level, size)
			}
			open = append(open, o)
		case opClose:
			o := open[len(open)-1]
			open = open[:len(open)-1]
			level -= o.level
			if s.tooMany(o.expr, o.elems) {
				return nil
			}
		case opElem:
			if len(open) > 0 {
				open[len(open)-1].elems++
			} else if s.bound.ByDepth() {
				for j := range parts {
					parts[j].elems++
				}
			}
		default:
			cells, err := s.stepCells(ctx, st, children)
			if err != nil {
				return err
			}
			parts = s.combine(parts, cells, i, level, open)
		}
	}
	for _, q := range parts {
		if *s.looked > maxCompared {
			return errTooAmbiguous
		}
		s.enter(ctx, out, boundCell{n: q.n, elems: q.elems, prod: p, children: children, picks: q.picks})
	}
	return nil
}

// openNode is a node that a production has begun but not ended.
type openNode struct {
	expr  *grammar.Expr
	level int32
	elems int32
}

// tooMany reports whether a repetition has more elements than the bound allows.
func (s *selection) tooMany(e *grammar.Expr, elems int32) bool {
	if !s.bound.ByDepth() || e.Op != grammar.Rep || e.Max >= 0 {
		return false
	}
	return int(elems) > max(e.Min, cmp.Or(s.bound.Repeat, count.DefaultRepeat))
}

// grow adds a leaf of the given size at the given level.
func (s *selection) grow(parts []beginning, level, size int32) []beginning {
	kept := parts[:0]
	for _, q := range parts {
		if s.bound.ByDepth() {
			q.n = max(q.n, level)
		} else {
			q.n += size
		}
		if int(q.n) <= s.bound.Steps() {
			kept = append(kept, q)
		}
	}
	return kept
}

// combine appends the derivations of a child to the prefixes before it.
func (s *selection) combine(parts []beginning, cells []boundCell, step int, level int32, open []openNode) []beginning {
	var out []beginning
	for _, q := range parts {
		for j := range cells {
			c := &cells[j]
			r := beginning{n: q.n + c.n, elems: q.elems, picks: q.picks}
			if s.bound.ByDepth() {
				r.n = max(q.n, level+c.n)
			}
			if int(r.n) > s.bound.Steps() {
				continue
			}
			switch {
			case c.elems == 0:
			case len(open) == 0:
				r.elems += c.elems
			case s.tooMany(open[len(open)-1].expr, open[len(open)-1].elems+c.elems):
				continue
			}
			if len(cells) > 1 {
				r.picks = slices.Clone(q.picks)
				r.picks[step] = int32(j)
			}
			out = append(out, r)
		}
	}
	return out
}

// stepCells returns the cells of a step.
func (s *selection) stepCells(ctx context.Context, st *step, children []int32) ([]boundCell, error) {
	leaf := func(bytes int) []boundCell {
		var c boundCell
		switch {
		case s.bound.ByDepth():
		case s.bound.Unit == grammar.Bytes:
			c.n = int32(bytes)
		case bytes > 0:
			c.n = 1
		}
		return []boundCell{c}
	}
	switch st.op {
	case opChild:
		return s.cells[children[st.arg]], nil
	case opEmpty:
		return s.empties[st.arg], nil
	case opLit:
		return leaf(len(st.expr.Text)), nil
	case opClass:
		r, size := utf8.DecodeRuneInString(s.f.text[s.f.offset(^children[st.arg]):])
		if !s.facts.Mask.Gen(st.expr).Has(r) {
			return nil, nil
		}
		return leaf(size), nil
	}
	place := ^children[st.arg]
	if s.facts.Leaf(st.expr) {
		return leaf(len(s.f.tokens[place].text(s.f.text, st.expr.Rule))), nil
	}
	return s.tokenCells(ctx, st.expr, place)
}

// tokenCells returns the cells of a token that is not a leaf.
func (s *selection) tokenCells(ctx context.Context, e *grammar.Expr, place int32) ([]boundCell, error) {
	in, err := s.f.inside(ctx, e.Rule, place, nil)
	if err != nil {
		return nil, err
	}
	sub := s.inner[place]
	if sub == nil {
		sub = &selection{f: in, bound: s.bound, facts: s.facts, inner: map[int32]*selection{}, looked: s.looked}
		if err := sub.fill(ctx); err != nil {
			return nil, err
		}
		s.inner[place] = sub
	}
	var out []boundCell
	for i, c := range sub.rootCells() {
		if s.bound.ByDepth() {
			c.n += int32(s.facts.Level(e))
		} else if s.bound.Unit == grammar.Nodes {
			c.n++
		}
		out = append(out, boundCell{n: c.n, picks: []int32{int32(i)}})
	}
	return out, nil
}

// enter adds derivations to the cell of their height or size.
func (s *selection) enter(ctx context.Context, out *[]boundCell, c boundCell) {
	for i := range *out {
		o := &(*out)[i]
		if o.n == c.n && o.elems == c.elems {
			if s.before(ctx, &c, o) {
				*o = c
			}
			return
		}
	}
	*out = append(*out, c)
}

// before compares the first derivations of two cells of one node.
func (s *selection) before(ctx context.Context, a, b *boundCell) bool {
	x, y := s.pair(ctx)
	x.enterCell(s, a)
	y.enterCell(s, b)
	is := x.before(y)
	*s.looked += len(x.choices) + len(y.choices)
	return is
}

// enterCell begins the first derivation of a cell.
func (b *treeBuilder) enterCell(s *selection, c *boundCell) {
	b.stack = append(b.stack, frame{f: s.f, p: c.prod, children: c.children, pick: &pick{sel: s, cells: c.picks}})
}

// pair returns two reused builders for a comparison.
func (s *selection) pair(ctx context.Context) (x, y *treeBuilder) {
	for i := range s.compared {
		b := &s.compared[i]
		*b = treeBuilder{ctx: ctx, p: s.f.p, text: s.f, short: true, stack: b.stack[:0], rows: b.rows[:0], choices: b.choices[:0], open: b.open[:0]}
	}
	return &s.compared[0], &s.compared[1]
}

// before builds two derivations up to their first difference and reports whether x comes
// first.
func (x *treeBuilder) before(y *treeBuilder) bool {
	at := 0
	for n := 8; ; n *= 2 {
		x.run(n)
		y.run(n)
		for ; at < min(len(x.choices), len(y.choices)); at++ {
			if x.choices[at] != y.choices[at] {
				return x.choices[at] < y.choices[at]
			}
		}
		// Where one sequence is a prefix of the other, it ends a repetition there and the
		// other continues.
		if len(x.choices) < n || len(y.choices) < n {
			return len(x.choices) < len(y.choices)
		}
	}
}
