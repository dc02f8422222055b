package antlr4

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// must parses a valid grammar.
func must(t *testing.T, src string) *syntax.Grammar {
	t.Helper()
	g, ds := Parse("T.g4", []byte(src))
	if err := append(ds, freezes(g)...).Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

// freezes freezes a grammar and returns the diagnostics.
func freezes(g *syntax.Grammar) grammar.Diagnostics {
	_, ds := notationtest.Freeze(g)
	return ds
}

// printed prints a grammar without changes.
func printed(g *syntax.Grammar) (string, grammar.Diagnostics) {
	frozen, _ := notationtest.Freeze(g)
	return Print(frozen)
}

// TestPrintReadsBack checks that a grammar read from ANTLR, printed and read again has the same
// graph, except for the rule that Print adds for EOF.
func TestPrintReadsBack(t *testing.T) {
	for _, tt := range parseTests {
		t.Run(tt.name, func(t *testing.T) {
			g, ds := Parse("T.g4", []byte(tt.src))
			if err := append(ds, freezes(g)...).Err(); err != nil {
				t.Skip("cannot be frozen: ", err)
			}
			text, lost := printed(g)
			if lost.Err() != nil {
				t.Skip("cannot be said: ", lost)
			}
			if diff := cmp.Diff(strings.ReplaceAll(normal(g), "'do'", "Do_"), normal(must(t, text))); diff != "" {
				t.Errorf("(-first +second)\n%s\n%s", diff, text)
			}
		})
	}
}

// normal shows a graph without the parts that printing may change: the added rule, the empty
// sequence for EOF, and the orders of ranges and of rules.
func normal(g *syntax.Grammar) string {
	h := &syntax.Grammar{}
	for _, r := range g.Rules {
		if r.Name != "entry" {
			c := *r
			c.Body = normalExpr(r.Body.Clone())
			h.Rules = append(h.Rules, &c)
		}
	}
	lines := strings.Split(show(h), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func normalExpr(e *syntax.Expr) *syntax.Expr {
	e.Ranges = grammar.NewSet(e.Ranges...).Ranges()
	for i, k := range e.Children {
		e.Children[i] = normalExpr(k)
	}
	if e.Op != grammar.Seq {
		return e
	}
	var children []*syntax.Expr
	for _, k := range e.Children {
		if k.Op == grammar.Seq {
			children = append(children, k.Children...)
		} else {
			children = append(children, k)
		}
	}
	e.Children = slices.DeleteFunc(children, func(e *syntax.Expr) bool {
		return e.Op == grammar.Seq && len(e.Children) == 0 || e.Op == grammar.Lit && e.Text == ""
	})
	return syntax.NewSeq(e.Pos, e.Children...)
}

// foreign builds a grammar as from another notation: without tokens, and with names, bounds and
// classes that ANTLR does not have.
func foreign() *syntax.Grammar {
	at := grammar.Pos{File: "x.ebnf", Line: 1, Col: 1}
	lit := func(s string) *syntax.Expr { return syntax.NewLit(at, s) }
	ref := func(s string) *syntax.Expr { return syntax.NewRef(at, s) }
	seq := func(children ...*syntax.Expr) *syntax.Expr { return syntax.NewSeq(at, children...) }
	rep := func(e *syntax.Expr, min, max int) *syntax.Expr { return syntax.NewRep(at, e, min, max) }
	word := syntax.NewClass(at, false, grammar.Range{Lo: 'a', Hi: 'z'})
	any := syntax.NewClass(at, true, grammar.Range{Lo: 'x', Hi: 'x'})
	loud := syntax.NewClass(at, false, grammar.Range{Lo: 'i', Hi: 'i'})
	weighted := syntax.NewChoice(at, ref("My-Int"), seq(), ref("int"))
	weighted.Weights = []int{1, 2, 3}
	use := ref("b")
	use.Annotations = []grammar.Annotation{{Name: "use", Args: []string{"v"}, Pos: at}}
	return &syntax.Grammar{Name: "x-y", Notation: "ebnf", Rules: []*syntax.Rule{
		{Name: "Start", Pos: at, Body: weighted},
		{Name: "My-Int", Pos: at, Body: seq(lit("if"), rep(word, 2, 4), rep(lit("\\'"), 2, -1), use)},
		{Name: "int", Pos: at, Body: seq(rep(any, 0, 1), rep(seq(loud, lit("ab")), 0, -1), rep(rep(word, 0, 1), 0, -1))},
		{Name: "b", Pos: at, Body: syntax.NewChoice(at, seq(ref("c"), lit("b")), lit("\xff"))},
		{Name: "c", Pos: at, Body: syntax.NewChoice(at, ref("b"), lit("c"))},
	}}
}

const foreignText = `grammar x_y;

start
    : my_Int EOF
    | EOF
    | int_ EOF
    ;

my_Int
    : 'i' 'f' ('a' | 'b' | 'c' | CHARS_7 | 'f' | 'i' | 'x') ('a' | 'b' | 'c' | CHARS_7 | 'f' | 'i' | 'x') (('a' | 'b' | 'c' | CHARS_7 | 'f' | 'i' | 'x') ('a' | 'b' | 'c' | CHARS_7 | 'f' | 'i' | 'x')?)? ('\\' '\'') ('\\' '\'')+ b
    ;
`

// TestPrintForeign prints a grammar of another notation.
func TestPrintForeign(t *testing.T) {
	g := foreign()
	if err := freezes(g).Err(); err != nil {
		t.Fatal(err)
	}
	text, lost := printed(g)
	if !strings.HasPrefix(text, foreignText) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(foreignText, text))
	}
	var got []string
	for _, d := range lost {
		got = append(got, d.Code)
	}
	want := []string{"renamed", "weights", "annotations", "empty-loop", "left-recursion", "bytes"}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is lost (-want +got):\n%s\n%v", diff, lost)
	}
	h, ds := Parse("x_y.g4", []byte(text))
	if err := append(ds, freezes(h)...).Err(); err != nil {
		t.Errorf("what was printed cannot be read: %v\n%s", err, text)
	}
}

// TestPrintDev prints the grammars of the data folder and reads them back.
func TestPrintDev(t *testing.T) {
	dev := dataFolder(t, "dev")
	for _, dir := range []string{"json", "java/java8", "pascal", "url", "semver", "abnf", "dot", "llvm-ir", "r", "basic", "sgf", "csv"} {
		t.Run(dir, func(t *testing.T) {
			g, ds := Load(os.DirFS(filepath.Join(dev, dir)), ".", "")
			if err := append(ds, freezes(g)...).Err(); err != nil {
				t.Fatal(err)
			}
			text, lost := printed(g)
			for _, d := range lost {
				t.Log(d)
			}
			if lost.Err() != nil {
				t.Fatal(lost)
			}
			h := must(t, text)
			if a, b := g.Entry, h.Entry; a != b && b != "entry" {
				t.Errorf("start rule %q, then %q", a, b)
			}
			again, _ := printed(h)
			if diff := cmp.Diff(grammarBody(text), grammarBody(again)); diff != "" {
				t.Errorf("printed twice (-first +second):\n%s", diff)
			}
		})
	}
}

// grammarBody removes the first line, with the grammar's name, and the entry rule.
func grammarBody(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	if entry, tail, ok := strings.Cut(rest, "    ;\n"); ok && strings.HasPrefix(entry, "\nentry") {
		rest = tail
	}
	return rest
}
