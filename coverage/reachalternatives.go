package coverage

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/internal/lexical/ways"
)

// Alternatives returns a small set of sentences that together take all alternatives not yet
// counted in c, and counts them. Each sentence is led to one alternative after the other,
// always the nearest, and is the least one elsewhere. Each takes an alternative that no other
// takes. Options.MaxSize bounds a sentence; without it, a grammar with lists may need only
// one.
//
// If the lexer does not read a sentence, it takes optional parts between the tokens in
// conflict. If that fails, their alternatives wait until all others are taken, or are left to
// another sentence; finally a sentence with fewer alternatives is tried. Several sets are
// made. The smallest is taken, and its sentences are merged where one can continue with the
// alternatives of another.
//
// Alternatives without a sentence stay uncounted. The call takes time linear in the grammar for each
// alternative, and more if many tokens cannot be adjacent.
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
		attempts = r.attempts
		if len(best) <= 1 || attempts > maxAttempts {
			break
		}
	}
	for _, t := range best {
		c.Add(t)
	}
	return best, nil
}

// set makes sentences until no alternatives are left, and counts the alternatives that they
// take.
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

// dropNeedless returns the sentences without those whose alternatives are all taken by others,
// and the number of alternatives taken.
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

// reacher makes sentences that take given alternatives. It is also their chooser.
type reacher struct {
	c        *Coverage
	m        *derive.Machine
	up       *ways.Up
	all      []int // the alternatives not counted in c
	left     []int // those that no sentence takes yet and that are not given up
	isAll    map[int]bool
	below    *altsBelow
	lexical  []bool // by Expr.ID: inside a token
	returns  []bool // by alternative: it refers to its own rule
	finish   int    // the maximum depth of the least derivation of a rule
	attempts uint64
	patience int // tries of a sentence with an alternative that causes a conflict

	// Of the current sentence:
	before  []int // answers that it begins with
	trail   []int // the answers to all decisions so far
	stops   []int // positions in trail where a repetition ended
	rng     *rand.Rand
	random  randomness
	room    int          // number of goals it may still reach
	goals   map[int]bool // the alternatives to reach, by number
	stage   int          // alternatives with up to this many conflicts are goals by now
	stuck   map[int]bool // goals that the previous try did not reach: they may be unreachable
	origin  map[int]int  // by goal: the Expr.ID of the decision where the last way to it began
	astray  map[astray]bool
	begun   map[int]int  // number of ways begun to each goal
	opened  map[int]int  // by alternative that [reacher.stayOpen] took: the number of goals at that time
	listed  []int        // the goals in the field
	wanted  altSet       // the same as a set
	later   map[int]int  // number of conflicts caused by goals: they wait until there are no others
	barred  altSet       // alternatives to avoid: even waiting did not give a text
	filled  map[int]bool // by Expr.ID: optional parts to take, which separate two tokens in conflict
	field   ways.Field
	current bool   // the field is for the current goals
	under   []*way // the ways to goals, each begun off the previous one
	spare   []*way
}

// way is the way to one goal. A decision whose distance is greater than left is off the way.
type way struct {
	goal  int
	from  *grammar.Expr // its beginning, and the depth in rules there
	depth int
	field ways.Field
	left  uint16 // 0: reached
}

// astray is a pair of a decision, by Expr.ID, and a goal for which the lexer rejected the ways
// from there. Other places may still lead to the goal.
type astray struct{ from, goal int }

// randomness says which decisions off the ways are random.
type randomness uint8

const (
	nothingRandom randomness = iota
	tokensRandom
	allRandom // and some decisions off the ways
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
	spareDepth    = 20      // levels of a sentence beyond those its rules need
	maxReachNodes = 1 << 18 // of a sentence
	leastShare    = 4       // one in this many decisions off the ways is random, if any are
	variants      = 3       // tries of a sentence with the same number of alternatives
	wildVariants  = 60      // the same with one alternative
	maxBegun      = 6       // ways to one goal in a sentence
	maxFilled     = 64      // optional parts that a sentence takes between tokens
)

// patiences are the patience values of the sets that are made; the smallest set is taken.
// After a set that took more than maxAttempts tries, no other is made.
var patiences = []int{1, 4, 6, 4}

const maxAttempts = 700

// sentence returns a sentence and the alternatives that it takes; most bounds the number of
// alternatives taken on purpose. It returns nil if there was none. If most is 1, the first
// alternative is then given up.
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

// forget clears the conflicts of the previous sentence.
func (r *reacher) forget() {
	clear(r.barred)
	r.later, r.stuck, r.astray = make(map[int]int), nil, make(map[astray]bool)
	r.filled = make(map[int]bool)
}

// draft makes a sentence that begins with the answers before and then heads for the goals; most
// bounds their number.
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

// postpone makes an alternative wait for more of the others. If it caused too many conflicts,
// it is barred from this sentence; alternatives that wait may have failed only because of it.
func (r *reacher) postpone(n int) {
	r.later[n]++
	if r.later[n] <= r.patience {
		return
	}
	r.barred.add(n)
	for other := range r.later {
		if !r.barred.has(other) {
			r.later[other] = 1
		}
	}
}

// leftOut returns an untried optional part omitted between the misplaced terminal and the one
// before it, or nil if there is none.
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

// blame returns the goal without which the sentence may have a text. It is the innermost
// alternative of the misplaced terminal. If the lexer reads that terminal there, it is that
// alternative or the one of the terminal before, whichever caused more conflicts. It returns
// -1 if none of these is a goal.
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
		if n := innermost(tokens[first]); n >= 0 { // for example, a comment begins there
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

// tokensBefore returns the first nodes of all tokens before a node.
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

// takenBy returns the wanted alternatives that a tree takes.
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
