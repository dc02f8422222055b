package parse

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// maxObeying is the number of trees of an ambiguous text that are looked at for one
// that obeys the annotations.
const maxObeying = 1000

// ErrUndecided says that none of the trees that were looked at obeys the annotations
// of the grammar, and that there are more trees.
var ErrUndecided = errors.New("not decided")

// undecided is ErrUndecided with the numbers of trees.
func undecided(trees *big.Int, tried int) error {
	return fmt.Errorf("%w: the text has %v trees, and in none of the first %d every name is where it may be", ErrUndecided, trees, tried)
}

// Obeying returns the first tree that obeys the annotations about names (see
// [gctx.Names.Check]); with nil names that is the canonical tree. It fails with the
// canonical tree's [gctx.NameError] where no tree obeys, with [ErrUndecided] where
// none of the first 1,000 does and there are more, and with the errors of
// [Forest.All].
func (f *Forest) Obeying(ctx context.Context, names *gctx.Names) (*derive.Tree, error) {
	first, err := f.Tree(ctx)
	if err != nil || names == nil {
		return first, err
	}
	wrong := names.Check(first)
	if name := new(gctx.NameError); !errors.As(wrong, &name) {
		return first, wrong
	}
	tried := 0
	for tree, err := range f.All(ctx) {
		switch {
		case err != nil:
			return nil, err
		case names.Check(tree) == nil:
			return tree, nil
		}
		if tried++; tried == maxObeying {
			break
		}
	}
	trees, err := f.Count(ctx)
	if err != nil || trees.Cmp(big.NewInt(int64(tried))) <= 0 {
		return nil, errors.Join(wrong, err)
	}
	return nil, fmt.Errorf("%w (%v)", undecided(trees, tried), wrong)
}
