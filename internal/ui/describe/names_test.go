package describe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestContentsOfNames: where names need more depth than the rules do, and the numbers of many
// depths take too much memory, there are no numbers, but no error.
func TestContentsOfNames(t *testing.T) {
	var src strings.Builder
	src.WriteString("s = d u w0 ;\nd = a | \"x\" ;\na = b ;\nb = c ;\nc = n @define(v) ;\nu = n @use(v) ;\nn = [a-z] ;\n")
	for i := range 20 {
		fmt.Fprintf(&src, "w%d = (%s)? ;\n", i, strings.Repeat(fmt.Sprintf("w%d ", i+1), 30))
	}
	src.WriteString("w20 = \"x\" ;\n")
	c, err := describe.ContentsOf(t.Context(), load.MustString(src.String()))
	if err != nil || c.Least.Depth >= 5 {
		t.Fatalf("%+v, %v", c, err)
	}
	if c.Growth != nil {
		t.Errorf("%+v", c.Growth)
	}
}

// TestNameStates checks the number of states of names in play.
func TestNameStates(t *testing.T) {
	for src, want := range map[string]int64{
		`s = n ; n = [a-z] ;`:                                                       0,
		`s = n @define(v) n @use(v) ; n = [a-z] ;`:                                  27,
		`s = (n @define(v)) @commit(v) n @use(v) ; n = [a-z] ;`:                     27 * 27,
		`s = n @fresh(v, int) n @fresh(v, ptr) n @bind(t) n @same(t) ; n = [a-z] ;`: 27 * 27 * 27 * 2,
		`@forward(f) s = n @use(f) n @fresh(f) ; n = [ab] ;`:                        9,
		`s = n @define(v) ("{" n @shadow(v) n @use(v) "}") @scope(v) ; n = [abc] ;`: 16,
	} {
		c, err := describe.ContentsOf(t.Context(), load.MustString(src))
		if err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		if c.NameStates != nil {
			got = c.NameStates.Int64()
		}
		if got != want {
			t.Errorf("%s: %d states, want %d", src, got, want)
		}
	}
}
