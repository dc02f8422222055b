package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/sample"
)

// shape has the facts of a grammar that walks need.
type shape struct {
	g               *grammar.Grammar
	literals        []bool // by Expr.ID: choices among literals
	nonRecursive    []bool // by Expr.ID: the part is in a rule that is not recursive
	leavesRecursion []bool // by number of the alternative: it names no recursive rule
	paths           *paths
	given           bool // the bound was given, so that no walk may end outside
}

func newShape(g *grammar.Grammar) *shape {
	return &shape{g: g, literals: literalChoices(g), nonRecursive: nonRecursive(g), leavesRecursion: leavesRecursion(g), paths: newPaths(g)}
}

// walks returns the stream of walks with random weights. o says the bound, which must
// be given, the names, mask, layout and seed. hooks, if not nil, replace those of the
// names.
func (sh *shape) walks(ctx context.Context, o sample.Options, hooks func() derive.Hooks) (*Stream, error) {
	w := &randomWeights{shape: sh, bound: o.Bound, seed: o.Seed, hooks: hooks, memory: core.Budget(o.MaxMemory)}
	var err error
	if w.layout, err = derive.NewLayout(sh.g, o.Layout); err != nil {
		return nil, err
	}
	if hooks == nil {
		if w.names, err = gctx.New(sh.g, o.Names); err != nil {
			return nil, err
		}
	}
	w.facts = gctx.Facts(sh.g, w.names, o.Mask, o.Measure)
	if err := fits(sh.g, w.facts, w.bound); err != nil {
		return nil, err
	}
	if w.bound.ByDepth() {
		if err := w.memory.AskDerivation(fmt.Sprintf("derivations of a walk within %v", w.bound), w.facts.Size(sh.g.Root, grammar.Terminals, grammar.Any)); err != nil {
			return nil, err
		}
	}
	if w.names != nil && sh.given && w.bound.ByDepth() {
		needs, err := scope.Depth(sh.g, (*scope.Names)(w.names), w.facts, cmp.Or(w.bound.Repeat, count.DefaultRepeat))
		if err == nil && needs > w.bound.Depth {
			return nil, &count.EmptyError{Rule: sh.g.Start.Name, Bound: w.bound, Needs: needs, Names: true}
		}
	}
	m, err := w.machine()
	if err != nil {
		return nil, err
	}
	if o.Mask != nil || w.names != nil && sh.given {
		if w.names != nil {
			err = scope.Possible((*scope.Names)(w.names), w.facts)
		} else {
			_, err = m.Run(ctx, derive.Replay(nil))
		}
		switch {
		case errors.As(err, new(*gctx.StatesError)), errors.Is(err, core.ErrMemory): // looking ahead takes too much memory
			return nil, err
		case err != nil && !errors.As(err, new(*lex.JoinError)): // the configuration derives nothing
			return nil, cmp.Or(ctx.Err(), error(&count.EmptyError{Rule: sh.g.Start.Name, Bound: w.bound, Needs: grammar.Never, Names: w.names != nil}))
		}
	}
	if sh.given && !w.bound.ByDepth() && hooks == nil {
		o.Strategy, ctx = sample.Uniform, context.WithoutCancel(ctx)
		w.even = sync.OnceValues(func() (*sample.Sampler, error) { return sample.New(ctx, sh.g, o) })
		if b := w.bound; b.Min > w.facts.Size(sh.g.Root, b.Unit, grammar.Any) { // there may be no sentence
			if _, err := w.even(); errors.As(err, new(*count.EmptyError)) {
				return nil, err
			}
		}
	}
	s := &Stream{bound: w.bound, facts: sh.g.Facts(o.Mask, o.Measure)}
	s.open = func() source { return w.open(s) }
	return s, nil
}

// fits returns a [count.EmptyError] where the least depth or size of a sentence is not within the bound.
func fits(g *grammar.Grammar, facts *grammar.Facts, b count.Bound) error {
	e := &count.EmptyError{Rule: g.Start.Name, Bound: b, Needs: facts.Size(g.Root, b.Unit, grammar.Any)}
	if b.ByDepth() {
		e.Needs = facts.Depth(g.Root, grammar.Any)
		if e.Needs > b.Depth {
			return e
		}
	} else if e.Needs > b.Max {
		return e
	}
	return nil
}

// literalChoices finds the choices among literals.
func literalChoices(g *grammar.Grammar) []bool {
	leaf := make([]bool, len(g.Exprs))
	for _, e := range g.Exprs {
		leaf[e.ID] = e.Op == grammar.Choice && !slices.ContainsFunc(e.Children, func(k *grammar.Expr) bool { return k.Op != grammar.Lit })
	}
	return leaf
}

// nonRecursive finds the parts of rules that are not recursive. These are mostly names
// and numbers, in contrast to the levels of expressions and statements.
func nonRecursive(g *grammar.Grammar) []bool {
	in := make([]bool, len(g.Exprs))
	for i := range in {
		in[i] = true
	}
	for _, r := range g.Recursive() {
		r.Body.Walk(func(e *grammar.Expr) { in[e.ID] = false })
	}
	return in
}

// leavesRecursion finds the alternatives that name no recursive rule.
func leavesRecursion(g *grammar.Grammar) []bool {
	is := make([]bool, g.Alts)
	recursive := map[*grammar.Rule]bool{}
	for _, r := range g.Recursive() {
		recursive[r] = true
	}
	for _, e := range g.Exprs {
		if e.Op != grammar.Choice {
			continue
		}
		for i, k := range e.Children {
			is[e.FirstAlt+i] = true
			k.Walk(func(p *grammar.Expr) {
				if p.Op == grammar.Ref && recursive[p.Rule] {
					is[e.FirstAlt+i] = false
				}
			})
		}
	}
	return is
}
