package coverage

import (
	"context"
	"errors"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lex"
	"github.com/gramfuzz/gramfuzz/internal/ways"
)

// Alternatives returns a small set of sentences that together take all alternatives not
// yet counted in c, and counts them. Each sentence goes to one alternative after the
// other, always the nearest, and is the least one elsewhere; none has only alternatives
// that others take. Options.MaxSize bounds a sentence; without it a grammar with lists
// may need only one. Where no lexer reads a sentence, it takes optional parts between the
// tokens that are in the way; then their alternatives are left to another sentence, and at
// last one with fewer is tried.
// Alternatives that no sentence was found for stay uncounted. It costs time linear in
// the grammar for each alternative, and more where many tokens cannot stand side by side.
func (c *Coverage) Alternatives(ctx context.Context) ([]*derive.Tree, error) {
	r, err := newReacher(c)
	if err != nil {
		return nil, err
	}
	var out []*derive.Tree
	var taken [][]int // by sentence: the alternatives
	for most := len(r.left); len(r.left) > 0; {
		t, took, err := r.sentence(ctx, min(most, len(r.left)))
		switch {
		case err != nil:
			return nil, err
		case t == nil:
			most = max(1, most/2)
			continue
		}
		most *= 2
		r.left = slices.DeleteFunc(r.left, func(n int) bool { return slices.Contains(took, n) })
		out, taken = append(out, t), append(taken, took)
	}
	for _, t := range out {
		c.Add(t)
	}
	return dropNeedless(out, taken), nil
}

// dropNeedless returns the trees without those whose alternatives others take too.
func dropNeedless(trees []*derive.Tree, taken [][]int) []*derive.Tree {
	count := make(map[int]int)
	for _, took := range taken {
		for _, n := range took {
			count[n]++
		}
	}
	var out []*derive.Tree
	for i, t := range trees {
		if slices.ContainsFunc(taken[i], func(n int) bool { return count[n] == 1 }) {
			out = append(out, t)
			continue
		}
		for _, n := range taken[i] {
			count[n]--
		}
	}
	return out
}

// reacher makes sentences that take alternatives. It is the chooser of them too.
type reacher struct {
	c        *Coverage
	m        *derive.Machine
	up       *ways.Up
	all      []int // the alternatives not counted in c
	left     []int // those that no sentence takes and that are not given up
	isAll    map[int]bool
	below    *altsBelow
	lexical  []bool // by Expr.ID: inside of a token
	returns  []bool // by alternative: it names the rule that it is in
	finish   int    // the most levels that the least derivation of a rule takes
	attempts uint64
	lastErr  error

	// Of the sentence under way:
	rng     *rand.Rand
	random  randomness
	room    int          // how many alternatives it may still go to
	goals   map[int]bool // the alternatives to go to, by number
	begun   map[int]int  // how often a way to one was begun
	opened  map[int]int  // by alternative that [reacher.stayOpen] took: the goals that there were
	listed  []int        // the goals in the field
	wanted  altSet       // the same
	barred  altSet       // alternatives to keep away from: with them there was no text
	filled  map[int]bool // by Expr.ID: optional parts to take, without which two tokens could not stand side by side
	field   ways.Field
	current bool   // the field is of the present goals
	under   []*way // the ways to goals, each begun beside the one before
	spare   []*way
}

// way is the way to one goal. Where left is less than the distance of a decision, the
// decision is beside the way.
type way struct {
	goal  int
	from  *grammar.Expr // where it begins, and how deep in rules
	depth int
	field ways.Field
	left  uint16 // 0: it is reached
}

// randomness says what is random beside the ways.
type randomness uint8

const (
	nothingRandom randomness = iota
	tokensRandom
	allRandom // and some decisions beside the ways
)

