package guide

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// expandDraws is the number of expansions drawn at random before the small steps are tried in
// order.
const expandDraws = 4

// maxSteps bounds the small steps tried from one sentence.
const maxSteps = 1024

// maxMembers bounds the values tried for one decision.
const maxMembers = 256

// candidates returns the next input of a list: nil and no error at the end.
type candidates func(ctx context.Context) (*Input, error)

// smallStep derives the first node of at again from choice cut on: its first value is v, and the
// rest is minimal. With grow, a continuation bit comes before v. The other nodes of at have the same
// symbol and become the same.
type smallStep struct {
	at   []int
	cut  int
	grow bool
	v    int
}

// expand enlarges a sentence. It first redraws a few subtrees at random, then tries every small
// step: one more element at the end of a list, for each value of the element's first choice;
// another alternative; another member of a class. Where an expression was derived several times,
// all of them take the same alternative too: operands have to have one type.
func (s *Sentences) expand(rng *rand.Rand, in *Input) candidates {
	if in.Tree == nil {
		return none0
	}
	nodes := nodesOf(in.Tree)
	draws, at := 0, 0
	var steps []smallStep
	return func(ctx context.Context) (*Input, error) {
		if draws < expandDraws && len(nodes) > 0 {
			draws++
			return s.regrown(ctx, rng, in, nodes[rng.IntN(len(nodes))], 1<<rng.IntN(6), "regrow")
		}
		if steps == nil {
			steps = smallSteps(rng, in.Tree, nodes)
		}
		for at < len(steps) {
			st := steps[at]
			at++
			out, err := s.stepped(ctx, in, st)
			if out != nil || err != nil {
				return out, err
			}
		}
		return nil, nil
	}
}

// smallSteps lists the small steps from a tree. Steps that lengthen a list come first. Nodes
// are in random order; the values of each node are in increasing order, such as the bytes of a
// plain text.
func smallSteps(rng *rand.Rand, t *derive.Tree, nodes []int) []smallStep {
	var steps []smallStep
	order := slices.Clone(nodes)
	rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	slices.SortStableFunc(order, func(a, b int) int { return listsFirst(t, a) - listsFirst(t, b) })
	together := map[*grammar.Expr]bool{} // choices whose nodes have steps that make them alike
	for _, i := range order {
		n := &t.Nodes()[i]
		e := n.Expr
		if n.Name {
			continue
		}
		switch e.Op {
		case grammar.Rep:
			if e.Max >= 0 && n.Val >= e.Max {
				continue
			}
			for v := range max(1, min(firstChoices(e.Children[0], map[*grammar.Expr]bool{}), maxMembers)) {
				steps = append(steps, smallStep{[]int{i}, n.To - 1, true, v})
			}
		case grammar.Choice, grammar.Class:
			all := len(e.Children)
			if e.Op == grammar.Class {
				all = e.Gen.Len()
			}
			places := [][]int{{i}}
			if e.Op == grammar.Choice && !together[e] {
				together[e] = true
				if at := alike(t, i, func() bool { return true }); len(at) > 1 {
					places = append(places, at)
				}
			}
			for _, at := range places {
				for v := range min(all, maxMembers) {
					steps = append(steps, smallStep{at, t.Nodes()[at[0]].From, false, v})
				}
			}
		}
		if len(steps) >= maxSteps {
			break
		}
	}
	return steps
}

func listsFirst(t *derive.Tree, i int) int {
	if t.Nodes()[i].Expr.Op == grammar.Rep {
		return 0
	}
	return 1
}

// stepped applies a small step to an input.
func (s *Sentences) stepped(ctx context.Context, in *Input, st smallStep) (*Input, error) {
	i := st.at[0]
	if in.Tree.Nodes()[i].Expr.Op == grammar.Class {
		return s.Replay(ctx, everywhere(in.Tree, st.at, []int{st.v}), "step")
	}
	begin := []int{st.v}
	if st.grow {
		begin = []int{1, st.v}
	}
	sub, err := s.redone(ctx, in, i, st.cut, begin, nil, 0)
	if sub == nil || err != nil {
		return nil, err
	}
	return s.Replay(ctx, everywhere(in.Tree, st.at, sub), "step")
}

// shrink lists smaller sentences: the results of the tree and choice passes of package reduce.
// For a text without a tree it lists shorter texts if texts outside the grammar are wanted,
// else nothing.
func (s *Sentences) shrink(in *Input) candidates {
	if in.Tree == nil && s.o.Texts {
		return smallerTexts(in)
	}
	if in.Tree == nil {
		return none0
	}
	if s.smaller == nil {
		s.smaller = reduce.Smaller(s.machine.Facts())
	}
	next := s.smaller(in.Tree)
	return func(ctx context.Context) (*Input, error) {
		for {
			choices := next()
			if choices == nil {
				return nil, nil
			}
			out, err := s.Replay(ctx, choices, "shrink")
			if err != nil {
				return nil, err
			}
			if out != nil && simpler(out, in) {
				return out, nil
			}
		}
	}
}

// simpler reports whether a precedes b in the order of package reduce.
func simpler(a, b *Input) bool {
	return reduce.Compare(a.Text, a.Choices, b.Text, b.Choices) < 0
}

// none0 is the empty list of candidates.
func none0(context.Context) (*Input, error) { return nil, nil }
