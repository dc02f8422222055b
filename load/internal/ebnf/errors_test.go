package ebnf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// TestErrors reads files with mistakes. The expected columns and messages stand beside the
// mistakes.
func TestErrors(t *testing.T) {
	read := func(name string, src []byte) grammar.Diagnostics {
		_, ds := Parse(name, src)
		return ds
	}
	notationtest.Beside(t, "testdata/errors/*.ebnf", read, func(d grammar.Diagnostic) string {
		return fmt.Sprintf("%d: %s", d.Pos.Col, d.Message)
	})
}

func TestWholeFileErrors(t *testing.T) {
	deep := func(n int) string {
		return "a = " + strings.Repeat("(", n) + `"x"` + strings.Repeat(")", n) + " ;"
	}
	tests := []struct{ name, src, want string }{
		{"invalid UTF-8", "a = \"é\" ;\nb = \"é\xff\" ;", `f:2:7: byte 0xff is not UTF-8; save the file as UTF-8, or write the byte as an escape: "\xff"`},
		{"end in a rule", `a = "x"`, `f:1:8: the file ends inside a rule in rule a; end the rule with ";"`},
		{"end in a name", `a`, `the file ends inside a rule`},
		{"open comment", `a = "x" ; (* b = "y" ;`, `f:1:11: this comment is never closed; write "*)" where it ends`},
		{"open comments", "a = " + strings.Repeat("(* ", 10_000), "f:1:5: this comment is never closed"},
		{"too deep", deep(maxNesting + 1), `groups are nested more than 500 deep; give an inner group a rule of its own`},
		{"far too deep", deep(10_000), `groups are nested more than 500 deep`},
		{"many suffixes", "a = b" + strings.Repeat(" *", 10_000) + " ;", "more than 500 repetitions"},
		{"many differences", "a = b" + strings.Repeat(" - b", 10_000) + " ;", "more than 500 differences"},
		{"open literal", "a = \"x ;\nb = 'y' ) ;\n", "f:1:5: this literal is not closed on its line"},
		{"open class", "a = [a-z ;\n;", "f:1:11: the class is not closed on its line"},
		{"open arguments", "a = b @use(c ;\n;", "f:1:15: the annotation is not closed on its line"},
		{"another notation", "a ::= 'x'\nb ::= 'y'\n", `f:1:3: "::=" is not of the native notation`},
	}
	for _, test := range tests {
		_, ds := Parse("f", []byte(test.src))
		if err := ds.Err(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	if _, ds := Parse("f", []byte(deep(maxNesting))); ds.Err() != nil {
		t.Errorf("nested %d deep: %v", maxNesting, ds.Err())
	}
}
