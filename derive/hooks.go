package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// Hooks keep the state that a context-free grammar cannot, such as the names that
// are declared. The machine asks them at every element that Concerns them. A Hooks
// value belongs to one machine at a time.
//
// A requirement is an opaque number for the states that an element may end in, so
// that the rest stays derivable and no derivation runs into a dead end. It may ask
// more of an element with empty text than of others. Requirement 0 is "any".
type Hooks interface {
	// Reset forgets everything: a new derivation begins.
	Reset()

	// Concerns reports whether anything at or below e is touched by hooks. Where
	// it is false the machine never asks about e.
	Concerns(e *grammar.Expr) bool

	// Acts reports whether hooks act at e itself: Enter, Inner and Leave are
	// called there.
	Acts(e *grammar.Expr) bool

	// Can reports whether e has a derivation of the wanted kind from the present
	// state, within left levels, that ends as need allows.
	Can(e *grammar.Expr, want grammar.Want, left, need int) bool

	// CanAfter reports whether the present state fulfils need, for an element
	// whose text is empty or not.
	CanAfter(need int, empty bool) bool

	// Least returns the size of the least derivation that ends as need allows, first
	// in bytes, then in nodes. Where it is deeper than allowed, the machine takes one
	// that fits and asks again.
	Least(e *grammar.Expr, want grammar.Want, need int) (bytes, nodes int)

	// Rest returns the requirement on the element before a place, so that the rest of
	// its sequence or repetition is derivable.
	Rest(p Place) int

	// Enter is called before an element at which hooks act is derived. If it returns
	// true, text stands in the element's place and v is its value. choose draws a
	// value; Enter may call it several times.
	Enter(e *grammar.Expr, need int, choose func(Range) (int, error)) (text string, v int, replaced bool, err error)

	// Default returns the alternative of the choice e that a Default means there,
	// -1 for the least one.
	Default(e *grammar.Expr) int

	// Inner returns the requirement that holds inside an element at which hooks
	// act, given the one on the element as a whole. Enter was called before.
	Inner(e *grammar.Expr, need int) int

	// Leave is called after an element at which hooks act was derived; text returns
	// its text.
	Leave(e *grammar.Expr, text func() string) error
}

// Range is the values From … From+N-1, N ≥ 1, that a hook draws from. At other times
// any value from 0 to Full-1 may stand in a choice sequence.
type Range struct {
	From, N, Full int
	Least         int // the value that Default means
}

// Place is a place between two elements of a sequence or repetition.
type Place struct {
	Expr *grammar.Expr // the sequence or repetition
	From int           // Seq: the child after the place; Rep: the number of elements before the place
	Want grammar.Want  // for the whole of Expr
	Left int           // levels of depth left
	Need int           // the requirement on the whole of Expr

	// Empty says that Expr has no text so far, not counting the element before
	// the place, which is about to be derived.
	Empty bool

	// Least asks for the requirement that leads to the least derivation of the
	// element before the place and all that follows.
	Least bool

	ChildWant grammar.Want // with Least: for the element before the place
}
