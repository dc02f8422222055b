package dist

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
)

// leaf is a derivation with its weight; weights of one list need not sum to 1. If
// tokens are leaves, it stands for all derivations that differ only in the texts of
// tokens, with the least texts as the example.
type leaf struct {
	structure []int // the choices outside of tokens
	choices   []int
	text      string
	alts      []int // the alternatives taken, by number in the grammar, each once
	p         *big.Rat
}

// errMany is the error of more sentences than can be enumerated.
var errMany = errors.New("more sentences than are enumerated")

// leaves lists the derivations that a strategy makes within the bound under one
// mask, each with its exact probability. If there is none, it returns a
// [count.EmptyError].
func leaves(ctx context.Context, g *grammar.Grammar, o sample.Options, most int) ([]leaf, error) {
	if o.Strategy == sample.Boltzmann {
		return nil, fmt.Errorf("strategy boltzmann is not certified: %w", errMany)
	}
	names, err := gctx.New(g, o.Names)
	if err != nil {
		return nil, err
	}
	l := &lister{g: g, o: o, most: most, names: names, facts: gctx.Facts(g, names, o.Mask, o.Measure)}
	b := o.Bound
	if o.Strategy == sample.Limit && !b.ByDepth() {
		return nil, fmt.Errorf("strategy limit goes by depth: give a depth, not a size")
	}
	least := l.facts.Depth(g.Root, grammar.Any)
	if least == grammar.Never || o.Strategy != sample.Limit && b.ByDepth() && least > b.Depth {
		return nil, &count.EmptyError{Rule: g.Start.Name, Bound: count.Bound{Depth: max(b.Depth, 1)}, Needs: least}
	}
	if err := l.tokens(); err != nil {
		return nil, err
	}
	if err := l.list(ctx); err != nil {
		return nil, err
	}
	if len(l.found) == 0 {
		return nil, &count.EmptyError{Rule: g.Start.Name, Bound: b}
	}
	if o.Strategy == sample.Uniform {
		l.even()
	}
	return l.normalised(), nil
}

// lister drives the machine through every sequence of choices.
type lister struct {
	names  *gctx.Names
	g      *grammar.Grammar
	o      sample.Options
	facts  *grammar.Facts
	most   int
	inside map[*grammar.Expr]bool // the expressions of tokens that count as leaves
	found  []leaf
	sizes  []int // the sizes of the leaves found
}

// tokens finds the expressions inside tokens, whose decisions do not matter: the
// text of a token is drawn separately. It fails if the text matters.
func (l *lister) tokens() error {
	l.inside = map[*grammar.Expr]bool{}
	for _, e := range l.g.Exprs {
		if e.Op != grammar.Ref || e.Rule == nil || !l.facts.Leaf(e) || e.Rule.Kind == grammar.Skip || !l.facts.Productive(e) {
			continue
		}
		l.within(e.Rule.Body)
		byBytes := !l.o.Bound.ByDepth() && l.o.Bound.Unit == grammar.Bytes
		switch {
		case single(e.Rule.Body, 0):
		case byBytes:
			return fmt.Errorf("%v: sizes in bytes depend on the text of token %s: %w; measure exact has it among the sentences", e.Pos, e.Rule.Name, errMany)
		case l.facts.Nullable(e):
			return fmt.Errorf("%v: the text of token %s may be empty: %w; measure exact has it among the sentences", e.Pos, e.Rule.Name, errMany)
		}
	}
	return nil
}

// within marks an expression and its descendants as inside of a token.
func (l *lister) within(e *grammar.Expr) {
	todo := []*grammar.Expr{e}
	for len(todo) > 0 {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.inside[e] {
			continue
		}
		l.inside[e] = true
		todo = append(todo, e.Children...)
		if e.Op == grammar.Ref && e.Rule != nil {
			todo = append(todo, e.Rule.Body)
		}
	}
}

// single reports whether an expression of a token has no decision.
func single(e *grammar.Expr, deep int) bool {
	switch {
	case e.Op == grammar.Lit:
		return true
	case e.Op == grammar.Seq:
		for _, k := range e.Children {
			if !single(k, deep) {
				return false
			}
		}
		return true
	case e.Op == grammar.Ref && deep < 100:
		return e.Rule != nil && single(e.Rule.Body, deep+1)
	}
	return false
}

// structure returns the choices of a tree outside of tokens that count as leaves,
// and the alternatives taken there, each once.
func structure(t *derive.Tree, f *grammar.Facts) (choices, alts []int) {
	seen := map[int]bool{}
	from := 0
	all := t.Choices()
	for i := 0; i < len(t.Nodes()); i++ {
		n := &t.Nodes()[i]
		switch {
		case n.Expr.Op == grammar.Ref && !n.Name && f.Leaf(n.Expr):
			choices = append(choices, all[from:n.From]...)
			from = n.To
			i = n.End - 1
		case n.Expr.Op == grammar.Choice && !n.Name && !seen[n.Expr.FirstAlt+n.Val]:
			seen[n.Expr.FirstAlt+n.Val] = true
			alts = append(alts, n.Expr.FirstAlt+n.Val)
		}
	}
	return append(choices, all[from:]...), alts
}

// option is a decision of the current derivation: the value taken, and the possible values.
type option struct {
	values []int
	p      []*big.Rat // nil: all equally likely
	at     int
}

