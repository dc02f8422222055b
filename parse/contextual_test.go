package parse_test

import (
	"context"
	"errors"
	"testing"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/sample"
)

// queries is a language with keywords that are also names, and with elements in which blanks
// and single characters are tokens.
const queries = `
Query   ::= Path ( ( '>' | 'or' | '/' ) Path )* | 'if' '(' Query ')' 'then' Query
Path    ::= Name | Element | '$' Name
Element ::= '<' Name ( S Name '=' Text )* '>' ( Char | Code | Element )* '</' Name '>'
         /* ws: explicit */
Code    ::= '{' Query '}'
Space   ::= ( S^Space | Remark )+
         /* ws: definition */
Remark  ::= '(:' Remark* ':)'
<?TOKENS?>
Name    ::= [a-z]+
S       ::= ' '+
Text    ::= "'" [^']* "'"
Char    ::= [^<>{}]
`

// TestContextLexing draws sentences in which only the parser's state distinguishes the tokens,
// in every layout, and parses them back.
func TestContextLexing(t *testing.T) {
	ctx := context.Background()
	g, _, err := load.Source("queries.ebnf", []byte(queries), load.Options{Notation: "w3c"})
	if err != nil {
		t.Fatal(err)
	}
	p := must(t, g)
	for _, layout := range []derive.LayoutPolicy{derive.Tight, derive.Spaced, derive.Random} {
		s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(1, 40, grammar.Terminals), Seed: 1, Layout: layout})
		if err != nil {
			t.Fatal(err)
		}
		src := s.Source()
		for i := range uint64(150) {
			tree, err := src.Tree(ctx, i)
			if err != nil {
				t.Fatalf("%v: sentence %d: %v", layout, i, err)
			}
			f, err := p.Parse(ctx, "sentence", tree.Text())
			if err != nil {
				t.Fatalf("%v: %q: %v", layout, tree.Text(), err)
			}
			back, err := f.Tree(ctx)
			if err != nil || back.Text() != tree.Text() {
				t.Fatalf("%v: %q comes back as %q (%v)", layout, tree.Text(), back.Text(), err)
			}
		}
	}
	for _, text := range []string{"a a", "<a >b</a>", "< a>b</a>", "<a>b</a> c", "if (a) b", "a > ", ""} {
		bad := new(parse.Error)
		if _, err := p.Parse(ctx, "text", text); !errors.As(err, &bad) {
			t.Errorf("%q: %v, want a place", text, err)
		}
	}
}
