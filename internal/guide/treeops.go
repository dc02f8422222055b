package guide

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/stream"
)

// operator changes an input. It returns nil where it does not apply; other is
// an example to take parts from.
type operator struct {
	name string
	text bool // it changes texts, whatever they are
	make func(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error)
}

// operators are the ways in which loop cover changes an input: those on trees, whose results are sentences, and, where texts are
// to be changed too, those on texts.
func (s *Sentences) operators() []operator {
	op := func(name string, f func(rng *rand.Rand, in, other *derive.Tree) []int) operator {
		return operator{name: name, make: func(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
			if in.Tree == nil || other.Tree == nil {
				return nil, nil
			}
			c := f(rng, in.Tree, other.Tree)
			if c == nil {
				return nil, nil
			}
			return s.Replay(ctx, c, name)
		}}
	}
	ops := []operator{
		{name: "random", make: s.randomOp},
		{name: "regrow", make: s.regrowOp},
		op("splice", spliceTree), op("recurse", recurse), op("recombine", recombine),
		op("shuffle", shuffle), op("perturb", perturb),
	}
	if s.stored != nil {
		ops = append(ops, op("graft", func(rng *rand.Rand, in, _ *derive.Tree) []int { return s.stored.graft(rng, in) }))
	}
	if s.o.Texts {
		ops = append(ops, operator{"damage", true, s.damageOp})
		ops = append(ops, textOps(s.o.MaxBytes)...)
	}
	return ops
}

// randomOp draws a sentence by itself; where texts are changed, some are damaged as
// in tests and campaigns.
func (s *Sentences) randomOp(ctx context.Context, rng *rand.Rand, _, _ *Input) (*Input, error) {
	in, err := s.Random(ctx, rng)
	if err != nil || !s.o.Texts || rng.Float64() >= stream.DefaultDamage {
		return in, err
	}
	return s.damaged(rng, in, "random"), nil
}

// damageOp changes a text as package mutate does: by words.
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
	return &Input{Text: text, Base: cmp.Or(in.Tree, in.Base), From: from}
}

// regrowOp draws a subtree anew, by counts: of the sizes up to a drawn one each
// is equally likely, and within a size every derivation.
func (s *Sentences) regrowOp(ctx context.Context, rng *rand.Rand, in, _ *Input) (*Input, error) {
	if in.Tree == nil {
		return nil, nil
	}
	i := someNode(rng, in.Tree)
	if i < 0 {
		return nil, nil
	}
	return s.regrown(ctx, rng, in, i, 1<<rng.IntN(6), "regrow")
}

// tries is how often an operator looks for a place where it applies.
const tries = 16

// someNode draws a node at which something is chosen, -1 where there is none.
func someNode(rng *rand.Rand, t *derive.Tree) int {
	for range tries {
		if i := rng.IntN(len(t.Nodes())); t.Nodes()[i].To > t.Nodes()[i].From {
			return i
		}
	}
	return -1
}

// spliceTree puts a subtree of the other tree, or of the same, in the place of one
// that derives the same.
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

// recurse repeats a recursion: what stands between a node and a node of the same
// rule below it is nested in itself up to 16 times more.
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

// someList draws a repetition of which the elements can be told apart; keep says
// which are wanted.
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

// recombine inserts a run of elements of a list, or of the same list elsewhere,
// into a list, or puts it in the place of a run.
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

// shuffle puts the elements of a list in another order, or takes some out.
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

// perturb gives one choice another value. What follows keeps its values, as far
// as they mean something there.
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
