package grammar

import "github.com/gramfuzz/gramfuzz/internal/field"

// Op is the kind of an expression.
type Op uint8

// The kinds of expressions.
const (
	Lit    Op = iota // a literal: the bytes of Text
	Class            // one character of Set
	Seq              // Children in order; no children is the empty sequence
	Choice           // one of Children, the alternatives; Weights may weigh them
	Rep              // Children[0], Min to Max times; Max < 0 is unbounded
	Ref              // the rule named Name
	Diff             // texts of Children[0] that are not texts of Children[1] (in tokens)
)

func (op Op) String() string {
	return [...]string{"literal", "class", "sequence", "choice", "repetition", "reference", "difference"}[op]
}

// Unbounded is the Max of a repetition without an upper limit.
const Unbounded = -1

// EndOfText stands for the end of the text in the ranges of a class of a lexical rule.
// It takes no character, and no set has it.
const EndOfText rune = -1

// Expr is a node of the rule graph. Which fields have a meaning depends on Op.
// No expression has two parents.
type Expr struct {
	Op  Op
	Pos Pos

	ID int // index in the grammar's Exprs

	Text   string // Lit: the bytes; need not be valid UTF-8
	Silent bool   // Lit: it is counted and chosen as its text, and no text shows it: where it stands, indentation tells

	Ranges  []Range // Class: as written; {EndOfText, EndOfText} is the end of the text
	Negated bool    // Class: [^…]; a negated class without ranges is "any character"
	Set     Set     // Class: every character that it means
	Gen     Set     // Class: those it generates, negations cut to the alphabet
	Rest    Set     // Class: those it means but does not generate

	Children []*Expr // Seq, Choice: the elements; Rep: one; Diff: two

	Weights []int    // Choice: nil, or one weight ≥ 0 for each alternative
	Labels  []string // Choice: nil, or a name for each alternative ("" for none)

	// FirstAlt is the number of the first alternative of a Choice among all
	// alternatives of the grammar (see [Mask]).
	FirstAlt int

	Min, Max int  // Rep: the bounds; Max < 0 is unbounded
	Lazy     bool // Rep: non-greedy

	Name string // Ref: the name as written
	Rule *Rule  // Ref: the rule; nil when undefined

	Annotations []Annotation // in the order written

	// Field is not nil for a literal that stands for a computed field: as many bytes,
	// which are computed from the rest of the sentence. Part is not 0 for an expression
	// that fields refer to. Resize is not nil for a sequence of one element that adds
	// bytes to it by their number, and for one element, once, whose text stands elsewhere.
	Field  *field.Field
	Part   int
	Resize *field.Resize

	// Plain says of an expression of a binary grammar that none of these three is in it, nor
	// in the rules that it refers to.
	Plain bool
}

// Annotation is a note at an element, such as @define(var). What it means is
// for other packages; the graph only keeps it.
type Annotation struct {
	Name string
	Args []string
	Pos  Pos
}

// IsEmpty reports whether e is the empty sequence or the empty literal.
func (e *Expr) IsEmpty() bool {
	return e.Op == Seq && len(e.Children) == 0 || e.Op == Lit && e.Text == ""
}

// Walk calls f for e and every expression below it, parents first, children in
// order. It does not follow references.
func (e *Expr) Walk(f func(*Expr)) {
	f(e)
	for _, k := range e.Children {
		k.Walk(f)
	}
}

// Member returns the character that choice value v means at a class: those that it
// generates come first, then the others that it means. 0 ≤ v < Gen.Len() + Rest.Len().
func (e *Expr) Member(v int) rune {
	if v < e.Gen.Len() {
		return e.Gen.At(v)
	}
	return e.Rest.At(v - e.Gen.Len())
}

// MemberIndex returns the choice value that means the character r at a class, or -1
// where the class does not have it.
func (e *Expr) MemberIndex(r rune) int {
	if i := e.Gen.Index(r); i >= 0 {
		return i
	}
	if i := e.Rest.Index(r); i >= 0 {
		return e.Gen.Len() + i
	}
	return -1
}
