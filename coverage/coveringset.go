package coverage

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// CoveringSet is a set of sentences that reaches the k-paths of a grammar.
type CoveringSet struct {
	Trees  []*derive.Tree
	Paths  int      // number of k-paths of the grammar
	Missed []string // paths without a sentence; mostly empty
}

// coverTries is the number of random sentences tried for a path that the direct construction
// does not reach.
const coverTries = 200

// maxCoinNodes bounds these sentences, since random choices may never end one.
const maxCoinNodes = 1 << 14

// Cover returns a small set of sentences that together reach every k-path of the grammar, in a
// fixed order. Each is the least sentence around some path, and each reaches a path that no
// other reaches. (The smallest such set would take exponential time.) Options.Layout stands
// between tokens; random layout is drawn from a fixed stream. The sentences obey the
// annotations of the grammar; paths into a name do not count. It fails with [ErrTooManyPaths]
// if the grammar has too many paths.
func Cover(ctx context.Context, g *grammar.Grammar, k int, o Options) (*CoveringSet, error) {
	o.K = k
	c, err := New(g, o)
	if err != nil {
		return nil, err
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	layout, err := derive.NewLayout(g, o.Layout)
	if err != nil {
		return nil, err
	}
	facts := gctx.Facts(g, names, nil, o.Measure)
	m, err := gctx.Machine(g, names, derive.Options{Facts: facts, Layout: layout})
	if err != nil {
		return nil, err
	}
	limit, err := leastDepth(g, names, facts)
	if err != nil {
		return nil, err
	}
	limited, err := gctx.Machine(g, names, derive.Options{Facts: facts, Layout: layout, MaxDepth: limit + len(g.Rules) + k, Repeat: 2, MaxNodes: maxCoinNodes})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(uint64(k), 0))
	coins := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })
	out := &CoveringSet{Paths: len(c.paths)}
	var reached [][]int // by tree: the paths reached
	take := func(m *derive.Machine, ch derive.Chooser, path int) error {
		t, err := m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			if d.Kind == derive.Gap {
				return coins(d)
			}
			return ch.Choose(d)
		}))
		if join := new(lex.JoinError); errors.As(err, &join) || errors.Is(err, derive.ErrTooLarge) {
			return nil // unreadable for the lexer, or endless
		}
		if err != nil {
			return err
		}
		had := c.hits[path]
		if mine := c.reachedBy(t); had == 0 && c.hits[path] > 0 {
			out.Trees, reached = append(out.Trees, t), append(reached, mine)
		} else {
			c.forget(mine)
		}
		return nil
	}
	for i := len(c.paths) - 1; i >= 0; i-- { // paths found last are the deepest
		if c.hits[i] > 0 {
			continue
		}
		w := &chainDeriver{graph: c.graph, chain: c.graph.chain(c.paths[i])}
		w.place(g.Root, grammar.Any)
		if err := take(m, derive.Replay(w.choices), i); err != nil {
			return nil, err
		}
		for try := 0; c.hits[i] == 0 && try < coverTries; try++ {
			if err := take(limited, coins, i); err != nil {
				return nil, err
			}
		}
		if c.hits[i] == 0 {
			out.Missed = append(out.Missed, c.graph.pathName(c.paths[i]))
		}
	}
	out.Trees = c.needed(out.Trees, reached)
	return out, nil
}

// leastDepth returns the least depth of a sentence of g, with names if it has any.
func leastDepth(g *grammar.Grammar, names *gctx.Names, facts *grammar.Facts) (int, error) {
	return scope.Depth(g, (*scope.Names)(names), facts, 2)
}

// reachedBy counts a tree and returns the paths that it reaches, each once.
func (c *Coverage) reachedBy(t *derive.Tree) []int {
	before := c.hits
	c.hits = make([]uint64, len(before))
	var mine []int
	c.visit(t, func(p int) { mine = append(mine, p) })
	c.hits = before
	for _, p := range mine {
		c.hits[p]++
	}
	return mine
}

