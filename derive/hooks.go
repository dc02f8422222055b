package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// Hooks track the state beyond a context-free grammar, such as the declared names. The machine
// asks them at every element that Concerns them. A Hooks value is for one machine at a time.
//
// A requirement is an opaque number for the states that an element may end in. It keeps the
// rest derivable, so that no derivation runs into a dead end. It may require more of an
// element with empty text than of others. Requirement 0 is "any".
type Hooks interface {
	// Reset clears all state at the beginning of a derivation.
	Reset()

	// Concerns reports whether hooks affect e or anything below it. If not, the machine never
	// asks about e.
	Concerns(e *grammar.Expr) bool

	// Acts reports whether hooks act at e itself: Enter, Inner and Leave are
	// called there.
	Acts(e *grammar.Expr) bool

	// Can reports whether e has a derivation of the wanted kind from the current state, within
	// left levels, that ends as need allows.
	Can(e *grammar.Expr, want grammar.Want, left, need int) bool

	// CanAfter reports whether the current state meets need, after an element whose text is
	// empty or not.
	CanAfter(need int, empty bool) bool

	// Least returns the size of the least derivation that ends as need allows, in bytes and
	// nodes, compared in that order. If it is deeper than allowed, the machine takes one that
	// fits and asks again.
	Least(e *grammar.Expr, want grammar.Want, need int) (bytes, nodes int)

	// Rest returns the requirement on the element before a place that keeps the rest of its
	// sequence or repetition derivable.
	Rest(p Place) int

	// Enter is called before an element at which hooks act is derived. If replaced is true,
	// text replaces the element and v is its value. choose draws a value; Enter may call it
	// several times.
	Enter(e *grammar.Expr, need int, choose func(Range) (int, error)) (text string, v int, replaced bool, err error)

	// Default returns the alternative of the choice e that a Default stands for, or -1 for the
	// least one.
	Default(e *grammar.Expr) int

	// Inner returns the requirement inside an element at which hooks act, given the one on the
	// whole element. It is called after Enter.
	Inner(e *grammar.Expr, need int) int

	// Leave is called after an element at which hooks act was derived; text returns
	// its text.
	Leave(e *grammar.Expr, text func() string) error
}

// Range is the set of N values, N ≥ 1, that a hook draws from: From … From+N-1, or some. A choice sequence
// may hold any value from 0 to Full-1, which may be possible at other times.
type Range struct {
	From, N, Full int
	Allowed       []int // the N values if they are not consecutive, ascending; From is 0 then
	Least         int   // the value of Default
}

// Place is a place between two elements of a sequence or repetition.
type Place struct {
	Expr *grammar.Expr // the sequence or repetition
	From int           // Seq: the child after the place; Rep: the number of elements before the place
	Want grammar.Want  // for the whole of Expr
	Left int           // remaining levels of depth
	Need int           // the requirement on the whole of Expr

	// Empty says that Expr has no text so far, not counting the element before the place,
	// which is derived next.
	Empty bool

	// Least asks for the requirement that leads to the least derivation of the element before
	// the place and everything after it.
	Least bool

	ChildWant grammar.Want // with Least: for the element before the place
}
