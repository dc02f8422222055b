package count_test

import (
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestErrorBoundIsOfUse uses a rule that has many parts that may be empty, and itself several
// times. The search for an error bound then begins with slopes that admit no bound, and with
// bases that double. It must get beyond these, and not count beyond an int64 on the way.
func TestErrorBoundIsOfUse(t *testing.T) {
	for _, optional := range []int{1, 4, 8, 16, 32, 64} {
		text := `s = "x" ` + strings.Repeat("o ", optional) + `s s s | "y" ; o = "z"? ;`
		g, _, err := load.Source("s.ebnf", []byte(text), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := count.NewProgram(g, count.Sizes(1, 100, grammar.Terminals), count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := core.NewFloats(t.Context(), (*core.Program)(p), 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e := f.Error(p.Root, 100, 0); e <= 0 || e > 1e-9 {
			t.Errorf("%d optional parts: the relative error at size 100 is bounded by %g; want at most 1e-9", optional, e)
		}
	}
}
