package parse_test

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/parse"
)

// A companion has only those tokens compete that the parser can take next, in a notation whose
// lexers do not know the parser.
func TestLexingByContext(t *testing.T) {
	src := "grammar L;\ns : 'x' A | 'y' B ;\nA : '[' [a-z]* ']' ;\nB : '[' ~']'* ']' ;\n"
	for _, test := range []struct {
		companion string
		text      string
		want      bool
	}{
		{"", "x[ab]", true},
		{"", "y[ab]", false}, // an A as well, which stands first
		{"", "y[a1]", true},
		{"%lexing context\n", "x[ab]", true},
		{"%lexing context\n", "y[ab]", true},
		{"%lexing context\n", "x[a1]", false},
	} {
		g, _, err := load.Source("L.g4", []byte(src), load.Options{Companion: []byte(test.companion)})
		if err != nil {
			t.Fatal(err)
		}
		p, err := parse.New(t.Context(), g, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Parse(t.Context(), "", test.text); (err == nil) != test.want {
			t.Errorf("%q with %q: %v", test.text, test.companion, err)
		}
	}
}
