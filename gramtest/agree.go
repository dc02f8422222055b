package gramtest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Agree checks that two implementations do the same with every sentence: both return an error,
// or both return values that go-cmp finds equal. [Cmp] gives go-cmp options. The messages of
// errors are not compared. A panic in either is a failure of its own. A disagreement is shrunk
// like any failure. If only one implementation refuses a sentence, the same one refuses the
// minimal sentence.
func Agree[V any](t testing.TB, g *grammar.Grammar, f1, f2 func(text []byte) (V, error), opts ...Option) {
	t.Helper()
	c := newConfig(opts)
	Check(t, g, func(t *T, s *Sentence) {
		v1, err1 := f1(append([]byte(nil), s.Text()...))
		v2, err2 := f2(append([]byte(nil), s.Text()...))
		switch {
		case err1 != nil && err2 != nil:
			s.Label("both refuse")
		case err1 != nil:
			t.disagree("the first refuses, the second does not", fmt.Sprintf("first: error: %v\nsecond: %+v", err1, v2))
		case err2 != nil:
			t.disagree("the second refuses, the first does not", fmt.Sprintf("first: %+v\nsecond: error: %v", v1, err2))
		default:
			if diff := cmp.Diff(v1, v2, c.cmp...); diff != "" {
				t.disagree("the values differ", "(-first +second)\n"+diff)
			}
		}
	}, opts...)
}

// disagree fails with the given kind of disagreement and logs the details.
func (t *T) disagree(what, details string) {
	t.log(details + "\n")
	t.fail("the two disagree: " + what)
}
