package parse

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Selection is what tests see of the trees within a bound.
type Selection struct{ *selection }

func (f *Forest) Within(ctx context.Context, b count.Bound, facts *grammar.Facts) (Selection, error) {
	s, err := f.within(ctx, b, facts)
	return Selection{s}, err
}

func (s Selection) Tree(ctx context.Context) (*derive.Tree, error) { return s.tree(ctx) }

// Count returns the number of trees within the bound.
func (s Selection) Count() *big.Int {
	n := new(big.Int)
	for _, i := range s.fits {
		n.Add(n, s.rootCells()[i].count)
	}
	return n
}
