package gramtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// joining has grammars whose neighbouring tokens join without layout, by title, each with a text.
var joining = map[string]struct{ source, text string }{
	"a keyword and a name": {`s = ("let" ID ("=" ID)? ";")+ ; @token ID = [a-z]+ ; @skip SPACE = " " ;`, "let a = lets ; let b;"},
	"operators":            {`s = x (op x)* ; op = "+" | "++" | "-" | "->" | ">" ; x = "+"* N ; @token N = [0-9]+ ; @skip SPACE = " " ;`, "1 + +2 ++ 3- +4"},
	"comments":             {"s = (\"/\" | \"*\" | \"//!\" | N)+ ; @token N = [0-9]+ ;\n@skip LINE = \"//\" [a-z]* \"\\n\" ; @skip SPACE = \" \" ;", "1 / /2 * 3//x\n/ * 4"},
	"no blanks":            {`s = X ("," X | Y)+ ; @token X = [a-z]+ ; @token Y = [a-z]+ ";" | ";" ;`, "a,b;,c"},
	"names": {`s = ("let" ID @define(v) "=" (N | ID @use(v) ID @use(v)) ";")+ ; @token ID = [a-z]+ ; @token N = [0-9]+ ; @skip SPACE = " " ;`,
		"let a = 1; let b = a a ;"},
	"later names": {`@forward(f) s = ("def" ID @fresh(f) "in" | ID @use(f)){1,5} ; @token ID = [a-z] [a-z0-9]* ; @skip SPACE = " " | "\n" ;`, "a def b in b def a in"},
	"indentation": {"s = stmt{1,4} ;\nstmt = ID ID* NL | \"if\" ID \":\" NL INDENT stmt{1,2} DEDENT ;\n@token ID = [a-z]+ ;\n@indent(INDENT, DEDENT) NL = \"\\n\" ;\n@skip SPACE = \" \" ;", "if a:\n  b c\n  d\ne\n"},
}

// TestSentences checks that every text that is not damaged is a sentence whose names are where they may
// be: drawn, made by guides and of seeds, tried and reported by shrinking, stored and replayed, and made
// of the engine's bytes.
func TestSentences(t *testing.T) {
	for title, c := range joining {
		t.Run(title, func(t *testing.T) {
			g, err := load.String(c.source)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "seed"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			isSentence := sentenceOf(t, g)
			if err := isSentence(c.text); err != nil {
				t.Fatalf("the text %q: %v", c.text, err)
			}
			for _, opts := range [][]Option{{}, {Damage(0.3)}, {Guide("cover"), Valid(), Seeds(dir)}, {Guide("labels"), Seeds(dir)}, {Guide("exemplars")}} {
				n := 0
				opts = append(opts, Seed(5), Count(300), Dir(filepath.Join(dir, "fails")))
				property := func(limit int) property {
					return func(t *T, s *Sentence) {
						n++
						if s.Damaged() {
							return
						}
						if err := isSentence(s.String()); err != nil {
							t.Errorf("no sentence: %v", err)
						}
						s.Classify(true, s.String()[:min(3, len(s.String()))])
						if w := strings.Fields(s.String()); len(s.String()) > limit && len(w) > 1 {
							panic("long")
						}
					}
				}
				for _, limit := range []int{1 << 20, 6} {
					report := outcome(t, func(tb testing.TB) { Check(tb, g, property(limit), opts...) })
					if strings.Contains(report, "no sentence") || limit > 6 && report != "" {
						t.Fatal(report)
					}
					if report != "" {
						again := outcome(t, func(tb testing.TB) { Check(tb, g, property(limit), opts...) }) // from the fail file
						if sentence(again) != sentence(report) || strings.Contains(again, "no sentence") {
							t.Errorf("first %s\nthen %s", report, again)
						}
					}
				}
				if n < 300 {
					t.Errorf("the property was called %d times", n)
				}
			}
			m, rng, texts := fuzzMachine(g, (&runner{g: g, c: newConfig(nil)}).deriveOptions()), rand.New(rand.NewPCG(1, 2)), 0
			for range 300 {
				data := make([]byte, rng.IntN(40))
				for i := range data {
					data[i] = byte(rng.Uint32())
				}
				tree, err := fromBytes(t.Context(), m, data)
				if errors.As(err, new(*lex.JoinError)) {
					continue
				}
				if err == nil {
					texts++
					err = isSentence(tree.Text())
				}
				if err != nil {
					t.Fatalf("bytes %v: %v", data, err)
				}
			}
			if texts < 100 {
				t.Errorf("%d texts of bytes", texts)
			}
		})
	}
}

// sentenceOf returns a function that says why a text is no sentence with its names in their places.
func sentenceOf(t *testing.T, g *grammar.Grammar) func(text string) error {
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		f, err := p.Parse(t.Context(), "", text)
		if err == nil {
			_, err = f.Obeying(t.Context(), names)
		}
		return err
	}
}

// FuzzWords gives the engine only sentences, seeds among them.
func FuzzWords(f *testing.F) {
	g := load.MustString(joining["a keyword and a name"].source)
	Fuzz(f, g, func(t *T, s *Sentence) {
		if tree := s.Tree(); tree.Text() != s.String() || strings.HasPrefix(s.String(), "lets") {
			t.Errorf("%q is no text of its tree", s)
		}
		if _, err := (&runner{g: g, c: newConfig(nil)}).parseOnly(context.Background(), s.Text()); err != nil {
			t.Errorf("no sentence: %v", err)
		}
	})
}