func newReacher(c *Coverage) (*reacher, error) {
	g := c.graph.g
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	layout, err := derive.NewLayout(g, c.o.Layout)
	if err != nil {
		return nil, err
	}
	facts := gctx.Facts(g, names, nil, c.o.Measure)
	depth, err := leastDepth(g, names, facts)
	if err != nil {
		return nil, err
	}
	r := &reacher{c: c, up: ways.New(g), below: newAltsBelow(g), wanted: make(altSet, (g.Alts+63)/64), barred: make(altSet, (g.Alts+63)/64), isAll: make(map[int]bool), lexical: make([]bool, len(g.Exprs)), returns: make([]bool, g.Alts)}
	if r.m, err = gctx.Machine(g, names, derive.Options{Facts: facts, Layout: layout, MaxDepth: depth + 2*len(g.Rules) + spareDepth,
		MaxSize: c.o.MaxSize, Unit: grammar.Terminals, MaxNodes: maxReachNodes}); err != nil {
		return nil, err
	}
	for _, rule := range g.Rules {
		if depth := facts.Depth(rule.Body, grammar.NonEmpty); depth != grammar.Never {
			r.finish = max(r.finish, depth)
		}
		rule.Body.Walk(func(e *grammar.Expr) {
			r.lexical[e.ID] = rule.Kind.Lexical()
			if e.Op != grammar.Choice {
				return
			}
			for i, k := range e.Children {
				k.Walk(func(k *grammar.Expr) {
					r.returns[e.FirstAlt+i] = r.returns[e.FirstAlt+i] || k.Op == grammar.Ref && k.Rule == rule
				})
			}
		})
	}
	for _, n := range c.graph.alternatives() {
		if c.alts[n] == 0 {
			r.all, r.isAll[n] = append(r.all, n), true
		}
	}
	r.left = slices.Clone(r.all)
	return r, nil
}

const (
	spareDepth    = 20      // levels of a sentence beyond those that its rules need
	maxReachNodes = 1 << 18 // of a sentence
	leastShare    = 4       // one of so many decisions beside the ways is random, where any are
	variants      = 3       // tries of a sentence with so many alternatives
	wildVariants  = 60      // and with one
	maxBegun      = 6       // ways to one goal in a sentence
	maxFilled     = 64      // optional parts that a sentence takes between tokens
)

// sentence returns a sentence that takes at most so many alternatives on purpose, and
// the alternatives that it takes. It returns nil where there was none, and gives the first
// alternative up if that is the only one.
func (r *reacher) sentence(ctx context.Context, most int) (*derive.Tree, []int, error) {
	tries := variants
	if most == 1 {
		tries += wildVariants
	}
	blamed := make(map[int]int)
	clear(r.barred)
	r.filled = make(map[int]bool)
	for try := 0; try < tries; try++ {
		r.random = nothingRandom
		switch {
		case try >= variants:
			r.random = allRandom
		case try > 0:
			r.random = tokensRandom
		}
		r.attempts++
		r.rng = rand.New(rand.NewPCG(r.attempts, 0))
		goals := r.left
		if most == 1 {
			goals = r.left[:1]
		}
		r.goals = make(map[int]bool, len(goals))
		for _, n := range goals {
			r.goals[n] = !r.barred.has(n)
		}
		maps.DeleteFunc(r.goals, func(_ int, is bool) bool { return !is })
		r.begun, r.opened = make(map[int]int, len(goals)), make(map[int]int)
		r.room, r.current = most, false
		r.spare, r.under = append(r.spare, r.under...), r.under[:0]
		t, err := r.m.Draft(ctx, r)
		r.lastErr = err
		if unreadable := new(lex.JoinError); errors.As(err, &unreadable) {
			if e := r.leftOut(t, unreadable); e != nil && len(r.filled) < maxFilled {
				r.filled[e.ID] = true
				try--
			} else if n := r.blame(t, unreadable, goals, blamed); try == variants-1 && most > 1 && n >= 0 && !r.barred.has(n) {
				r.barred.add(n) // for this sentence
				try--
			}
			continue
		}
		if errors.Is(err, derive.ErrTooLarge) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if took := r.takenBy(t); slices.ContainsFunc(took, func(n int) bool { return slices.Contains(r.left, n) }) {
			return t.Clone(), took, nil
		}
	}
	if most == 1 {
		r.left = r.left[1:]
	}
	return nil, nil, nil
}

// leftOut returns an optional part that is left out between the terminal that cannot stand
// where it does and the one before it, and that was not tried yet; nil where there is none.
func (r *reacher) leftOut(t *derive.Tree, err *lex.JoinError) *grammar.Expr {
	if err.Unreadable {
		return nil
	}
	for i := err.Node - 1; i > 0; i-- {
		switch e := t.Nodes()[i].Expr; {
		case e.Op == grammar.Lit || e.Op == grammar.Class:
			return nil
		case e.Op == grammar.Rep && e.Max == 1 && t.Nodes()[i].Val == 0 && !r.lexical[e.ID] && !r.filled[e.ID]:
			return e
		}
	}
	return nil
}

