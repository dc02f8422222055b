package parse

import (
	"context"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Within is what tests see of the canonical tree within a bound.
func (f *Forest) Within(ctx context.Context, b count.Bound, facts *grammar.Facts) (*derive.Tree, error) {
	tree, _, err := f.within(ctx, b, facts)
	return tree, err
}

// Direct reports whether the next character always settles how a token of the rule is derived.
func Direct(rule *grammar.Rule) bool { return newChars(rule) != nil }
