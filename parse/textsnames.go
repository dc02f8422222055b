package parse

import (
	"context"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// firstObeying reports whether a tree is the first of its text within the bound
// that obeys the names. Trees are looked at one by one: past [ObeyingTries] the
// error is an [UndecidedError].
func (t *Texts) firstObeying(ctx context.Context, forest *Forest, tree *derive.Tree) (bool, error) {
	tried := 0
	for other, err := range forest.All(ctx) {
		if err != nil {
			return false, err
		}
		if named, err := t.Names.Convert(other); err == nil && t.holds(named) {
			return slices.Equal(named.Choices(), tree.Choices()), nil
		}
		if tried++; tried == ObeyingTries {
			n, err := forest.Count(ctx)
			if err != nil {
				return false, err
			}
			return false, &UndecidedError{Tried: tried, Trees: n}
		}
	}
	return false, nil
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