// blame returns the goal without which the sentence may have a text: the innermost
// alternative of the terminal that cannot stand where it does or, where the lexer reads
// it there, of that or the one before it, whichever was in the way more often. It
// returns -1 where none of these is a goal.
func (r *reacher) blame(t *derive.Tree, err *lex.JoinError, goals []int, blamed map[int]int) int {
	at := err.Node
	innermost := func(of int) int {
		found := -1
		for i := 0; i < of; i++ {
			n := &t.Nodes()[i]
			if n.End <= of {
				i = n.End - 1
				continue
			}
			if alt := n.Expr.FirstAlt + n.Val; n.Expr.Op == grammar.Choice && !n.Name && slices.Contains(goals, alt) {
				found = alt
			}
		}
		return found
	}
	here := innermost(at)
	if at == len(t.Nodes()) {
		here = -1
	}
	if err.Unreadable {
		return here
	}
	last := -1
	for i := at - 1; i > 0 && last < 0; i-- {
		if op := t.Nodes()[i].Expr.Op; op == grammar.Lit || op == grammar.Class {
			last = innermost(i)
			break
		}
	}
	blamed[here]++
	blamed[last]++
	if last < 0 || here >= 0 && blamed[here] > blamed[last] {
		return here
	}
	return last
}

// takenBy returns the alternatives that a tree takes, of those that are to be taken.
func (r *reacher) takenBy(t *derive.Tree) []int {
	var took []int
	seen := make(map[int]bool)
	for i := range t.Nodes() {
		n := &t.Nodes()[i]
		if n.Expr.Op != grammar.Choice || n.Name {
			continue
		}
		if alt := n.Expr.FirstAlt + n.Val; r.isAll[alt] && !seen[alt] {
			seen[alt] = true
			took = append(took, alt)
		}
	}
	return took
}

// Choose goes on with the ways under way, begins one to the nearest goal beside them, and
// makes the least derivation where no way leads to a goal.
func (r *reacher) Choose(d *derive.Decision) (int, error) {
	switch d.Kind {
	case derive.Gap:
		return d.Value(r.rng.IntN(d.N)), nil
	case derive.Alternative, derive.GoOn:
		for i := len(r.under) - 1; i >= 0; i-- {
			w := r.under[i]
			here := w.field.Steps[d.Expr.ID]
			if here > w.left {
				if d.Depth < w.depth || d.Expr == w.from && d.Depth == w.depth {
					r.end(i) // it led past here without reaching the goal
				}
				continue
			}
			v, next := r.nearest(&w.field, d)
			if next == nil || w.field.Steps[next.ID] >= here { // the way is barred
				r.end(i)
				continue
			}
			if w.left = w.field.Steps[next.ID]; w.left == 0 {
				r.end(i)
				if d.Kind == derive.Alternative {
					v = r.better(d, w.goal, v)
				}
			}
			return v, nil
		}
		if v, ok := r.setOut(d); ok {
			return v, nil
		}
	}
	return r.beside(d), nil
}

// better returns the alternative to take at the end of a way, whose goal is value v: a way
// goes to the nearest goal, but below another one here may be more.
func (r *reacher) better(d *derive.Decision, goal, v int) int {
	r.goals[goal], r.current = true, false
	r.room++
	if other, ok := r.setOut(d); ok {
		return other
	}
	delete(r.goals, goal)
	r.room--
	return v
}

// end ends a way. Where it has not reached its goal, another may begin.
func (r *reacher) end(i int) {
	w := r.under[i]
	if w.left > 0 && r.begun[w.goal] < maxBegun {
		r.goals[w.goal], r.current = true, false
		r.room++
	}
	r.under = slices.Delete(r.under, i, i+1)
	r.spare = append(r.spare, w)
}

// setOut begins the way to the nearest goal, if there is one.
func (r *reacher) setOut(d *derive.Decision) (v int, ok bool) {
	if r.room == 0 {
		return 0, false
	}
	if !r.current {
		r.fill()
	}
	v, next := r.nearest(&r.field, d)
	if next == nil || int(r.field.Levels[next.ID])+r.finish >= d.Left {
		return 0, false
	}
	if y, ok := r.stayOpen(d, next); ok {
		return y, true
	}
	n := r.listed[r.field.Nearest[next.ID]]
	delete(r.goals, n)
	r.current = false
	r.room--
	if d.Kind == derive.Alternative && r.field.Steps[next.ID] == 0 {
		return v, true
	}
	if len(r.spare) == 0 {
		r.spare = append(r.spare, &way{})
	}
	w := r.spare[len(r.spare)-1]
	r.spare = r.spare[:len(r.spare)-1]
	a := r.c.graph.alts[n]
	w.field.Fill(r.up, nil, a.e.Children[a.i])
	w.goal, w.from, w.depth, w.left = n, d.Expr, d.Depth, w.field.Steps[next.ID]
	r.begun[n]++
	r.under = append(r.under, w)
	return v, true
}

