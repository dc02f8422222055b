package grammar

import (
	"math"

	"github.com/gramfuzz/gramfuzz/internal/rawbyte"
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
	names   []int // by Expr.ID: bytes of the shortest name in its place, else 0; nil: no names
	depth   [2][]int
	size    [3][2][]int
}

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
	f := &Facts{Mask: mask, Measure: measure, names: names}
	for w := range f.depth {
		f.depth[w] = never(len(g.Exprs))
		for u := range f.size {
			f.size[u][w] = never(len(g.Exprs))
		}
	}
	if g.Root == nil {
		return f
	}
	// Least fixed point from above: values only decrease. The order of the queue mostly settles
	// rules before the rules that use them.
	queue := make([]*Rule, 0, len(g.Rules))
	waits := make([]bool, len(g.Rules))
	for i := len(g.Rules) - 1; i >= 0; i-- {
		queue = append(queue, g.Rules[i])
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

// lowerBody recomputes the expressions of one body and reports whether a value of the first,
// the body itself, decreased. Children come after their parents, so one backward pass settles
// the whole body.
func (f *Facts) lowerBody(exprs []*Expr) bool {
	changed := false
	for i := len(exprs) - 1; i >= 0; i-- {
		changed = false
		e := exprs[i]
		for w := Any; w <= NonEmpty; w++ {
			changed = lower(&f.depth[w][e.ID], f.leastDepth(e, w)) || changed
			for u := Terminals; u <= Nodes; u++ {
				changed = lower(&f.size[u][w][e.ID], f.leastSize(e, u, w)) || changed
			}
		}
	}
	return changed
}

func never(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = Never
	}
	return s
}

func lower(at *int, v int) bool {
	if v < *at {
		*at = v
		return true
	}
	return false
}

// Depth returns the least number of levels of nested rules below e, or Never if there is no
// derivation. It is 0 for a literal; for a reference, it is 1 more than for the rule's body.
func (f *Facts) Depth(e *Expr, w Want) int { return f.depth[w][e.ID] }

// Size returns the least size of a derivation of e, or Never if there is none.
func (f *Facts) Size(e *Expr, u Unit, w Want) int { return f.size[u][w][e.ID] }

// Productive reports whether e has a derivation.
func (f *Facts) Productive(e *Expr) bool { return f.depth[Any][e.ID] != Never }

// Nullable reports whether e derives the empty text.
func (f *Facts) Nullable(e *Expr) bool { return f.size[Bytes][Any][e.ID] == 0 }

// CanBeNonEmpty reports whether e derives a non-empty text.
func (f *Facts) CanBeNonEmpty(e *Expr) bool { return f.depth[NonEmpty][e.ID] != Never }

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

// isName reports whether a name replaces e.
func (f *Facts) isName(e *Expr) bool { return f.names != nil && f.names[e.ID] > 0 }

func (f *Facts) leastDepth(e *Expr, w Want) int {
	if f.isName(e) {
		return 0
	}
	at := func(e *Expr, w Want) int { return f.depth[w][e.ID] }
	switch e.Op {
	case Lit:
		if w == NonEmpty && e.Text == "" {
			return Never
		}
		return 0
	case Class:
		if f.Mask.Gen(e).Len() == 0 {
			return Never
		}
		return 0
	case Ref:
		switch {
		case e.Rule == nil || !f.Mask.ruleOn(e.Rule):
			return Never
		case e.Rule.Kind == Skip && !e.Rule.Inline:
			return emptyIfAny(w)
		}
		body := at(e.Rule.Body, w)
		if f.Leaf(e) && body != Never {
			return 0
		}
		return plus(body, f.Level(e))
	}
	return f.combine(e, w, at, func(a, b int) int { return max(a, b) })
}

func (f *Facts) leastSize(e *Expr, u Unit, w Want) int {
	if f.isName(e) {
		if u == Bytes {
			return f.names[e.ID]
		}
		return 1
	}
	at := func(e *Expr, w Want) int { return f.size[u][w][e.ID] }
	switch e.Op {
	case Lit:
		switch {
		case e.Text == "" && w == NonEmpty:
			return Never
		case e.Text == "":
			return 0
		case u == Bytes:
			return len(e.Text)
		}
		return 1
	case Class:
		set := f.Mask.Gen(e)
		switch {
		case set.Len() == 0:
			return Never
		case u == Bytes:
			return rawbyte.Len(set.At(0)) // the least member takes the fewest bytes
		}
		return 1
	case Ref:
		switch {
		case e.Rule == nil || !f.Mask.ruleOn(e.Rule):
			return Never
		case e.Rule.Kind == Skip && !e.Rule.Inline:
			return emptyIfAny(w)
		}
		body := at(e.Rule.Body, w)
		switch {
		case body == Never:
			return Never
		case f.Leaf(e) && u != Bytes:
			return 1
		case u == Nodes && !e.Rule.Inline:
			return plus(body, 1)
		}
		return body
	}
	size := f.combine(e, w, at, plus)
	if e.Resize.Adds() && u == Bytes && size < Never/2 {
		return e.Resize.Forward(size)
	}
	return size
}

// combine computes the least value of a compound expression from those of its children.
func (f *Facts) combine(e *Expr, w Want, at func(*Expr, Want) int, join func(a, b int) int) int {
	switch e.Op {
	case Choice:
		least := Never
		for i, k := range e.Children {
			if f.Mask.On(e, i) {
				least = min(least, at(k, w))
			}
		}
		return least
	case Rep:
		return f.combineRep(e, w, at, join)
	case Diff: // resolved into automata before use; until then nothing is subtracted
		return at(e.Children[0], w)
	}
	// In a sequence, NonEmpty requires one non-empty element.
	anyone, nonEmpty := 0, Never
	for _, k := range e.Children {
		if w == NonEmpty {
			nonEmpty = min(join2(join, nonEmpty, at(k, Any)), join2(join, anyone, at(k, NonEmpty)))
		}
		anyone = join2(join, anyone, at(k, Any))
	}
	if w == NonEmpty {
		return nonEmpty
	}
	return anyone
}

func (f *Facts) combineRep(e *Expr, w Want, at func(*Expr, Want) int, join func(a, b int) int) int {
	anyone := 0
	for i := 0; i < e.Min && anyone != Never; i++ {
		next := join2(join, anyone, at(e.Children[0], Any))
		if next == anyone { // further elements change nothing
			break
		}
		anyone = next
	}
	switch {
	case w == Any:
		return anyone
	case e.Max == 0:
		return Never
	case e.Min == 0:
		return at(e.Children[0], NonEmpty)
	}
	rest := 0
	for i := 1; i < e.Min && rest != Never; i++ {
		next := join2(join, rest, at(e.Children[0], Any))
		if next == rest {
			break
		}
		rest = next
	}
	return join2(join, rest, at(e.Children[0], NonEmpty))
}

func join2(join func(a, b int) int, a, b int) int {
	if a == Never || b == Never {
		return Never
	}
	return join(a, b)
}

func plus(a, b int) int {
	if a >= Never-b {
		return Never
	}
	return a + b
}

// emptyIfAny returns the least value of layout, which generates nothing.
func emptyIfAny(w Want) int {
	if w == NonEmpty {
		return Never
	}
	return 0
}
