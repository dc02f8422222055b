package derive

import "github.com/gramfuzz/gramfuzz/grammar"

// Hooks keep what a context-free grammar cannot: which names are in play. The
// machine asks them at every element that Concerns them. A Hooks value belongs
// to one machine at a time.
//
// The machine hands around requirements: an opaque number that says in which
// states an element may end, so that what follows stays derivable and no
// derivation runs into a dead end. A requirement may ask more of an element
// that derives the empty text than of one that does not. Requirement 0 is "any".
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

	// Least returns the size of the least derivation that Can speaks of, first in
	// bytes, then in nodes. (Where it is deeper than allowed, the machine takes
	// what fits and asks again.)
	Least(e *grammar.Expr, want grammar.Want, need int) (bytes, nodes int)

	// Rest returns the requirement on an element of e so that what follows in e
	// is derivable.
	Rest(p Place) int

	// Enter is called before an element at which hooks act is derived. If it
	// returns true, text stands in the element's place, and v is its value. choose
	// draws a value; it may be called several times.
	Enter(e *grammar.Expr, need int, choose func(Range) (int, error)) (text string, v int, replaced bool, err error)

	// Default returns the alternative of the choice e that a Default means there,
	// -1 for the least one.
	Default(e *grammar.Expr) int

	// Inner returns the requirement that holds inside an element at which hooks
	// act, given the one on the element as a whole. Enter was called before.
	Inner(e *grammar.Expr, need int) int

	// Leave is called after an element at which hooks act was derived, with the
	// text that it derived.
	Leave(e *grammar.Expr, text func() string) error
}

// Range is what a hook draws from: the values From … From+N-1, N ≥ 1, of those
// from 0 to Full-1 that could stand in a choice sequence at other times.
type Range struct {
	From, N, Full int
	Least         int // the value that a Default means
}

// Place is a place between two elements of a sequence or repetition.
type Place struct {
	Expr *grammar.Expr // the sequence or repetition
	From int           // Seq: the child after the place; Rep: how many elements are complete at the place
	Want grammar.Want  // what the whole of Expr has to be
	Left int           // levels of depth left
	Need int           // the requirement on the whole of Expr

	// Empty says that Expr has no text so far, not counting the element before
	// the place, which is about to be derived.
	Empty bool

	// Least asks for the requirement that leads to the least derivation of the
	// element before the place and all that follows.
	Least bool

	KidWant grammar.Want // with Least: what the element before the place has to be
}
