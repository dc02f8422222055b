package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
)

// binaryTrees are the trees of a text of a binary grammar that were found so far, in the order
// of the search.
type binaryTrees struct {
	r     *reading
	trees []*derive.Tree
}

// maxWrong bounds the trees with wrong fields that are skipped while looking for a correct
// one.
const maxWrong = 20_000

// correct starts the search for the trees of a text in which every field is right.
func (b *binaryGrammar) correct(ctx context.Context, text string) *binaryTrees {
	r := b.newReading(ctx, text, false)
	r.strict = true
	return &binaryTrees{r: r}
}

// to finds trees up to number i, or all of them where i is nil, and reports whether tree i
// exists.
func (b *binaryTrees) to(ctx context.Context, i *big.Int) (bool, error) {
	b.r.ctx = ctx
	for wrong := 0; i == nil || i.Cmp(big.NewInt(int64(len(b.trees)))) >= 0; {
		t, err := b.r.tree()
		switch {
		case err != nil:
			return false, err
		case t == nil:
			return false, nil
		case t.Text() == b.r.whole:
			b.trees = append(b.trees, t)
		default:
			wrong++
			if wrong == maxWrong {
				return false, fmt.Errorf("%w: the text can be read in more than %d ways, and in the first ones a field is wrong; lengths before their parts leave less to try", ErrUndecided, maxWrong)
			}
		}
	}
	return true, nil
}

func (b *binaryTrees) at(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	ok, err := b.to(ctx, i)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("the text has %d trees; there is no tree %v", len(b.trees), i)
	}
	return b.trees[i.Int64()], nil
}

func (b *binaryTrees) count(ctx context.Context) (*big.Int, error) {
	_, err := b.to(ctx, nil)
	return big.NewInt(int64(len(b.trees))), err
}

// first returns the first tree within w, or nil where there is none.
func (b *binaryTrees) first(ctx context.Context, w Within) (*derive.Tree, error) {
	for i := new(big.Int); ; i.Add(i, one) {
		ok, err := b.to(ctx, i)
		if !ok || err != nil {
			return nil, err
		}
		if t := b.trees[i.Int64()]; w.holds(t) {
			return t, nil
		}
	}
}

// parseBinary is [Parser.Parse] for a binary grammar.
func (p *Parser) parseBinary(ctx context.Context, name, text string) (*Forest, error) {
	f, t, err := p.mended(ctx, name, text)
	if t != nil {
		return nil, wrongField(name, text, t)
	}
	return f, err
}

// mended returns the forest of a text, or else the tree of the text with right fields.
func (p *Parser) mended(ctx context.Context, name, text string) (*Forest, *derive.Tree, error) {
	trees := p.binary.correct(ctx, text)
	ok, err := trees.to(ctx, new(big.Int))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if ok {
		return &Forest{p: p, text: text, root: -1, binary: trees}, nil, nil
	}
	if t, err := p.repaired(ctx, text); t != nil || err != nil {
		return nil, t, err
	}
	return nil, nil, p.binary.explained(ctx, name, text)
}

// explained says where the search for a text that has no tree gets stuck.
func (b *binaryGrammar) explained(ctx context.Context, name, text string) error {
	r := b.newReading(ctx, text, false)
	if t, err := r.tree(); err != nil || t != nil {
		return cmp.Or(err, error(wrongField(name, text, t)))
	}
	return r.explain(name)
}

// repaired returns a tree of a text whose fields may be wrong, or nil where there is none. It
// trusts the lengths at first. The text of the tree has a tree again.
func (p *Parser) repaired(ctx context.Context, text string) (*derive.Tree, error) {
	for _, free := range []bool{false, true} {
		r := p.binary.newReading(ctx, text, free)
		for range maxRepairs {
			t, err := r.tree()
			if err != nil {
				return nil, err
			}
			if t == nil {
				break
			}
			again, err := p.binary.correct(ctx, t.Text()).to(ctx, new(big.Int))
			if again || err != nil && !errors.Is(err, ErrUndecided) {
				return t, err
			}
		}
	}
	return nil, nil
}

// maxRepairs bounds the trees with wrong fields that are tried for one whose text is a sentence once
// its fields are right. Another length may make a part end elsewhere.
const maxRepairs = 20

// Repair returns a tree of a text whose computed fields may be wrong. The fields of the tree
// are right; a text that is a sentence has a tree of its own. Where the lengths in the text allow no
// tree, they are ignored too. Without computed fields, Repair returns the canonical tree. It fails as
// [Parser.Parse] does.
func (p *Parser) Repair(ctx context.Context, name, text string) (*derive.Tree, error) {
	var f *Forest
	var mended *derive.Tree
	var err error
	if p.binary != nil {
		f, mended, err = p.mended(ctx, name, text)
	} else {
		f, err = p.Parse(ctx, name, text)
	}
	if mended != nil || err != nil {
		return mended, err
	}
	return f.Tree(ctx)
}

// wrongField describes the first wrong field of a text. The tree t is that of the text with
// its fields corrected.
func wrongField(name, text string, t *derive.Tree) *Error {
	right := t.Text()
	first := 0
	for first < min(len(text), len(right)) && text[first] == right[first] {
		first++
	}
	wrong := func(at field.At) *Error {
		is := text[at.From:min(max(at.To, first+1), len(text))]
		return &Error{Pos: position(name, text, at.From), Offset: at.From,
			Found:    fmt.Sprintf("%q as @%s at byte %d", clip(is), at.Field.Name, at.From),
			Expected: []string{fmt.Sprintf("%q", clip(right[at.From:at.To]))}}
	}
	var wide *field.At // the last field of variable width before the difference
	for _, at := range slices.Backward(t.Fields()) {
		if at.From <= first && first <= at.To { // past its end if its width varies
			return wrong(at)
		}
		if wide == nil && at.From <= first && at.Field.Encoding.Variable() {
			wide = &at
		}
	}
	if wide == nil {
		panic("parse: a text without wrong fields differs from its tree's")
	}
	return wrong(*wide)
}

// explain says where the search got stuck.
func (r *reading) explain(name string) *Error {
	e := &Error{Pos: position(name, r.whole, r.far), Offset: r.far, Found: fmt.Sprintf("%s at byte %d", foundAt(r.whole, r.far), r.far)}
	if r.farIn >= 0 {
		e.Found = fmt.Sprintf("%s at byte %d of what the encoded part at byte %d stands for", foundAt(r.farText, r.farIn), r.farIn, r.far)
	}
	seen := map[string]bool{}
	for _, x := range r.expected {
		s := "the end of the part or of the text"
		if x.e != nil {
			s = r.describe(x.e)
		}
		if x.least > 0 {
			s = fmt.Sprintf("%d bytes or more, from %s on", x.least, s)
		}
		if !seen[s] && len(e.Expected) < maxExpected {
			seen[s] = true
			e.Expected = append(e.Expected, s)
		}
	}
	return e
}

// describe names the text expected at an expression.
func (r *reading) describe(e *grammar.Expr) string {
	switch {
	case e.Field != nil:
		return fmt.Sprintf("@%s of %d bytes", e.Field.Name, len(e.Text))
	case e.Op == grammar.Lit:
		return fmt.Sprintf("%q", clip(e.Text))
	case e.Op == grammar.Class:
		return classText(e)
	case e.Op == grammar.Ref:
		return e.Name
	}
	return fmt.Sprintf("the part at %v", e.Pos)
}
