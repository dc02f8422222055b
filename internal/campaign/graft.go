package campaign

import (
	"context"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/schedule"
)

// Of every graftGroup places of the stream each graftEvery-th is drawn; the others
// are grafts, made from those.
const (
	graftEvery = 8
	graftGroup = 2 * graftEvery
)

// maxGrafts is how many parts of a sentence are exchanged at most.
const maxGrafts = 3

// grafter makes sentences from sentences: some parts of a text take the place of
// others that the same rule derives. That is copying of bytes, a tenth of the work
// of drawing, and for programs that run in less time than that. It belongs to one
// goroutine. What it makes at a place of the stream depends on that place alone.
type grafter struct {
	src   *schedule.Source
	seed  uint64
	bound count.Bound
	facts *grammar.Facts

	group uint64 // the group in force, counted from 1
	bases [graftGroup / graftEvery]base
	parts [][]part // by number of the rule: where it is derived
	pcg   rand.PCG
	swaps []swap
	text  []byte // before it is damaged
}

// base is a sentence that was drawn.
type base struct {
	tree   *derive.Tree
	text   []byte
	starts []int   // by node, and of the end: its place in the text
	sizes  []int   // by node, and of the end: the size of what is before it
	refs   []int32 // the nodes that may be exchanged
}

// part is a node of a base.
type part struct{ base, node int32 }

// swap puts a part in the place of a node.
type swap struct {
	node int32
	with part
}

// newGrafter returns nil where sentences are not free of context, so that a part
// may not stand elsewhere: names are in play, or tokens may need something between
// them; and with a bound of depth.
func newGrafter(g *grammar.Grammar, s *schedule.Sampler, layout *derive.Layout, facts *grammar.Facts) *grafter {
	names, err := gctx.New(g, gctx.Options{})
	if err != nil || names != nil || layout != nil || s.Bound().ByDepth() {
		return nil
	}
	return &grafter{src: s.Source(), seed: s.Seed(), bound: s.Bound(), facts: facts, parts: make([][]part, len(g.Rules))}
}

// at makes in the sentence of place i, damaged where the schedule says so.
func (f *grafter) at(ctx context.Context, i uint64, in *input) error {
	if err := f.take(ctx, i); err != nil {
		return err
	}
	b := f.base(i)
	if i%graftEvery == 0 {
		in.tree, in.from = b.tree, "schedule"
		in.text = f.src.Damage(in.text, b.text, i)
		return nil
	}
	f.choose(i)
	at := 0
	f.text = f.text[:0]
	for _, s := range f.swaps {
		with := &f.bases[s.with.base]
		f.text = append(f.text, b.text[at:b.starts[s.node]]...)
		f.text = append(f.text, with.text[with.starts[s.with.node]:with.starts[with.end(s.with.node)]]...)
		at = b.starts[b.end(s.node)]
	}
	f.text = append(f.text, b.text[at:]...)
	in.text, in.from = f.src.Damage(in.text, f.text, i), grafted
	return nil
}

// grafted is where the sentences that are grafts come from.
const grafted = "graft"

// choices returns the choices of the graft at place i.
func (f *grafter) choices(ctx context.Context, i uint64) ([]int, error) {
	if err := f.take(ctx, i); err != nil {
		return nil, err
	}
	f.choose(i)
	b := f.base(i)
	old, at := b.tree.Choices(), 0
	var out []int
	for _, s := range f.swaps {
		n, m := &b.tree.Nodes[s.node], &f.bases[s.with.base].tree.Nodes[s.with.node]
		out = append(append(out, old[at:n.From]...), f.bases[s.with.base].tree.Choices()[m.From:m.To]...)
		at = n.To
	}
	return append(out, old[at:]...), nil
}

// base returns the base of place i.
func (f *grafter) base(i uint64) *base { return &f.bases[i%graftGroup/graftEvery] }

// end returns the end of the subtree of a node.
func (b *base) end(node int32) int { return b.tree.Nodes[node].End }

// size returns the size of the subtree of a node.
func (b *base) size(node int32) int { return b.sizes[b.end(node)] - b.sizes[node] }

// take draws the bases of the group that place i is in.
func (f *grafter) take(ctx context.Context, i uint64) error {
	group := i/graftGroup + 1
	if group == f.group {
		return nil
	}
	f.group = 0
	for r := range f.parts {
		f.parts[r] = f.parts[r][:0]
	}
	for k := range f.bases {
		t, err := f.src.Tree(ctx, i/graftGroup*graftGroup+uint64(k)*graftEvery)
		if err != nil {
			return err
		}
		f.read(k, t)
	}
	f.group = group
	return nil
}

// read makes base k of a tree.
func (f *grafter) read(k int, t *derive.Tree) {
	b := &f.bases[k]
	b.tree, b.text, b.starts, b.refs = t, b.text[:0], b.starts[:0], b.refs[:0]
	b.sizes = derive.AppendSizes(b.sizes[:0], t, f.facts, f.bound.Unit)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		b.starts = append(b.starts, len(b.text))
		b.text = n.AppendText(b.text)
		if i > 0 && !n.Name && n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind != grammar.Skip {
			b.refs = append(b.refs, int32(i))
			r := n.Expr.Rule.ID
			f.parts[r] = append(f.parts[r], part{int32(k), int32(i)})
		}
	}
	b.starts = append(b.starts, len(b.text))
}

// choose draws what is exchanged at place i: apart from each other, in order,
// within the bound. It may be nothing.
func (f *grafter) choose(i uint64) {
	f.swaps = f.swaps[:0]
	k := int32(i % graftGroup / graftEvery)
	b := &f.bases[k]
	if len(b.refs) == 0 {
		return
	}
	f.pcg.Seed(f.seed^0x6772616674, i)
	size, want := b.sizes[len(b.tree.Nodes)], 1+f.below(maxGrafts)
	for try := 0; try < 4*maxGrafts && len(f.swaps) < want; try++ {
		n := b.refs[f.below(len(b.refs))]
		list := f.parts[b.tree.Nodes[n].Expr.Rule.ID]
		p := list[f.below(len(list))]
		with := &f.bases[p.base]
		grown := size + with.size(p.node) - b.size(n)
		if p == (part{k, n}) || grown > f.bound.Max || grown < f.bound.Min {
			continue
		}
		if f.insert(b, swap{n, p}) {
			size = grown
		}
	}
}

// insert puts a swap among the others, unless it overlaps with one.
func (f *grafter) insert(b *base, s swap) bool {
	at := len(f.swaps)
	for at > 0 && f.swaps[at-1].node > s.node {
		at--
	}
	if at > 0 && b.end(f.swaps[at-1].node) > int(s.node) || at < len(f.swaps) && b.end(s.node) > int(f.swaps[at].node) {
		return false
	}
	f.swaps = slices.Insert(f.swaps, at, s)
	return true
}

// below draws a number in 0 … n-1.
func (f *grafter) below(n int) int { return int((f.pcg.Uint64() >> 32) * uint64(n) >> 32) }