// stayOpen returns an alternative that comes back to its own rule, as in a list that is
// written with recursion, where no fewer goals are below it than below next. It does not
// take one again before some goal is reached.
func (r *reacher) stayOpen(d *derive.Decision, next *grammar.Expr) (v int, ok bool) {
	if d.Kind != derive.Alternative {
		return 0, false
	}
	least := max(2, r.goalsBelow(next))
	for i := range d.N {
		v := d.Value(i)
		e, n := d.Expr.Children[v], d.Expr.FirstAlt+v
		if e == next || r.goals[n] || !r.returns[n] || int(r.field.Levels[e.ID])+r.finish >= d.Left {
			continue
		}
		if was, again := r.opened[n]; again && was <= len(r.goals) || r.goalsBelow(e) < least {
			continue
		}
		r.opened[n] = len(r.goals)
		return v, true
	}
	return 0, false
}

// nearest returns the value that leads nearest to a target, and the expression that it
// leads to; nil where none leads to any.
func (r *reacher) nearest(f *ways.Field, d *derive.Decision) (v int, next *grammar.Expr) {
	if f.Steps[d.Expr.ID] == ways.Unreachable {
		return 0, nil
	}
	if d.Kind == derive.GoOn {
		if e := d.Expr.Children[0]; f.Steps[e.ID] != ways.Unreachable && d.Can(1) {
			return 1, e
		}
		return 0, nil
	}
	best, most := uint16(ways.Unreachable), -1
	for i := range d.N {
		e := d.Expr.Children[d.Value(i)]
		steps := f.Steps[e.ID]
		switch {
		case steps == ways.Unreachable || steps > best:
		case steps > 0 && steps < best:
			best, v, next = steps, d.Value(i), e
		case steps == 0: // of several targets the one below which are most goals, of equals one that comes back here
			n := 2 * r.goalsBelow(e)
			if r.returns[d.Expr.FirstAlt+d.Value(i)] {
				n++
			}
			if n > most {
				best, most, v, next = 0, n, d.Value(i), e
			}
		}
	}
	return v, next
}

// goalsBelow counts the goals below e.
func (r *reacher) goalsBelow(e *grammar.Expr) int {
	n := 0
	for i, word := range r.below.of(e) {
		n += bits.OnesCount64(word & r.wanted[i])
	}
	return n
}

// fill finds the ways to the goals.
func (r *reacher) fill() {
	r.listed = r.listed[:0]
	clear(r.wanted)
	var targets []*grammar.Expr
	for _, n := range r.all {
		if r.goals[n] {
			r.wanted.add(n)
			a := r.c.graph.alts[n]
			r.listed, targets = append(r.listed, n), append(targets, a.e.Children[a.i])
		}
	}
	r.field.Fill(r.up, nil, targets...)
	r.current = true
}

// beside answers a decision that leads to no goal.
func (r *reacher) beside(d *derive.Decision) int {
	if v, ok := r.around(d); ok {
		return v
	}
	if d.Kind == derive.GoOn && r.filled[d.Expr.ID] && d.Can(1) {
		return 1
	}
	switch {
	case r.random == nothingRandom,
		!r.lexical[d.Expr.ID] && (r.random == tokensRandom || r.rng.IntN(leastShare) > 0):
		return derive.Default
	case d.Kind == derive.GoOn && r.rng.IntN(3) > 0:
		return d.Value(0)
	}
	return d.Value(r.rng.IntN(d.N))
}

// around returns the alternative of least depth that is not barred, where there may be
// barred ones below.
func (r *reacher) around(d *derive.Decision) (v int, ok bool) {
	if d.Kind != derive.Alternative || !r.below.of(d.Expr).meets(r.barred) {
		return 0, false
	}
	best := grammar.Never
	for i := range d.N {
		n := d.Value(i)
		depth := r.m.Facts().Depth(d.Expr.Children[n], grammar.Any)
		if !r.barred.has(d.Expr.FirstAlt+n) && depth < best {
			best, v, ok = depth, n, true
		}
	}
	return v, ok
}
