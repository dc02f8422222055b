package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// maxObeying is the maximum number of trees of an ambiguous text that are searched for one
// that obeys the annotations.
const maxObeying = 1000

// ErrUndecided says that none of the trees that were searched obeys the annotations of the
// grammar, and that there are more trees.
var ErrUndecided = errors.New("not decided")

// search returns the first non-nil result of fits on the forest's trees, in order, or nil if
// there is none. Past maxObeying trees the error is [ErrUndecided].
func (f *Forest) search(ctx context.Context, fits func(*derive.Tree) *derive.Tree) (*derive.Tree, error) {
	tried := 0
	for tree, err := range f.All(ctx) {
		if err != nil {
			return nil, err
		}
		if tried == maxObeying {
			trees, err := f.Count(ctx)
			return nil, cmp.Or(err, fmt.Errorf("%w: the text has %v trees, and in none of the first %d every name is where it may be", ErrUndecided, trees, tried))
		}
		tree = fits(tree)
		if tree != nil {
			return tree, nil
		}
		tried++
	}
	return nil, nil
}

// Obeying returns the first tree that obeys the annotations about names (see
// [gctx.Names.Check]); with nil names that is the canonical tree. It fails with the
// canonical tree's [gctx.NameError] where no tree obeys, with [ErrUndecided] where
// none of the first 1,000 does and there are more, and with the errors of
// [Forest.All]. As in [Parser.Parse], a text whose tokens have no such tree is read again by
// characters.
func (f *Forest) Obeying(ctx context.Context, names *gctx.Names) (*derive.Tree, error) {
	tree, err := f.obeying(ctx, names)
	if p := f.p; !errors.As(err, new(*gctx.NameError)) || p.byChars == nil || p.layout || p.settle {
		return tree, err
	}
	cp, cerr := f.p.characters(ctx)
	if cerr != nil {
		return nil, cerr
	}
	chars, cerr := cp.parse(ctx, "", f.text)
	if cerr != nil {
		return nil, cerr
	}
	tree, cerr = chars.obeying(ctx, names)
	if errors.As(cerr, new(*gctx.NameError)) {
		return nil, err
	}
	return tree, cerr
}

func (f *Forest) obeying(ctx context.Context, names *gctx.Names) (*derive.Tree, error) {
	first, err := f.Tree(ctx)
	if err != nil || names == nil {
		return first, err
	}
	wrong := names.Check(first)
	if name := new(gctx.NameError); !errors.As(wrong, &name) {
		return first, wrong
	}
	tree, err := f.search(ctx, func(t *derive.Tree) *derive.Tree {
		if names.Check(t) != nil {
			return nil
		}
		return t
	})
	switch {
	case errors.Is(err, ErrUndecided):
		return nil, fmt.Errorf("%w (%v)", err, wrong)
	case tree == nil && err == nil:
		return nil, wrong
	}
	return tree, err
}
