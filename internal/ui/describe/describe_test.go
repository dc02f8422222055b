package describe_test

import (
	"bytes"
	"context"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

func ExampleContentsOf() {
	c, err := describe.ContentsOf(context.Background(), grammars.Must("tree"))
	if err != nil {
		log.Fatal(err)
	}
	if err := c.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// grammar tree (ebnf), start t
	// 1 rule, 1 choice with 2 alternatives
	// recursive: t
	// infinitely many sentences
	// least sentence: depth 1, 1 terminal, 1 byte
	// sentences by depth (gramfuzz count --depth D):
	//   1	1
	//   2	2
	//   3	5
	//   4	26
	//   5	677
	//   6	458330
	//   7	210066388901
	//   8	4.41·10^22
}

func ExampleTree() {
	g := grammars.Must("json")
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Replay([]int{5, 1}))
	if err != nil {
		log.Fatal(err)
	}
	describe.Tree(os.Stdout, tree)
	// Output:
	// text
	//   value
	//     array
	//       "["
	//       values
	//         value
	//           NUMBER "0"
	//       "]"
}

func ExampleCoverage() {
	g := grammars.Must("tree")
	c, err := coverage.New(g, coverage.Options{})
	if err != nil {
		log.Fatal(err)
	}
	tree, err := derive.NewMachine(g, derive.Options{}).Run(context.Background(), derive.Replay(nil))
	if err != nil {
		log.Fatal(err)
	}
	c.Add(tree)
	if err := describe.Coverage(os.Stdout, c.Report(), false); err != nil {
		log.Fatal(err)
	}
	// Output:
	// rules         1 of 1  100.0 %
	// alternatives  1 of 2  50.0 %
	// terminals     1 of 3  33.3 %
	//
	// alternatives never reached:
	//   t: "(" t t ")"
	//
	// terminals never reached:
	//   "("
	//   ")"
}

// TestPredict checks that alternatives missed by few sentences are listed, with advice.
func TestPredict(t *testing.T) {
	var out bytes.Buffer
	g := grammars.Must("lopsided")
	s, err := sample.New(t.Context(), g, sample.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := describe.Predict(t.Context(), g, sample.Options{}, "uniform", s.Source(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteText(&out, describe.DrownedChoices); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"6 derivations\n", "drowned: 10 of 10 alternatives, which 1 sentences are expected to miss\n", "  drowned\n", "draw more sentences (-n)\n"} {
		if !bytes.Contains(out.Bytes(), []byte(want)) {
			t.Errorf("%q is missing in:\n%s", want, &out)
		}
	}
}

// TestTreeDeep checks that lines of a deep tree begin with their level, and are short.
func TestTreeDeep(t *testing.T) {
	g := grammars.Must("tree")
	choices := make([]int, 0, 3000)
	for range 1000 {
		choices = append(choices, 1)
	}
	tree, err := derive.NewMachine(g, derive.Options{}).Run(t.Context(), derive.Replay(append(choices, make([]int, 1001)...)))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	describe.Tree(&out, tree)
	longest := 0
	for line := range strings.Lines(out.String()) {
		longest = max(longest, len(line))
	}
	if !strings.Contains(out.String(), "\n"+strings.Repeat("  ", 60)+"[1000] t\n") || strings.Contains(out.String(), "[60]") || longest > 140 {
		t.Errorf("the longest line has %d bytes", longest)
	}
}

// TestUncountable checks that a grammar with too many states of names for counting has contents,
// without growth and sizes.
func TestUncountable(t *testing.T) {
	g := grammars.Must("c")
	c, err := describe.ContentsOf(t.Context(), g)
	if err != nil || c.Growth != nil || c.Rules == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	repeated := load.MustString(`s = n @bind(b) u8 @len(n2) n2 @part(n2) n @same(b) ; n = "a" | "bc" ; n2 = "x"? ;`)
	for _, g := range []*grammar.Grammar{g, repeated} {
		if _, counts, err := describe.Sizes(t.Context(), g); err != nil || counts != nil {
			t.Errorf("%s: %v, %v", g.Name, counts, err)
		}
	}
}
