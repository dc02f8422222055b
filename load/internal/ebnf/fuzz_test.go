package ebnf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// FuzzParse checks that no input makes the reader panic. Text that parses must print and read back
// to the same graph. Its formatted text must have the same graph and the same number of comments,
// and formatting it again must change nothing.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	files, err := filepath.Glob("testdata/errors/*.ebnf")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Add("a=\"\\xff\"|'\\''(* c *)<\\x3e>{1,}??;#c\n@x(\"a b\",c) b = L:[^\\]\\-a-]@d .%0|;")
	blind.Fuzz(f, func(t *testing.T, src string) { checkRoundTrip(t, src) })
}

func checkRoundTrip(t *testing.T, src string) {
	g, ds := Parse("f", []byte(src))
	if ds.Err() != nil {
		return
	}
	text := printed(g)
	again, ds := Parse("f", []byte(text))
	if err := ds.Err(); err != nil {
		t.Fatalf("printed, it does not parse: %v\n%s", err, text)
	}
	if d := differs(g, again); d != "" {
		t.Fatalf("-read +printed and read again:\n%s\nprinted:\n%s", d, text)
	}
	formatted, _ := Format("f", []byte(src))
	again, ds = Parse("f", formatted)
	if err := ds.Err(); err != nil {
		t.Fatalf("formatted, it does not parse: %v\n%s", err, formatted)
	}
	if d := differs(g, again); d != "" {
		t.Fatalf("-read +formatted and read again:\n%s\nformatted:\n%s", d, formatted)
	}
	if n, m := comments(src), comments(string(formatted)); n != m {
		t.Fatalf("%d comments became %d:\n%s", n, m, formatted)
	}
	twice, _ := Format("f", formatted)
	if d := cmp.Diff(string(formatted), string(twice)); d != "" {
		t.Fatalf("formatting again changes it: -once +twice\n%s", d)
	}
	if o := printed(g); o != text {
		t.Fatal("printing twice differs")
	}
}

func comments(src string) (n int) {
	all, _ := reader.Tokens("f", []byte(src))
	for _, t := range all {
		if t.Kind == "Comment" {
			n++
		}
	}
	return n
}

// differs compares two grammars, ignoring positions. It compares deep grammars by their shapes,
// since the time of cmp.Diff doubles with each level.
func differs(g, again *syntax.Grammar) string {
	for _, r := range g.Rules {
		if depth(r.Body) > 8 {
			return cmp.Diff(notationtest.Shape(g), notationtest.Shape(again))
		}
	}
	return cmp.Diff(g.Rules, again.Rules, graph)
}

func depth(e *syntax.Expr) int {
	deepest := 0
	for _, k := range e.Children {
		deepest = max(deepest, depth(k))
	}
	return 1 + deepest
}