func (l *lister) list(ctx context.Context) error {
	do := derive.Options{Facts: l.facts}
	b := l.o.Bound
	switch {
	case l.o.Strategy == sample.Limit:
	case b.ByDepth():
		do.MaxDepth, do.Repeat = b.Depth, b.Repeat
		if do.Repeat == 0 {
			do.Repeat = count.DefaultRepeat
		}
	default:
		do.MaxSize, do.Unit = b.Max, b.Unit
	}
	do.MaxNodes = maxNodes
	m, err := gctx.Machine(l.g, l.names, do)
	if err != nil {
		return err
	}
	var way []option
	for runs := 0; ; runs++ {
		if runs >= mostRuns(l.most) {
			return errMany
		}
		at := 0
		t, err := m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
			if at == len(way) {
				way = append(way, l.options(d))
			}
			at++
			w := &way[at-1]
			return w.values[w.at], nil
		}))
		switch {
		case errors.Is(err, derive.ErrTooLarge):
			return errMany
		case err != nil:
			return err
		}
		if size, ok := l.fits(t); ok {
			if len(l.found) == l.most {
				return errMany
			}
			outside, alts := structure(t, l.facts)
			l.found = append(l.found, leaf{outside, append([]int{}, t.Choices()...), t.Text(), alts, chance(way)})
			l.sizes = append(l.sizes, size)
		}
		for len(way) > 0 && way[len(way)-1].at == len(way[len(way)-1].values)-1 {
			way = way[:len(way)-1]
		}
		if len(way) == 0 {
			return nil
		}
		way[len(way)-1].at++
	}
}

// maxNodes bounds the size of a listed derivation: a sentence of an infinite set may itself be
// infinite.
const maxNodes = 100_000

// mostRuns bounds the derivations tried: a walk can end outside a range of sizes.
func mostRuns(most int) int { return 4*most + 1000 }

func (l *lister) fits(t *derive.Tree) (int, bool) {
	b := l.o.Bound
	if b.ByDepth() {
		return 0, true
	}
	n := derive.Size(t, l.facts, b.Unit)
	return n, n >= b.Min && n <= b.Max
}

// options returns the values that a strategy can take at a decision, with their probabilities;
// values of probability 0 are left out.
func (l *lister) options(d *derive.Decision) option {
	if l.inside[d.Expr] {
		return option{values: []int{derive.Default}}
	}
	o := option{values: make([]int, d.N)}
	for i := range o.values {
		o.values[i] = d.Value(i)
	}
	split := d.Kind == derive.Alternative || d.Kind == derive.GoOn
	switch {
	case l.o.Strategy == sample.Limit && d.Depth > l.o.Bound.Depth && split:
		return l.cheapest(d, o)
	case l.o.Strategy == sample.Weighted && d.Kind == derive.Alternative && d.Expr.Weights != nil:
		return byWeight(d, o)
	}
	return o
}

// cheapest keeps the alternatives of least height, as strategy limit does.
func (l *lister) cheapest(d *derive.Decision, o option) option {
	if d.Kind == derive.GoOn {
		o.values = o.values[:1]
		return o
	}
	least := grammar.Never
	for _, v := range o.values {
		least = min(least, l.facts.Depth(d.Expr.Children[v], d.Want))
	}
	var c option
	for _, v := range o.values {
		if l.facts.Depth(d.Expr.Children[v], d.Want) == least {
			c.values = append(c.values, v)
		}
	}
	return c
}

func byWeight(d *derive.Decision, o option) option {
	total := 0
	for _, v := range o.values {
		total += d.Expr.Weights[v]
	}
	if total == 0 {
		return o
	}
	var c option
	for _, v := range o.values {
		if w := d.Expr.Weights[v]; w > 0 {
			c.values, c.p = append(c.values, v), append(c.p, big.NewRat(int64(w), int64(total)))
		}
	}
	return c
}

// chance returns the probability of a sequence of decisions.
func chance(way []option) *big.Rat {
	p, num, n := new(big.Rat), big.NewInt(1), big.NewInt(1)
	k := new(big.Int)
	for _, w := range way {
		if w.p != nil {
			num.Mul(num, w.p[w.at].Num())
			n.Mul(n, w.p[w.at].Denom())
			continue
		}
		n.Mul(n, k.SetInt64(int64(len(w.values))))
	}
	return p.SetFrac(num, n)
}

// even sets the probabilities of uniform sampling: by depth all equal; by size as the spread
// demands.
func (l *lister) even() {
	many := map[int]int64{}
	for _, n := range l.sizes {
		many[n]++
	}
	for i, n := range l.sizes {
		share := int64(len(l.found))
		if !l.o.Bound.ByDepth() && l.o.Spread == sample.Even {
			share = many[n] * int64(len(many))
		}
		l.found[i].p = big.NewRat(1, share)
	}
}

// normalised makes the probabilities sum to 1: a walk that ends outside a range of sizes is
// repeated.
func (l *lister) normalised() []leaf {
	total := new(big.Rat)
	for _, f := range l.found {
		total.Add(total, f.p)
	}
	for i := range l.found {
		l.found[i].p = new(big.Rat).Quo(l.found[i].p, total)
	}
	return l.found
}

// key encodes a choice sequence as the key of a map.
func key(choices []int) string {
	var b []byte
	for _, c := range choices {
		b = binary.AppendVarint(b, int64(c))
	}
	return string(b)
}
