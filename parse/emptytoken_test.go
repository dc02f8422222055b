package parse_test

import (
	"regexp"
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestEmptyTokens checks against Go's regular expressions that tokens of ANTLR's grammars that can
// be empty are read with every other text, and never without one.
func TestEmptyTokens(t *testing.T) {
	for _, c := range []struct{ rules, same string }{
		{`T : [ab]* ;`, `[ab]*`},
		{`T : 'a'? 'b'? 'c'? ;`, `a?b?c?`},
		{`T : ('a'? | 'b' 'c')* ;`, `(a?|bc)*`},
		{`T : ('a'* 'b'*)+ | 'cc' | ;`, `(a*b*)+|cc|`},
		{`T : F F? ; fragment F : 'a'* | 'b' ;`, `(a*|b)(a*|b)?`},
		{`T : ('ab' | 'c'?) ('ab' | 'c'?) ;`, `(ab|c?)(ab|c?)`},
		{`T : U 'a'? ; U : '[' | 'c'? ; V : 'zz' ;`, `c?a?`},
	} {
		g, ds, err := load.Source("G.g4", []byte("grammar G; s : '<' T '>' EOF ; "+c.rules), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(ds) == 0 {
			t.Errorf("%s: no warning of the empty text", c.rules)
		}
		p, err := parse.New(t.Context(), g, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		same := regexp.MustCompile("^(" + c.same + ")$")
		for _, text := range append(allTexts([]string{"a", "b", "c"}, 4), "") {
			_, err := p.Parse(t.Context(), "text", "<"+text+">")
			if want := text != "" && same.MatchString(text); (err == nil) != want {
				t.Errorf("%s: %q is read: %v, want %v", c.rules, text, err == nil, want)
			}
		}
	}
}
