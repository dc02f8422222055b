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
func Direct(rule *grammar.Rule) bool {
	t := newChars(rule)
	return t != nil && t.more == nil
}

// Whole returns the first of all trees, whether or not precedences settle conflicts for good.
func (f *Forest) Whole(ctx context.Context) (*derive.Tree, error) {
	w, err := f.whole(ctx)
	if err != nil {
		return nil, err
	}
	return w.Tree(ctx)
}

// Quick reports whether precedences settle conflicts of the table for one tree, and whether they
// settle all.
func (p *Parser) Quick() (some, all bool) { return p.quick != nil, p.quick != nil && p.quick.det }

// Route returns the choices of a text of the rule without a forest, nil where there are none.
func Route(rule *grammar.Rule) func(text string) []int {
	t := newChars(rule)
	if t == nil {
		return nil
	}
	return func(text string) []int {
		_, choices, _, ok := t.measure(text)
		if !ok {
			return nil
		}
		out := make([]int, choices)
		t.choices(text, out)
		return out
	}
}
