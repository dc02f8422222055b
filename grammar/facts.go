package grammar

import (
	"math"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Measure determines which derivations are distinct.
type Measure uint8

// The measures. They coincide in a grammar without tokens.
const (
	Structure Measure = iota // a token is one leaf; its text is drawn separately
	Exact                    // the inside of a token counts like any other rule
)

func (m Measure) String() string { return [...]string{"structure", "exact"}[m] }

// Unit is a unit of the size of a sentence.
type Unit uint8

// The units of size.
const (
	Terminals Unit = iota // non-empty literals, class members, tokens
	Bytes                 // bytes of the text without layout
	Nodes                 // rule applications, including the start's, and terminals
)

func (u Unit) String() string { return [...]string{"terminals", "bytes", "nodes"}[u] }

// Want restricts whether a derivation may be of the empty text. An element of an unbounded
// repetition has to be [NonEmpty]: empty elements would give one sentence infinitely many
// derivations.
type Want uint8

// The kinds of derivations.
const (
	Any Want = iota
	NonEmpty
	OnlyEmpty // not for [Facts.Depth] and [Facts.Size]: its size in bytes is 0
)

// Never is the least depth or size of an expression without a derivation.
const Never = math.MaxInt32

// Facts are least depths and sizes under one mask and measure.
type Facts struct {
	Mask    *Mask
	Measure Measure
	names   []int      // by Expr.ID: bytes of the shortest name in its place, else 0; nil: no names
	least   [][2]least // by Expr.ID and Want
}

// least has the least values of the derivations of an expression: all of them, or the non-empty
// ones. Without a derivation all are Never.
type least struct {
	depth int32
	size  [3]int32 // by Unit
}

var noLeast = least{Never, [3]int32{Never, Never, Never}}

// Facts computes least depths and sizes of every expression under a mask and a measure. A nil
// mask leaves everything on; that result is computed once. A rule is visited once, and again
// whenever a rule that it refers to gets a lower value: a few times for most grammars.
func (g *Grammar) Facts(mask *Mask, measure Measure) *Facts {
	if mask != nil || g.facts == nil {
		return g.NamedFacts(mask, measure, nil)
	}
	known := &g.facts[measure]
	if known.Load() == nil {
		known.Store(g.NamedFacts(nil, measure, nil))
	}
	return known.Load()
}

// NamedFacts is Facts with some expressions replaced by names. A name is one text in place of
// the expression's derivations: one terminal, one node and no level of depth. names has, for
// every Expr.ID, the bytes of the shortest such text, or 0 if the expression is no name; nil is
// Facts itself.
func (g *Grammar) NamedFacts(mask *Mask, measure Measure, names []int) *Facts {
	f := &Facts{Mask: mask, Measure: measure, names: names, least: make([][2]least, len(g.Exprs))}
	for i := range f.least {
		f.least[i] = [2]least{noLeast, noLeast}
	}
	if g.Root == nil {
		return f
	}
	// Least fixed point from above: values only decrease.
	queue := g.usedFirst()
	waits := make([]bool, len(g.Rules))
	for i := range waits {
		waits[i] = true
	}
	for len(queue) > 0 {
		r := queue[0]
		queue = queue[1:]
		waits[r.ID] = false
		if !f.lowerBody(g.bodyExprs(r)) {
			continue
		}
		for _, user := range g.users[r.ID] {
			if !waits[user.ID] {
				waits[user.ID] = true
				queue = append(queue, user)
			}
		}
	}
	f.lowerBody(g.Exprs[g.Root.ID:])
	return f
}

// usedFirst returns the rules, each after the rules that it refers to, except where they refer
// to each other.
func (g *Grammar) usedFirst() []*Rule {
	missing := make([]int, len(g.Rules)) // rules that a rule refers to and that are not in the order
	for _, users := range g.users {
		for _, user := range users {
			missing[user.ID]++
		}
	}
	order, in := make([]*Rule, 0, len(g.Rules)), make([]bool, len(g.Rules))
	add := func(r *Rule) { order, in[r.ID] = append(order, r), true }
	for next, i := 0, len(g.Rules)-1; i >= 0; i-- {
		if !in[i] && missing[i] == 0 {
			add(g.Rules[i])
		}
		for ; next < len(order); next++ {
			for _, user := range g.users[order[next].ID] {
				missing[user.ID]--
				if missing[user.ID] == 0 && !in[user.ID] {
					add(user)
				}
			}
		}
	}
	for i := len(g.Rules) - 1; i >= 0; i-- {
		if !in[i] {
			add(g.Rules[i])
		}
	}
	return order
}

// lowerBody recomputes the expressions of one body and reports whether a value of the first,
// the body itself, decreased. Children come after their parents, so one backward pass settles
// the whole body.
func (f *Facts) lowerBody(exprs []*Expr) bool {
	changed := false
	for _, e := range slices.Backward(exprs) {
		changed = false
		for w, now := range f.of(e) {
			at := &f.least[e.ID][w]
			if before := *at; now != before {
				*at = before.min(now)
				changed = changed || *at != before
			}
		}
	}
	return changed
}

// Depth returns the least number of levels of nested rules below e, or Never if there is no
// derivation. It is 0 for a literal; for a reference, it is 1 more than for the rule's body.
func (f *Facts) Depth(e *Expr, w Want) int { return int(f.least[e.ID][w].depth) }

// Size returns the least size of a derivation of e, or Never if there is none.
func (f *Facts) Size(e *Expr, u Unit, w Want) int { return int(f.least[e.ID][w].size[u]) }

// Productive reports whether e has a derivation.
func (f *Facts) Productive(e *Expr) bool { return f.least[e.ID][Any].depth != Never }

// Nullable reports whether e derives the empty text.
func (f *Facts) Nullable(e *Expr) bool { return f.least[e.ID][Any].size[Bytes] == 0 }

// CanBeNonEmpty reports whether e derives a non-empty text.
func (f *Facts) CanBeNonEmpty(e *Expr) bool { return f.least[e.ID][NonEmpty].depth != Never }

// Derives reports whether e has a derivation of the given kind.
func (f *Facts) Derives(e *Expr, w Want) bool {
	switch w {
	case NonEmpty:
		return f.CanBeNonEmpty(e)
	case OnlyEmpty:
		return f.Nullable(e)
	}
	return f.Productive(e)
}

// ElementWant returns the kind of an element of the repetition e beyond the least number:
// NonEmpty if e is unbounded and its element could be empty.
func (f *Facts) ElementWant(e *Expr) Want {
	if e.Max < 0 && f.Nullable(e.Children[0]) {
		return NonEmpty
	}
	return Any
}

// Level returns the depth added by the reference e: 1, but 0 for an inline helper and for a
// token that is a leaf.
func (f *Facts) Level(e *Expr) int {
	if e.Rule.Inline || f.Measure == Structure && e.Rule.Kind.Lexical() {
		return 0
	}
	return 1
}

// Leaf reports whether the reference e is a token that counts as one leaf.
func (f *Facts) Leaf(e *Expr) bool {
	return f.Measure == Structure && e.Rule.Kind.Lexical() && !e.Rule.Inline
}

// of computes the least values of e from those of its children, for Any and NonEmpty.
func (f *Facts) of(e *Expr) [2]least {
	if f.names != nil && f.names[e.ID] > 0 {
		return both(terminal(f.names[e.ID]))
	}
	switch e.Op {
	case Lit:
		if e.Text == "" {
			return [2]least{{}, noLeast}
		}
		return both(terminal(len(e.Text)))
	case Class:
		set := f.Mask.Gen(e)
		if set.Len() == 0 {
			return both(noLeast)
		}
		return both(terminal(rawbyte.Len(set.At(0)))) // the least member takes the fewest bytes
	case Ref:
		return f.ofRef(e)
	}
	is := f.combine(e)
	if e.Resize.Adds() {
		for w := range is {
			if size := int(is[w].size[Bytes]); size < Never/2 {
				is[w].size[Bytes] = int32(e.Resize.Forward(size))
			}
		}
	}
	return is
}

func both(l least) [2]least { return [2]least{l, l} }

// terminal is the least value of a terminal of some bytes.
func terminal(bytes int) least { return least{0, [3]int32{1, int32(bytes), 1}} }

func (f *Facts) ofRef(e *Expr) [2]least {
	switch {
	case e.Rule == nil || !f.Mask.ruleOn(e.Rule):
		return both(noLeast)
	case e.Rule.Kind == Skip && !e.Rule.Inline: // layout generates nothing
		return [2]least{{}, noLeast}
	}
	is := f.least[e.Rule.Body.ID]
	for w := range is {
		switch l := &is[w]; {
		case l.depth == Never:
		case f.Leaf(e):
			*l = terminal(int(l.size[Bytes]))
		default:
			l.depth = plus(l.depth, int32(f.Level(e)))
			if !e.Rule.Inline {
				l.size[Nodes] = plus(l.size[Nodes], 1)
			}
		}
	}
	return is
}

// combine computes the least values of a compound expression.
func (f *Facts) combine(e *Expr) (is [2]least) {
	is[NonEmpty] = noLeast
	switch e.Op {
	case Choice:
		is[Any] = noLeast
		for i, k := range e.Children {
			if f.Mask.On(e, i) {
				at := &f.least[k.ID]
				is[Any], is[NonEmpty] = is[Any].min(at[Any]), is[NonEmpty].min(at[NonEmpty])
			}
		}
	case Rep:
		at := &f.least[e.Children[0].ID]
		is[Any] = at[Any].times(e.Min)
		if e.Max != 0 {
			is[NonEmpty] = at[Any].times(e.Min - 1).then(at[NonEmpty])
		}
	case Diff: // resolved into automata before use; until then nothing is subtracted
		return f.least[e.Children[0].ID]
	default: // in a sequence, NonEmpty requires one non-empty element
		for _, k := range e.Children {
			at := &f.least[k.ID]
			is[NonEmpty] = is[NonEmpty].then(at[Any]).min(is[Any].then(at[NonEmpty]))
			is[Any] = is[Any].then(at[Any])
		}
	}
	return is
}

// min returns the lesser of each value.
func (l least) min(o least) least {
	l.depth = min(l.depth, o.depth)
	for u := range l.size {
		l.size[u] = min(l.size[u], o.size[u])
	}
	return l
}

// then returns the values of one part and then another.
func (l least) then(o least) least {
	l.depth = max(l.depth, o.depth)
	for u := range l.size {
		l.size[u] = plus(l.size[u], o.size[u])
	}
	return l
}

// times returns the values of n parts; of none if n is negative.
func (l least) times(n int) least {
	if n <= 0 {
		return least{}
	}
	for u, size := range l.size {
		l.size[u] = Never
		if size == 0 || n <= (Never-1)/int(size) {
			l.size[u] = size * int32(n)
		}
	}
	return l
}

func plus(a, b int32) int32 {
	if a >= Never-b {
		return Never
	}
	return a + b
}
