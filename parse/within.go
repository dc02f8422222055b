package parse

import (
	"cmp"
	"context"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Within selects the derivations of a text that compete for being its first tree, of measure
// exact.
type Within struct {
	Bound count.Bound
	Facts *grammar.Facts // of measure exact, with the mask; nil: no mask
	Names *gctx.Names    // a tree must obey them; nil: no condition
}

// First returns the tree whose choices come first among those of the text within w, or nil if
// there is none. Layout does not count for w: a text that is read as having no layout gives a
// tree without it. Messages call the text name. The cost is that of counting the forest, times
// the square of the number of distinct heights or sizes of its nodes. With names, trees are
// examined one by one. First fails as [Parser.Parse] does, and with [ErrUndecided] where none
// of the first 1,000 trees obeys the names.
func (p *Parser) First(ctx context.Context, name, text string, w Within) (*derive.Tree, error) {
	p = p.byChoices()
	forest, err := p.Parse(ctx, name, text)
	if err != nil {
		return nil, err
	}
	first, _, err := forest.first(ctx, w)
	if err != nil || !forest.lexed || first != nil && first.Gaps() != nil {
		return first, err
	}
	if forest, err = p.derivations(ctx, name, text, false); err != nil {
		return nil, err
	}
	first, _, err = forest.first(ctx, w)
	return first, err
}

// byChoices returns p with an order of trees that ignores precedences.
func (p *Parser) byChoices() *Parser {
	q := *p
	q.plain = true
	return &q
}

// IsFirst reports whether a tree within w is the first tree of its text. It competes with
// trees that have layout if it has layout, else with those without. Cost and errors are those
// of [Parser.First]; mostly the first of all trees is within w, and the cost is that of
// [Forest.Tree]. work is the amount of work, in parts of the forest.
func (p *Parser) IsFirst(ctx context.Context, tree *derive.Tree, w Within) (is bool, work int, err error) {
	forest, err := p.byChoices().derivations(ctx, "a sentence", tree.Text(), tree.Gaps() != nil)
	if err != nil {
		return false, 0, err
	}
	work = 1 + len(forest.nodes) + len(forest.children)
	first, compared, err := forest.first(ctx, w)
	work += compared / comparedParts
	if err != nil || first == nil {
		return false, work, err
	}
	return slices.Equal(first.Choices(), tree.Choices()), work, nil
}

// comparedParts is the number of choices compared in the time that a part of a forest takes.
const comparedParts = 4

// derivations returns the trees of a text. Without layout every derivation counts, not only
// those that the lexer would see.
func (p *Parser) derivations(ctx context.Context, name, text string, layout bool) (*Forest, error) {
	if p.lexer != nil && !layout {
		var err error
		if p, err = p.characters(ctx); err != nil {
			return nil, err
		}
	}
	return p.Parse(ctx, name, text)
}

// first returns the first tree within w, or nil if there is none, and the number of choices
// compared to find it. With names its error may be [ErrUndecided].
func (f *Forest) first(ctx context.Context, w Within) (first *derive.Tree, compared int, err error) {
	if w.Facts == nil {
		w.Facts = f.p.g.Facts(nil, grammar.Exact)
	}
	if w.Names != nil {
		first, err = f.search(ctx, func(t *derive.Tree) *derive.Tree {
			if named, err := w.Names.Convert(t); err == nil && w.holds(named) {
				return named
			}
			return nil
		})
		return first, 0, err
	}
	if f.binary != nil {
		first, err = f.binary.first(ctx, w)
		return first, 0, err
	}
	if first, err := f.Tree(ctx); err != nil || w.holds(first) && w.generates(first) {
		return first, 0, err // the first of all trees
	}
	return f.within(ctx, w.Bound, w.Facts)
}

// generates reports whether a tree uses only alternatives and characters that the facts
// include.
func (w Within) generates(tree *derive.Tree) bool {
	for i := range tree.Nodes() {
		switch n := &tree.Nodes()[i]; {
		case n.Expr.Op == grammar.Choice && !w.Facts.Mask.On(n.Expr, n.Val):
			return false
		case n.Expr.Op == grammar.Class && !w.Facts.Mask.Gen(n.Expr).Has(rune(n.Val)):
			return false
		}
	}
	return true
}

// holds reports whether a tree is within the bound.
func (w Within) holds(tree *derive.Tree) bool {
	b := w.Bound
	if !b.ByDepth() {
		n := derive.Size(tree, w.Facts, b.Unit)
		return n >= b.Min && n <= b.Max
	}
	repeat := cmp.Or(b.Repeat, count.DefaultRepeat)
	for i := range tree.Nodes() {
		n := &tree.Nodes()[i]
		if e := n.Expr; e.Op == grammar.Rep && e.Max < 0 && !n.Name && n.Val > max(e.Min, repeat) {
			return false
		}
	}
	return derive.Depth(tree, w.Facts) <= b.Depth
}
