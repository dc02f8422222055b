package parse

import (
	"context"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// firstObeying returns the first tree of a text within the bound that obeys the
// names, nil if there is none. Trees are looked at one by one: past maxObeying the
// error is [ErrUndecided].
func (t *Texts) firstObeying(ctx context.Context, forest *Forest) (*derive.Tree, error) {
	tried := 0
	for other, err := range forest.All(ctx) {
		if err != nil {
			return nil, err
		}
		if named, err := t.Names.Convert(other); err == nil && t.holds(named) {
			return named, nil
		}
		if tried++; tried == maxObeying {
			n, err := forest.Count(ctx)
			if err != nil {
				return nil, err
			}
			return nil, undecided(n, tried)
		}
	}
	return nil, nil
}

// holds reports whether a tree is within the bound.
func (t *Texts) holds(tree *derive.Tree) bool {
	b := t.bound
	if !b.ByDepth() {
		n := derive.Size(tree, t.facts, b.Unit)
		return n >= b.Min && n <= b.Max
	}
	repeat := b.Repeat
	if repeat == 0 {
		repeat = count.DefaultRepeat
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if e := n.Expr; e.Op == grammar.Rep && e.Max < 0 && !n.Name && n.Val > max(e.Min, repeat) {
			return false
		}
	}
	return derive.Depth(tree, t.facts) <= b.Depth
}
