package grammar_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestChecks reads grammars that have the expected findings beside the lines
// they are about: "### severity: beginning of the message".
func TestChecks(t *testing.T) {
	files, err := filepath.Glob("testdata/check/*.ebnf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, ds := load.ParseNative(filepath.Base(file), src)
		if err := ds.Err(); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		found := make(map[int][]string)
		for _, d := range g.Freeze(grammar.Options{}) {
			found[d.Pos.Line] = append(found[d.Pos.Line], fmt.Sprintf("%v: %s", d.Severity, d.Message))
			if d.Hint == "" || d.Code == "" {
				t.Errorf("%v: no hint or no code", d)
			}
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, want := range strings.Split(line, "### ")[1:] {
				want = strings.TrimSpace(want)
				at := slices.IndexFunc(found[i+1], func(s string) bool { return strings.HasPrefix(s, want) })
				if at < 0 {
					t.Errorf("%s:%d: not reported: %s\nreported: %q", file, i+1, want, found[i+1])
					continue
				}
				found[i+1] = slices.Delete(found[i+1], at, at+1)
			}
			for _, s := range found[i+1] {
				t.Errorf("%s:%d: not expected: %s", file, i+1, s)
			}
		}
	}
}

func freeze(t *testing.T, src string, o grammar.Options) (*grammar.Grammar, grammar.Diagnostics) {
	t.Helper()
	g, ds := load.ParseNative("test.ebnf", []byte(src))
	if err := ds.Err(); err != nil {
		t.Fatal(err)
	}
	return g, g.Freeze(o)
}

func mustFreeze(t *testing.T, src string) *grammar.Grammar {
	t.Helper()
	g, ds := freeze(t, src, grammar.Options{})
	if err := ds.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestHints(t *testing.T) {
	tests := []struct{ src, start, want string }{
		{`s = "x" nmber ; number = [0-9] ;`, "", `did you mean "number"?`},
		{`s = "x" Number ; number = [0-9] ;`, "", `did you mean "number"?`},
		{`s = "x" a-b ; a = "a" ; b = "b" ;`, "", `a - b, with spaces`},
		{`s = "x" zzz ; number = [0-9] ;`, "", `define it, or put it in quotes`},
		{`s = "x" ;`, "t", `did you mean "s"?`},
		{`s = "x" ;`, "start", `name one of its rules, such as "s"`},
		{`s = "x" ; s = "y" ;`, "", "join both with | or rename one"},
		{`@skip s = "x" ;`, "", "add a rule without @skip"},
		{``, "", "write at least one"},
	}
	for _, test := range tests {
		_, ds := freeze(t, test.src, grammar.Options{Start: test.start})
		if err := ds.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.src, err, test.want)
		}
	}
}

func TestLenientUndefined(t *testing.T) {
	for src, usable := range map[string]bool{
		`s = "x" | prose "y" ;`: true,
		`s = "x" prose ;`:       false,
	} {
		g, _ := load.ParseNative("test.ebnf", []byte(src))
		g.LenientUndefined = true
		ds := g.Freeze(grammar.Options{})
		if got := ds.Err() == nil; got != usable {
			t.Errorf("%s: usable %v, want %v: %v", src, got, usable, ds)
		}
		if len(ds) != 1 || ds[0].Code != "undefined-rule" {
			t.Errorf("%s: %v, want the undefined rule alone", src, ds)
		}
	}
}

func TestOwnStartMakesUnreachableANote(t *testing.T) {
	_, ds := freeze(t, `a = b ; b = "x" ;`, grammar.Options{Start: "b"})
	if len(ds) != 1 || ds[0].Severity != grammar.Note || ds[0].Code != "unreachable-rule" {
		t.Errorf("%v", ds)
	}
}

func TestFreezeAgain(t *testing.T) {
	g, first := freeze(t, `a = b | c "x" ; b = "x" ; c = nosuch ;`, grammar.Options{})
	exprs, alts := len(g.Exprs), g.Alts
	again := g.Freeze(grammar.Options{})
	if d := cmp.Diff(first, again); d != "" || len(g.Exprs) != exprs || g.Alts != alts {
		t.Errorf("freezing twice differs: %d exprs, %d alternatives\n%s", len(g.Exprs), g.Alts, d)
	}
}

// TestHostileGrammars makes long chains of rules, which must neither overflow
// a stack nor take more than a moment.
func TestHostileGrammars(t *testing.T) {
	const n = 20_000
	type expr = grammar.Expr
	var pos grammar.Pos
	ref := func(i int) *expr { return grammar.NewRef(pos, fmt.Sprintf("r%d", (i+n)%n)) }
	text := func() *expr { return grammar.NewLit(pos, "x") }
	tests := map[string]func(i int) *expr{
		"forth": func(i int) *expr {
			return grammar.NewChoice(pos, text(), grammar.NewSeq(pos, text(), ref(i+1)))
		},
		"back": func(i int) *expr {
			return grammar.NewChoice(pos, text(), grammar.NewSeq(pos, ref(i-1), text()))
		},
		"cycle":     func(i int) *expr { return grammar.NewChoice(pos, text(), ref(i+1)) },
		"nothing":   func(i int) *expr { return ref(i - 1) },
		"undefined": func(i int) *expr { return grammar.NewRef(pos, fmt.Sprintf("q%d", i)) },
	}
	for name, body := range tests {
		g := &grammar.Grammar{Name: name}
		for i := range n {
			g.Rules = append(g.Rules, &grammar.Rule{Name: fmt.Sprintf("r%d", i), Body: body(i)})
		}
		begin := time.Now()
		g.Freeze(grammar.Options{})
		g.Facts(nil, grammar.Exact)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: %v for %d rules", name, took, n) // linear: below 1 s
		}
	}
}
