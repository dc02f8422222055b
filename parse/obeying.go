package parse

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// ObeyingTries is how many trees of an ambiguous text are looked at for one that
// obeys the annotations.
const ObeyingTries = 1000

// UndecidedError says that none of the trees that were looked at obeys the
// annotations of the grammar, and that there are more trees.
type UndecidedError struct {
	Tried int
	Trees *big.Int
	Err   error // what is wrong with the first one, a [gctx.NameError]; nil where a bound was looked at, too
}

func (e *UndecidedError) Error() string {
	text := fmt.Sprintf("not decided: the text has %v trees, and in none of the first %d every name is where it may be", e.Trees, e.Tried)
	if e.Err != nil {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	return text
}

func (e *UndecidedError) Unwrap() error { return e.Err }

// Obeying returns the first of the forest's trees in which every name is where
// the annotations allow one (see [gctx.Names.Check]); with nil names that is the
// canonical tree. Errors: the canonical tree's [gctx.NameError] where no tree
// obeys, [UndecidedError] where none of the first [ObeyingTries] does and there
// are more, and those of [Forest.All]. It costs what the trees that it looks at
// cost.
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
		if tried++; tried == ObeyingTries {
			break
		}
	}
	trees, err := f.Count(ctx)
	if err != nil || trees.Cmp(big.NewInt(int64(tried))) <= 0 {
		return nil, errors.Join(wrong, err)
	}
	return nil, &UndecidedError{tried, trees, wrong}
}
