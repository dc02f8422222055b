package parse

import (
	"context"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Within exposes the canonical tree within a bound to tests.
func (f *Forest) Within(ctx context.Context, b count.Bound, facts *grammar.Facts) (*derive.Tree, error) {
	tree, _, err := f.within(ctx, b, facts)
	return tree, err
}

// Direct reports whether the next character always determines the derivation of the rule's
// tokens.
func Direct(rule *grammar.Rule) bool { return newChars(rule) != nil }
