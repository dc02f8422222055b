package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/parse"
)

// lined returns the grammars with indentation by name.
func lined(t testing.TB) map[string]*grammar.Grammar {
	t.Helper()
	files, err := filepath.Glob("testdata/lines/*.ebnf")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no grammars in testdata/lines", err)
	}
	out := map[string]*grammar.Grammar{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".ebnf")] = read(t, string(src))
	}
	return out
}

// TestLinesRoundTrip checks the round-trip law for grammars with indentation.
func TestLinesRoundTrip(t *testing.T) {
	for name, g := range lined(t) {
		for _, layout := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
			t.Run(name+"/"+layout.String(), func(t *testing.T) {
				t.Parallel()
				l := newLaw(t, g, layout)
				for i := range uint64(300) {
					tree, err := l.source.Tree(ctx, i)
					if err != nil {
						t.Fatal(err)
					}
					l.holds(t, tree)
				}
			})
		}
	}
}

// TestLines checks which texts are sentences, and their least layout.
func TestLines(t *testing.T) {
	gs := lined(t)
	for _, c := range []struct{ grammar, text, tight, want string }{
		{"python", "if a:\n    b = c\n\n  # d\n    return\nelse:\n\tpass # e\n", "if a:\n b=c\n return\nelse:\n pass\n", ""},
		{"python", "if a:\n  if b:\n    c=d\ne=f\n", "if a:\n if b:\n  c=d\ne=f\n", ""},
		{"python", "\n \n# a\nb = (c,\n  d\n,\n e)\n  \n", "b=(c,d,e)\n", ""},
		{"python", "if a:\n  if b:\n    pass", "", `t:3:9: unexpected end of text; expected NEWLINE (in rule line, begun at 3:5)`},
		{"python", "if a:\n    b = c\n  d = e\n", "", `t:3:3: unexpected "d" (inconsistent dedent: the blocks around it begin in columns 1 and 5)`},
		{"python", "if a:\nb = c\n", "", `t:2:1: unexpected "b"; expected INDENT (in rule block, begun at 1:6)`},
		{"python", "a = b\n  c = d\n", "", `t:2:3: unexpected INDENT; expected "if", "def", NAME, "return", "pass" or end of text`},
		{"python", " a = b\n", "", `t:1:2: unexpected INDENT; expected "if", "def", NAME, "return" or "pass"`},
		{"python", "if a:\n\tb = c\n        d = e\n", "if a:\n b=c\n d=e\n", ""},
		{"yaml", "a: b\nc:\n  - 1\n\n  -\n    - d\ne: f\n", "a: b\nc:\n - 1\n\n -\n  - d\ne: f\n", ""},
		{"yaml", "a:\n  b: c\n d: e\n", "", `t:3:2: unexpected "d" (inconsistent dedent: the blocks around it begin in columns 1 and 3)`},
		{"haskell", "f x = do\n  y <- case x of\n    1 -> 2\n\n  g {- a\n b -} y\n    where\n      g = h\n", "", `t:7:5: unexpected INDENT; expected DEDENT, VAR, NUMBER or "(" (in rule block, begun at 1:7)`},
		{"haskell", "f x = do\n    g {- a\n b -} x\n  where\n   g = h\n", "", `t:4:3: unexpected "w" (inconsistent dedent: the blocks around it begin in columns 1 and 5)`},
		{"haskell", "f x = g x\n  where\n    g y = y\n", "f x=g x\n where\n  g y=y\n", ""},
	} {
		g := gs[c.grammar]
		f, err := must(t, g).Parse(ctx, "t", c.text)
		if c.want != "" {
			bad := new(parse.Error)
			if !errors.As(err, &bad) || err.Error() != c.want {
				t.Errorf("%q: got %v, want %s", c.text, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		tree, err := f.Tree(ctx)
		if err != nil {
			t.Fatal(err)
		}
		layout, err := derive.NewLayout(g, derive.Tight)
		if err != nil {
			t.Fatal(err)
		}
		least, err := layout.Tree(tree, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]string{c.text, c.tight}, []string{tree.Text(), least.Text()}); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	}
}

// FuzzLines checks that no text makes the parser panic, and that each tree renders its text.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"if a:\n  b=c\n", "def f(a,\nb):\n\tpass\n#\n", "a:\n - b\n", "\n\n \t\n", "f = do\n  a <- b\n", "a: b\n\f c\r\n"} {
		f.Add(s)
	}
	var ps []*parse.Parser
	for _, g := range lined(f) {
		ps = append(ps, must(f, g))
	}
	blind.Fuzz(f, func(t *testing.T, s string) {
		for _, p := range ps {
			forest, err := p.Parse(ctx, "t", s)
			if err != nil {
				continue
			}
			tree, err := forest.Tree(ctx)
			if err != nil || tree.Text() != s {
				t.Fatalf("%q: %v", s, err)
			}
		}
	})
}
