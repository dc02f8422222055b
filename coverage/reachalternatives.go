package coverage

import (
	"context"
	"errors"
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
// tokens that are in the way; then their alternatives wait until it has all others, or are left
// to another sentence, and at last one with fewer is tried. Several sets are made, of which the
// smallest is taken, and joined where one sentence can go on with what another takes.
// Alternatives that no sentence was found for stay uncounted. It costs time linear in
// the grammar for each alternative, and more where many tokens cannot stand side by side.
func (c *Coverage) Alternatives(ctx context.Context) ([]*derive.Tree, error) {
	var best []*derive.Tree
	most, attempts := -1, uint64(0)
	for _, patience := range patiences {
		r, err := newReacher(c)
		if err != nil {
			return nil, err
		}
		r.attempts, r.patience = attempts, patience
		trees, reached, err := r.set(ctx)
		if err != nil {
			return nil, err
		}
		if reached > most || reached == most && len(trees) < len(best) {
			best, most = trees, reached
		}
		if attempts = r.attempts; len(best) <= 1 || attempts > maxAttempts {
			break
		}
	}
	for _, t := range best {
		c.Add(t)
	}
	return best, nil
}

// set makes sentences until no alternatives are left, and counts those that they take.
func (r *reacher) set(ctx context.Context) (trees []*derive.Tree, reached int, err error) {
	var list []made
	for most := len(r.left); len(r.left) > 0; {
		m, err := r.sentence(ctx, min(most, len(r.left)))
		switch {
		case err != nil:
			return nil, 0, err
		case m == nil:
			most = max(1, most/2)
			continue
		}
		most *= 2
		r.left = slices.DeleteFunc(r.left, func(n int) bool { return slices.Contains(m.took, n) })
		list = append(list, *m)
	}
	list, reached = dropNeedless(list)
	if list, err = r.merged(ctx, list); err != nil {
		return nil, 0, err
	}
	for _, m := range list {
		trees = append(trees, m.tree)
	}
	return trees, reached, nil
}

// dropNeedless returns the sentences without those whose alternatives others take too, and how many
// alternatives they take.
func dropNeedless(list []made) (needed []made, reached int) {
	count := make(map[int]int)
	for _, m := range list {
		for _, n := range m.took {
			count[n]++
		}
	}
	for _, m := range list {
		if slices.ContainsFunc(m.took, func(n int) bool { return count[n] == 1 }) {
			needed = append(needed, m)
			continue
		}
		for _, n := range m.took {
			count[n]--
		}
	}
	return needed, len(count)
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
	patience int // tries of a sentence with an alternative that is in the way

	// Of the sentence under way:
	before  []int // answers that it begins with
	trail   []int // what was answered to each decision so far
	stops   []int // places in it where a repetition ended
	rng     *rand.Rand
	random  randomness
	room    int          // how many alternatives it may still go to
	goals   map[int]bool // the alternatives to go to, by number
	stage   int          // those that were in the way so often are goals by now
	stuck   map[int]bool // goals that the try before did not come to: they may be out of reach
	origin  map[int]int  // by goal: the Expr.ID of the decision that the last way to it began at
	astray  map[astray]bool
	begun   map[int]int  // how often a way to one was begun
	opened  map[int]int  // by alternative that [reacher.stayOpen] took: the goals that there were
	listed  []int        // the goals in the field
	wanted  altSet       // the same
	later   map[int]int  // how often goals were in the way of a text: they wait until there are no others
	barred  altSet       // alternatives to keep away from: even so there was no text
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

// astray is a decision, by its expression's ID, and a goal that the lexer does not know
// where ways from there lead: it may elsewhere.
type astray struct{ from, goal int }

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

// patiences are those of the sets that are made, of which the smallest is taken. Where a set
// took more than maxAttempts tries, no other is made.
var patiences = []int{1, 4, 6, 4}

const maxAttempts = 700

// sentence returns a sentence that takes at most so many alternatives on purpose, and
// the alternatives that it takes. It returns nil where there was none, and gives the first
// alternative up if that is the only one.
func (r *reacher) sentence(ctx context.Context, most int) (*made, error) {
	tries := variants
	if most == 1 {
		tries += wildVariants
	}
	blamed := make(map[int]int)
	r.forget()
	for try := 0; try < tries; try++ {
		r.random = nothingRandom
		switch {
		case try >= variants:
			r.random = allRandom
		case try > 0:
			r.random = tokensRandom
		}
		goals := r.left
		if most == 1 {
			goals = r.left[:1]
		}
		t, err := r.draft(ctx, nil, goals, most)
		if unreadable := new(lex.JoinError); errors.As(err, &unreadable) {
			if e := r.leftOut(t, unreadable); e != nil && len(r.filled) < maxFilled {
				r.filled[e.ID] = true
				try--
			} else if n := r.blame(t, unreadable, goals, blamed); try == variants-1 && most > 1 && n >= 0 && !r.barred.has(n) {
				r.postpone(n)
				if from, ok := r.origin[n]; ok && unreadable.Unreadable {
					r.astray[astray{from, n}] = true
				}
				try--
			}
			continue
		}
		if errors.Is(err, derive.ErrTooLarge) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if took := r.takenBy(t); slices.ContainsFunc(took, func(n int) bool { return slices.Contains(r.left, n) }) {
			return r.made(t, took), nil
		}
	}
	if most == 1 {
		r.left = r.left[1:]
	}
	return nil, nil
}

// forget forgets what was in the way of another sentence.
func (r *reacher) forget() {
	clear(r.barred)
	r.later, r.stuck, r.astray = make(map[int]int), nil, make(map[astray]bool)
	r.filled = make(map[int]bool)
}

// draft makes a sentence that begins with some answers and then goes to at most so many of the goals.
func (r *reacher) draft(ctx context.Context, before, goals []int, most int) (*derive.Tree, error) {
	r.attempts++
	r.rng = rand.New(rand.NewPCG(r.attempts, 0))
	r.goals = make(map[int]bool, len(goals))
	for _, n := range goals {
		if r.later[n] == 0 {
			r.goals[n] = true
		}
	}
	r.origin = make(map[int]int)
	r.begun, r.opened = make(map[int]int, len(goals)), make(map[int]int)
	r.room, r.current, r.stage = most, false, 0
	r.spare, r.under = append(r.spare, r.under...), r.under[:0]
	r.before, r.trail, r.stops = before, r.trail[:0], r.stops[:0]
	t, err := r.m.Draft(ctx, r)
	r.stuck = r.goals
	return t, err
}

// postpone makes an alternative wait for more of the others. One that was in the way too often is
// barred from this sentence, and those that wait may have suffered from it only.
func (r *reacher) postpone(n int) {
	if r.later[n]++; r.later[n] <= r.patience {
		return
	}
	r.barred.add(n)
	for other := range r.later {
		if !r.barred.has(other) {
			r.later[other] = 1
		}
	}
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
	tokens := tokensBefore(t, at)
	if first := len(tokens) - err.Back; err.Back > 1 && first >= 0 {
		if n := innermost(tokens[first]); n >= 0 { // a comment begins there, say
			return n
		}
	}
	last := -1
	if len(tokens) > 0 {
		last = innermost(tokens[len(tokens)-1])
	}
	blamed[here]++
	blamed[last]++
	if last < 0 || here >= 0 && blamed[here] > blamed[last] {
		return here
	}
	return last
}

// tokensBefore returns the first nodes of the tokens of a tree before a node.
func tokensBefore(t *derive.Tree, before int) []int {
	var list []int
	for i := 0; i < before; i++ {
		n := &t.Nodes()[i]
		switch leaf := n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind == grammar.Token; {
		case leaf || n.Name:
			list = append(list, i)
			i = n.End - 1
		case n.Expr.Op == grammar.Lit && n.Expr.Text != "" || n.Expr.Op == grammar.Class:
			list = append(list, i)
		}
	}
	return list
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