// forget subtracts paths from the counts.
func (c *Coverage) forget(paths []int) {
	for _, p := range paths {
		c.hits[p]--
	}
}

// needed returns the trees without those whose paths are all reached by others.
func (c *Coverage) needed(trees []*derive.Tree, reached [][]int) []*derive.Tree {
	var out []*derive.Tree
	for i, t := range trees {
		if slices.ContainsFunc(reached[i], func(p int) bool { return c.hits[p] == 1 }) {
			out = append(out, t)
			continue
		}
		c.forget(reached[i])
	}
	return out
}

// chain returns the symbols from the start to the path and along it.
func (r *graph) chain(path []state) []state {
	var up []state
	for s := path[0]; s != r.start; {
		s = r.via[s]
		up = append(up, s)
	}
	slices.Reverse(up)
	return append(up, path...)
}

// chainDeriver makes the choices of the least sentence around a chain of symbols.
type chainDeriver struct {
	*graph
	chain   []state
	choices []int
}

// place appends the choices of a derivation of e that contains the rest of the chain. It
// returns false, with no choices, if e cannot contain the next symbol. Its recursion depth is
// the length of the chain plus the nesting of expressions.
func (w *chainDeriver) place(e *grammar.Expr, want grammar.Want) bool {
	if len(w.chain) == 0 {
		w.least(e)
		return true
	}
	if !w.holds(e, want) {
		return false
	}
	if sym, ok := w.symbol(e); ok {
		rest := w.chain[1:]
		w.chain = rest
		if len(rest) == 0 || w.symbols[sym].terminal {
			w.chain = nil
			w.least(e)
			return true
		}
		return w.place(e.Rule.Body, want)
	}
	switch e.Op {
	case grammar.Ref:
		return w.place(e.Rule.Body, want)
	case grammar.Choice:
		for i, k := range e.Children {
			if w.holds(k, want) {
				w.choices = append(w.choices, i)
				return w.place(k, want)
			}
		}
	case grammar.Seq:
		at := 0
		for !w.holds(e.Children[at], w.childWant(e, at, want)) {
			at++
		}
		for i, k := range e.Children {
			if i == at {
				w.place(k, w.childWant(e, i, want))
			} else {
				w.least(k)
			}
		}
		return true
	case grammar.Rep:
		return w.repeat(e, want)
	}
	return false
}

// repeat appends the choices of a repetition whose first element contains the chain.
func (w *chainDeriver) repeat(e *grammar.Expr, want grammar.Want) bool {
	for i := range max(e.Min, 1) {
		if i >= e.Min {
			w.choices = append(w.choices, 1)
		}
		if i == 0 {
			w.place(e.Children[0], w.elementWant(e, want))
		} else {
			w.least(e.Children[0])
		}
	}
	if max(e.Min, 1) != e.Max {
		w.choices = append(w.choices, 0)
	}
	return true
}

// holds reports whether e can contain the next symbol of the chain.
func (w *chainDeriver) holds(e *grammar.Expr, want grammar.Want) bool {
	found := false
	w.find(nil, e, want, func(s state) {
		found = found || s.sym == w.chain[0].sym && s.want <= w.chain[0].want
	})
	return found
}

// least appends the choices of the least derivation of e.
func (w *chainDeriver) least(e *grammar.Expr) {
	switch e.Op {
	case grammar.Class, grammar.Choice:
		w.choices = append(w.choices, derive.Default)
	case grammar.Ref:
		if e.Rule.Kind != grammar.Skip || e.Rule.Inline {
			w.least(e.Rule.Body)
		}
	case grammar.Seq:
		for _, k := range e.Children {
			w.least(k)
		}
	case grammar.Rep:
		for range e.Min {
			w.least(e.Children[0])
		}
		if e.Min != e.Max {
			w.choices = append(w.choices, derive.Default)
		}
	}
}
