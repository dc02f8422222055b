package grammar

import "github.com/gramfuzz/gramfuzz/internal/base/field"

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

// EndOfText stands for the end of the text in the ranges of a class of a lexical rule. It
// consumes no character and is in no set.
const EndOfText rune = -1

// Expr is a node of the rule graph. The Op determines the meaningful fields. No expression has
// two parents.
type Expr struct {
	Op  Op
	Pos Pos

	ID int // index in the grammar's Exprs

	Text   string // Lit: the bytes; need not be valid UTF-8
	Silent bool   // Lit: counted and chosen like its text, but absent from texts: indentation expresses it

	Ranges  []Range // Class: as written; {EndOfText, EndOfText} is the end of the text
	Negated bool    // Class: [^…]; a negated class without ranges is "any character"
	Set     Set     // Class: every character that it matches
	Gen     Set     // Class: the generated characters, with negations cut to the alphabet
	Rest    Set     // Class: characters that it matches but does not generate

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

	// Field is not nil for a literal that stands for a computed field: it is replaced by as many
	// bytes, computed from the rest of the sentence. Part is not 0 for an expression that fields
	// refer to. Resize is not nil for a sequence of one element that adds bytes according to its
	// length, and for one element, taken once, whose text is in another place.
	Field  *field.Field
	Part   int
	Resize *field.Resize

	// Plain reports, for an expression of a binary grammar, that neither it nor the rules that
	// it refers to contain any of these three.
	Plain bool
}

// Annotation is a note on an element, such as @define(var). Other packages interpret it; the
// graph only stores it.
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

// Member returns the character for choice value v at a class. Generated characters come first,
// then the other characters of the class. 0 ≤ v < Gen.Len() + Rest.Len().
func (e *Expr) Member(v int) rune {
	if v < e.Gen.Len() {
		return e.Gen.At(v)
	}
	return e.Rest.At(v - e.Gen.Len())
}

// MemberIndex returns the choice value for the character r at a class, or -1 if r is not in the
// class.
func (e *Expr) MemberIndex(r rune) int {
	if i := e.Gen.Index(r); i >= 0 {
		return i
	}
	if i := e.Rest.Index(r); i >= 0 {
		return e.Gen.Len() + i
	}
	return -1
}
