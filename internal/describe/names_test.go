package describe_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/describe"
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
