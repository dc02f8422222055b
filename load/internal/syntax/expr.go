package syntax

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Expr is an expression of a rule as it was written. Each field has a meaning for some values of Op
// only, as described for [grammar.Expr].
type Expr struct {
	Op  grammar.Op
	Pos grammar.Pos

	Text string // Lit

	Ranges  []grammar.Range // Class
	Negated bool            // Class; without ranges it is "any character"

	Children []*Expr

	Weights []int    // Choice
	Labels  []string // Choice

	Min, Max int  // Rep; Max < 0 is unbounded
	Lazy     bool // Rep

	Name string // Ref

	Annotations []grammar.Annotation // in the order written
}

// NewLit returns a literal with the bytes of text.
func NewLit(pos grammar.Pos, text string) *Expr {
	return &Expr{Op: grammar.Lit, Pos: pos, Text: text}
}

// NewClass returns a class of the characters in ranges. With negated, it is the class of all other
// characters.
func NewClass(pos grammar.Pos, negated bool, ranges ...grammar.Range) *Expr {
	return &Expr{Op: grammar.Class, Pos: pos, Negated: negated, Ranges: ranges}
}

// NewSeq returns the sequence of children. It returns a single child unchanged.
func NewSeq(pos grammar.Pos, children ...*Expr) *Expr {
	if len(children) == 1 {
		return children[0]
	}
	return &Expr{Op: grammar.Seq, Pos: pos, Children: children}
}

// NewChoice returns the choice between children. It returns a single child unchanged.
func NewChoice(pos grammar.Pos, children ...*Expr) *Expr {
	if len(children) == 1 {
		return children[0]
	}
	return &Expr{Op: grammar.Choice, Pos: pos, Children: children}
}

// NewRep returns child repeated min to max times. max < 0 means unbounded.
func NewRep(pos grammar.Pos, child *Expr, min, max int) *Expr {
	return &Expr{Op: grammar.Rep, Pos: pos, Children: []*Expr{child}, Min: min, Max: max}
}

// NewRef returns a reference to the rule called name.
func NewRef(pos grammar.Pos, name string) *Expr {
	return &Expr{Op: grammar.Ref, Pos: pos, Name: name}
}

// NewDiff returns the texts of a that are not texts of b. Both must be regular.
func NewDiff(pos grammar.Pos, a, b *Expr) *Expr {
	return &Expr{Op: grammar.Diff, Pos: pos, Children: []*Expr{a, b}}
}

// Clone returns a deep copy of e.
func (e *Expr) Clone() *Expr {
	c := *e
	c.Children = make([]*Expr, len(e.Children))
	for i, k := range e.Children {
		c.Children[i] = k.Clone()
	}
	return &c
}

// Walk calls f for e and every expression below it: parents first, children in order.
func (e *Expr) Walk(f func(*Expr)) {
	f(e)
	for _, k := range e.Children {
		k.Walk(f)
	}
}

// Nullable reports whether e derives the empty text. It assumes that references do not.
func (e *Expr) Nullable() bool {
	switch e.Op {
	case grammar.Lit:
		return e.Text == ""
	case grammar.Seq:
		return !slices.ContainsFunc(e.Children, func(k *Expr) bool { return !k.Nullable() })
	case grammar.Choice:
		return slices.ContainsFunc(e.Children, (*Expr).Nullable)
	case grammar.Rep:
		return e.Min == 0 || e.Children[0].Nullable()
	case grammar.Diff:
		return e.Children[0].Nullable()
	}
	return false
}
