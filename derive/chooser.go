package derive

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Kind is the kind of a decision.
type Kind uint8

// The kinds of decisions, one for each kind of choice in a choice sequence.
const (
	Alternative Kind = iota // an alternative of a choice, by index in the full grammar
	GoOn                    // one more element of a repetition (1) or not (0)
	Member                  // a member of a class, by index in its Gen, then its Rest
	Name                    // a name, by index among those possible here
	Gap                     // the layout between two tokens
)

func (k Kind) String() string {
	return [...]string{"alternative", "go-on", "member", "name", "gap"}[k]
}

// Decision is one question to a [Chooser].
type Decision struct {
	Kind Kind
	Expr *grammar.Expr // the choice, repetition, class or annotated element

	// N is the number of values that can be drawn: 0 … N-1 if Allowed is nil, else the N
	// values in Allowed, ascending. N is at least 1. A decision with one possible value is
	// still made and recorded.
	N       int
	Allowed []int

	// Full is the number of values that may occur in the choice sequence. Some cannot be
	// drawn, such as a parsed character outside the alphabet. Full ≥ N.
	Full int

	Depth int // rules nested around the decision, the start's included
	Left  int // remaining levels of depth; large if depth is unbounded
	Want  grammar.Want
	Index int // GoOn: elements derived so far
}

// Value returns the i-th value that can be drawn, 0 ≤ i < N.
func (d *Decision) Value(i int) int {
	if d.Allowed != nil {
		return d.Allowed[i]
	}
	return i
}

// Can reports whether value v may be taken here.
func (d *Decision) Can(v int) bool {
	if d.Allowed == nil {
		return v >= 0 && v < d.Full
	}
	for _, a := range d.Allowed {
		if a == v {
			return true
		}
	}
	return false
}

// Chooser makes decisions. Choose returns a value that the decision can take, or [Default]. An
// error ends the derivation with that error. The Decision is valid only during the call.
type Chooser interface {
	Choose(d *Decision) (int, error)
}

// ChooserFunc is a function used as a Chooser.
type ChooserFunc func(d *Decision) (int, error)

// Choose calls f.
func (f ChooserFunc) Choose(d *Decision) (int, error) { return f(d) }

// Default is the choice of the least derivation: at every decision it is the value that leads
// to the fewest bytes, among equals to the fewest nodes, then the first. It may occur in any
// sequence given to [Replay].
const Default = -1

// Replay returns a chooser that turns every choice sequence into a derivation:
//   - a possible value is taken,
//   - any other value is reduced modulo the number of values that can be drawn,
//   - [Default] and missing values at the end become the least derivation,
//   - surplus values are dropped.
//
// So Replay(nil) makes the least sentence, and the choices of the tree are the normal form of
// the sequence. The chooser works for one Run.
func Replay(choices []int) Chooser { return &replay{choices: choices} }

type replay struct {
	choices []int
	next    int
}

func (r *replay) Choose(d *Decision) (int, error) {
	if r.next >= len(r.choices) {
		return Default, nil
	}
	v := r.choices[r.next]
	r.next++
	if v == Default || d.Can(v) {
		return v, nil
	}
	v %= d.N
	if v < 0 {
		v += d.N
	}
	return d.Value(v), nil
}

// Strict returns a chooser that replays a choice sequence and fails where Replay would repair
// it: at an impossible value, and at a missing one. Surplus values are not an error; to detect
// them, compare the length with that of the tree's choices.
func Strict(choices []int) Chooser {
	at := 0
	return ChooserFunc(func(d *Decision) (int, error) {
		if at >= len(choices) {
			return 0, fmt.Errorf("choice %d: the sequence ends before the derivation (%v at %v)", at, d.Kind, d.Expr.Pos)
		}
		v := choices[at]
		at++
		if !d.Can(v) {
			return 0, fmt.Errorf("choice %d: value %d cannot be taken (%v at %v has %d values)", at-1, v, d.Kind, d.Expr.Pos, d.N)
		}
		return v, nil
	})
}
