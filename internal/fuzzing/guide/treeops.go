package guide

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/stream"
)

// operator changes an input. It returns nil where it does not apply. The other example is one from
// which it may take parts; its trees are there for operators of two only.
type operator struct {
	name string
	text bool // it changes texts
	two  bool // it takes parts of the other example's tree
	make func(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error)
}

// operators returns the operators of loop cover: those on trees, whose results are sentences,
// and, if texts are to be changed, those on texts.
func (s *Sentences) operators() []operator {
	op := func(name string, f func(rng *rand.Rand, in, other *derive.Tree) []int) operator {
		return operator{name: name, make: func(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
			if in.Tree == nil {
				return nil, nil
			}
			c := f(rng, in.Tree, other.Tree)
			if c == nil {
				return nil, nil
			}
			return s.Replay(ctx, c, name)
		}}
	}
	two := func(name string, f func(rng *rand.Rand, in, other *derive.Tree) []int) operator {
		o := op(name, func(rng *rand.Rand, in, other *derive.Tree) []int {
			if other == nil {
				return nil
			}
			return f(rng, in, other)
		})
		o.two = true
		return o
	}
	place := func(name string, f func(ctx context.Context, rng *rand.Rand, in *Input, i int) (*Input, error)) operator {
		return operator{name: name, make: func(ctx context.Context, rng *rand.Rand, in, _ *Input) (*Input, error) {
			if in.Tree != nil {
				if i := someNode(rng, in.Tree); i >= 0 {
					return f(ctx, rng, in, i)
				}
			}
			return nil, nil
		}}
	}
	ops := []operator{
		{name: "random", make: s.randomOp},
		place("regrow", s.regrowOp), place("alike", s.alikeOp),
		two("splice", spliceTree), op("recurse", recurse), two("recombine", recombine),
		op("shuffle", shuffle), op("perturb", perturb),
	}
	if s.stored != nil {
		ops = append(ops, op("graft", func(rng *rand.Rand, in, _ *derive.Tree) []int { return s.stored.Replace(rng, in) }))
	}
	if s.o.Texts {
		ops = append(ops, operator{name: "damage", text: true, make: s.damageOp})
		ops = append(ops, textOps(s.o.MaxBytes)...)
	}
	return ops
}

// randomOp draws a sentence from scratch. If texts are changed, some sentences are damaged as
// in tests and campaigns.
func (s *Sentences) randomOp(ctx context.Context, rng *rand.Rand, _, _ *Input) (*Input, error) {
	in, err := s.Random(ctx, rng)
	if err != nil || !s.o.Texts || rng.Float64() >= stream.DefaultDamage {
		return in, err
	}
	return s.damaged(rng, in, "random"), nil
}

// damageOp changes a text by dictionary words, as package mutate does.
func (s *Sentences) damageOp(_ context.Context, rng *rand.Rand, in, _ *Input) (*Input, error) {
	if out := s.damaged(rng, in, "damage"); out != in && len(out.Text) <= s.o.MaxBytes {
		return out, nil
	}
	return nil, nil
}

func (s *Sentences) damaged(rng *rand.Rand, in *Input, from string) *Input {
	text, changed := s.damager.Append(nil, in.Text, rng.Uint64(), 0)
	if !changed {
		return in
	}
	return &Input{Text: text, Base: in.Origin(), From: from}
}

// regrowOp redraws the subtree of node i by counts. All sizes up to a random one are equally
// likely, and so are all derivations of one size.
func (s *Sentences) regrowOp(ctx context.Context, rng *rand.Rand, in *Input, i int) (*Input, error) {
	return s.regrown(ctx, rng, in, i, 1<<rng.IntN(6), "regrow")
}

// alikeOp gives node i and others of its symbol the same new derivation, as Hypothesis's mutator
// does. Operands become values of one type, though no edge is new when the first of them does.
func (s *Sentences) alikeOp(ctx context.Context, rng *rand.Rand, in *Input, i int) (*Input, error) {
	all := rng.IntN(2) == 0
	at := alike(in.Tree, i, func() bool { return all || rng.IntN(2) == 0 })
	if len(at) < 2 {
		return nil, nil
	}
	sub, err := s.redrawn(ctx, rng, in, i, 1<<rng.IntN(4))
	if sub == nil || err != nil {
		return nil, err
	}
	return s.Replay(ctx, everywhere(in.Tree, at, sub), "alike")
}

// alike returns node i and those with its symbol that take says, in order. None is within another.
func alike(t *derive.Tree, i int, take func() bool) (at []int) {
	nodes, end := t.Nodes(), 0
	for k := 1; k < len(nodes); k++ {
		n := &nodes[k]
		apart := n.End <= i || nodes[i].End <= k
		if k == i || k >= end && apart && n.To > n.From && sameSymbol(n, &nodes[i]) && take() {
			at, end = append(at, k), n.End
		}
	}
	return at
}

