package regexps

import (
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// TestRefused checks the texts that lookaheads forbid, including the part before the lookahead.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`a(?!b)c*`:           `"ab"`,
		`a(?=b)(?<!c)d`:      "",
		`r?("(?!"").*?"|x)y`: `("r"{0,1} "\"\"\"")`,
		`(a(?!b))?c(d(?!e))`: `(| "ab" ("a"{0,1} "cde"))`,
		`(a(?!b))*`:          "",
		`(`:                  "",
	} {
		got := ""
		if e := Refused(grammar.Pos{}, text, "", Python); e != nil {
			got = notationtest.Shape(&syntax.Grammar{Rules: []*syntax.Rule{{Name: "x", Body: e}}})
			got = got[len("x = ") : len(got)-1]
		}
		if got != want {
			t.Errorf("/%s/: %s, want %s", text, got, want)
		}
	}
}
