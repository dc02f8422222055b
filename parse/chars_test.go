package parse_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

func isT(r *grammar.Rule) bool { return r.Name == "T" }

func sameExpr(a, b *grammar.Expr) bool { return a == b }

// TestTokens reads tokens of all forms, with and without a derivation determined by the next
// character, and replays the choices.
func TestTokens(t *testing.T) {
	tests := []struct {
		rules  string
		direct bool
		texts  []string
	}{
		{`T : 'if' ;`, true, []string{"if"}},
		{`T : [a-z] [a-z0-9]* ;`, true, []string{"a", "ab1", "z0"}},
		{`T : '"' (E | ~["\\])* '"' ; fragment E : '\\' (["n] | 'u' H H) ; fragment H : [0-9] ;`, true, []string{`""`, `"a\u12é\n世"`}},
		{`T : '-'? ('0' | [1-9] [0-9]*) ('.' [0-9]+)? ;`, true, []string{"0", "-10.50", "7.0"}},
		{`T : 'a' 'b'? 'b'? ;`, false, []string{"a", "ab", "abb"}},
		{`T : ('x' 'y'?)+ ('z' | ) ;`, true, []string{"x", "xyx", "xxyz"}},
		{`T : ('a' | 'a' 'b') ;`, false, []string{"a", "ab"}},
		{`T : '(' T? ')' ;`, false, []string{"()", "((()))"}},
		{`T : '<' .*? '>' ;`, true, []string{"<>", "<a<é>"}},
		{`T : 'é' ~[a] ;`, true, []string{"éé", "é\u0080"}},
	}
	for _, test := range tests {
		g, _, err := load.Source("G.g4", []byte("grammar G;\nstart : T+ EOF ;\n"+test.rules+"\nWS : ' ' -> skip ;\n"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := parse.Direct(g.Rules[slices.IndexFunc(g.Rules, isT)]); got != test.direct {
			t.Errorf("%s: the next character settles it: %v, want %v", test.rules, got, test.direct)
		}
		p := must(t, g)
		for _, text := range test.texts {
			for _, text := range []string{text, " " + text + "  " + text} {
				f, err := p.Parse(t.Context(), "text", text)
				if err != nil {
					t.Errorf("%s: %v", test.rules, err)
					continue
				}
				tree, err := f.Tree(t.Context())
				if err != nil {
					t.Errorf("%s: %q: %v", test.rules, text, err)
					continue
				}
				if got := tree.Text(); got != text {
					t.Errorf("%s: %q comes back as %q", test.rules, text, got)
				}
				again, err := derive.NewMachine(g, derive.Options{}).Run(t.Context(), derive.Replay(tree.Choices()))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(again.Nodes(), tree.Nodes(), cmp.Comparer(sameExpr)); diff != "" {
					t.Errorf("%s: %q: -replayed +read\n%s", test.rules, text, diff)
				}
				if diff := cmp.Diff(again.Choices(), tree.Choices()); diff != "" {
					t.Errorf("%s: %q: -replayed +read\n%s", test.rules, text, diff)
				}
			}
		}
	}
}

// TestRoutes checks on random rules that the derivation of a text that is found without a forest
// is the canonical one, and that there is one for the same texts.
func TestRoutes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	texts := append(allTexts([]string{"a", "b", "c"}, 5), "é", "aé", "éb", "")
	rules, found := 0, 0
	for range 600 {
		g := brute.Random(rng)
		p, err := parse.New(t.Context(), g, parse.Options{})
		route := parse.Route(g.Start)
		if err != nil || route == nil || parse.Direct(g.Start) {
			continue
		}
		rules++
		for _, text := range texts {
			f, err := p.Parse(t.Context(), "text", text)
			got := route(text)
			if err != nil {
				if got != nil {
					t.Fatalf("%q has the choices %v, but %v\n%s", text, got, err, load.Native(g))
				}
				continue
			}
			found++
			tree, err := f.Tree(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tree.Choices()) {
				t.Fatalf("%q has the choices %v, want %v\n%s", text, got, tree.Choices(), load.Native(g))
			}
		}
	}
	t.Logf("%d rules, %d texts", rules, found)
	if rules < 20 || found < 200 {
		t.Error("too little was tried")
	}
}

// TestLongTokens reads tokens of nested loops that have many derivations, in memory that grows with
// their length.
func TestLongTokens(t *testing.T) {
	for _, rule := range []string{`'"' (~["\\]+ | '\\' .)* '"'`, `'"' ([a-y]* 'x'?)* '"'`, `'"' ([a-z]+)+ '"'`, `'"' ('xx' | 'x' | [a-z]*)* 'x"'`} {
		g, _, err := load.Source("G.g4", []byte("grammar G; s : STR EOF ; STR : "+rule+" ;"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := parse.New(t.Context(), g, parse.Options{MaxMemory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		text := `"` + strings.Repeat("x", 50_000) + `"`
		f, err := p.Parse(t.Context(), "text", text)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Tree(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		if tree.Text() != text || len(tree.Choices()) < 50_000 {
			t.Errorf("%s: another text, or %d choices", rule, len(tree.Choices()))
		}
	}
}