// everywhere returns the choices of a tree with those of some nodes, in order, replaced by others.
func everywhere(t *derive.Tree, at, with []int) (out []int) {
	from := 0
	for _, k := range at {
		n := &t.Nodes()[k]
		out = append(append(out, t.Choices()[from:n.From]...), with...)
		from = n.To
	}
	return append(out, t.Choices()[from:]...)
}

// tries is the number of attempts of an operator to find a place where it applies.
const tries = 16

// someNode draws a node with at least one choice; -1 if there is none.
func someNode(rng *rand.Rand, t *derive.Tree) int {
	for range tries {
		if i := rng.IntN(len(t.Nodes())); t.Nodes()[i].To > t.Nodes()[i].From {
			return i
		}
	}
	return -1
}

// spliceTree replaces a subtree by one of the other tree, or of the same, with the same symbol.
func spliceTree(rng *rand.Rand, t, other *derive.Tree) []int {
	for range tries {
		i := someNode(rng, t)
		if i < 0 {
			return nil
		}
		n := &t.Nodes()[i]
		start := rng.IntN(len(other.Nodes()))
		for k := range other.Nodes() {
			m := &other.Nodes()[(start+k)%len(other.Nodes())]
			if sameSymbol(n, m) && m.To > m.From {
				return edit{n.From, n.To, other.Choices()[m.From:m.To]}.apply(t.Choices())
			}
		}
	}
	return nil
}

// recurse repeats a recursion: the part of the tree between a node and a descendant of the same
// rule is nested in itself up to 16 more times.
func recurse(rng *rand.Rand, t, _ *derive.Tree) []int {
	c := t.Choices()
	for range tries {
		i := someNode(rng, t)
		if i < 0 || t.Nodes()[i].Expr.Op != grammar.Ref {
			continue
		}
		var within []int
		for k := i + 1; k < t.Nodes()[i].End && len(within) < 64; k++ {
			if t.Nodes()[k].Expr.Op == grammar.Ref && sameSymbol(&t.Nodes()[i], &t.Nodes()[k]) {
				within = append(within, k)
			}
		}
		if within == nil {
			continue
		}
		n, m := &t.Nodes()[i], &t.Nodes()[within[rng.IntN(len(within))]]
		times := 1 + rng.IntN(1<<rng.IntN(5))
		return slices.Concat(c[:n.From], slices.Repeat(c[n.From:m.From], times+1), c[m.From:m.To],
			slices.Repeat(c[m.To:n.To], times+1), c[n.To:])
	}
	return nil
}

// someList draws a repetition that keep accepts and whose elements can be told apart.
func someList(rng *rand.Rand, t *derive.Tree, keep func(n *derive.Node) bool) (int, [][]int) {
	start := rng.IntN(len(t.Nodes()))
	for k := range t.Nodes() {
		i := (start + k) % len(t.Nodes())
		if n := &t.Nodes()[i]; n.Expr.Op == grammar.Rep && !n.Name && keep(n) {
			if list := listOf(t, i); list != nil {
				return i, list
			}
		}
	}
	return -1, nil
}

// recombine inserts a run of elements into a list, or replaces a run by it. The run comes from
// another list or from elsewhere in the same one.
func recombine(rng *rand.Rand, t, other *derive.Tree) []int {
	i, list := someList(rng, t, func(n *derive.Node) bool { return n.Val > 0 })
	if list == nil {
		return nil
	}
	n := &t.Nodes()[i]
	if rng.IntN(2) == 0 {
		other = t
	}
	_, from := someList(rng, other, func(m *derive.Node) bool { return m.Expr == n.Expr && m.Val > 0 })
	if from == nil {
		from = list
	}
	a, b := run(rng, len(from))
	at := rng.IntN(len(list) + 1)
	end := at + rng.IntN(2)*rng.IntN(len(list)-at+1)
	out := slices.Concat(list[:at], from[a:b], list[end:])
	if most := n.Expr.Max; most >= 0 && len(out) > most {
		out = out[:most]
	}
	return edit{n.From, n.To, joinList(n.Expr, out)}.apply(t.Choices())
}

// shuffle reorders the elements of a list, or removes some.
func shuffle(rng *rand.Rand, t, _ *derive.Tree) []int {
	i, list := someList(rng, t, func(n *derive.Node) bool { return n.Val > 1 })
	if list == nil {
		return nil
	}
	n := &t.Nodes()[i]
	if rng.IntN(2) == 0 && len(list) > n.Expr.Min {
		a, b := run(rng, len(list))
		b = min(b, a+len(list)-n.Expr.Min)
		list = slices.Delete(list, a, b)
	} else {
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	}
	return edit{n.From, n.To, joinList(n.Expr, list)}.apply(t.Choices())
}

// perturb gives one choice another value. The choices after it keep their values where these
// are still meaningful.
func perturb(rng *rand.Rand, t, _ *derive.Tree) []int {
	c := slices.Clone(t.Choices())
	if len(c) == 0 {
		return nil
	}
	i := rng.IntN(len(c))
	if rng.IntN(2) == 0 {
		c[i] += 1 + rng.IntN(4)
	} else {
		c[i] = rng.IntN(1 << (1 + rng.IntN(16)))
	}
	return c
}
