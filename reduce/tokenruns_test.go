package reduce_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// onlyFor returns a predicate that holds for two texts only, also with other white space.
func onlyFor(a, b string) reduce.Predicate {
	return func(_ context.Context, text []byte) (bool, error) {
		s := strings.Join(strings.Fields(string(text)), " ")
		return s == a || s == b, nil
	}
}

// TestEveryRun checks, for each run of tokens of a short text, that both plans find the text that is
// left when the run is kept by itself, and when it is deleted, although no smaller edit leads there.
func TestEveryRun(t *testing.T) {
	words := strings.Fields("if alpha ( beta , 1 ) is 3 : gamma end")
	text := strings.Join(words, " ")
	for _, few := range []bool{false, true} {
		for a := range words {
			for b := a + 1; b <= len(words); b++ {
				if one := slices.Contains(words[a:b], "("); one != slices.Contains(words[a:b], ")") {
					continue
				}
				for _, want := range []string{
					strings.Join(words[a:b], " "),
					strings.Join(slices.Concat(words[:a], words[b:]), " "),
				} {
					r, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(text)}, onlyFor(text, want), reduce.Options{FewCalls: few})
					if err != nil {
						t.Fatal(err)
					}
					if got := strings.Join(strings.Fields(string(r.Text)), " "); got != want {
						t.Errorf("few calls %v: %q is left, want %q", few, got, want)
					}
				}
			}
		}
	}
}

// TestCertifyRuns checks that certify finds any run of a text of more tokens, one bracket included, and
// says so only if there is none.
func TestCertifyRuns(t *testing.T) {
	const text = "if alpha and beta is 3 ( or delta is not epsilon : gamma ) end"
	for want, claimed := range map[string]bool{"beta is 3 ( or delta": false, "if gamma ) end": false, text: true} {
		for _, few := range []bool{false, true} {
			r, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(text)}, onlyFor(text, want), reduce.Options{FewCalls: few, Certify: 2000})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(string(r.Text)), " "); got != want {
				t.Errorf("%q is left, want %q", got, want)
			}
			i := slices.IndexFunc(r.Stats.Certified, func(c reduce.Certificate) bool { return strings.HasPrefix(c.Claim, "a run of its tokens") })
			if claimed && (i < 0 || r.Stats.Certified[i].Tried < 16*15) {
				t.Errorf("certified %+v", r.Stats.Certified)
			}
		}
	}
}
