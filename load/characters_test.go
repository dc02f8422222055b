package load_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// generatedBeyond returns the characters beyond ASCII that the classes of a grammar generate.
func generatedBeyond(t *testing.T, name, src string, o load.Options) string {
	t.Helper()
	g, _, err := load.Source(name, []byte(src), o)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	beyond := map[rune]bool{}
	for _, e := range g.Exprs {
		for i := range e.Gen.Len() {
			if c := e.Gen.At(i); e.Op == grammar.Class && c > unicode.MaxASCII {
				beyond[c] = true
			}
		}
	}
	var all []rune
	for c := range beyond {
		all = append(all, c)
	}
	slices.Sort(all)
	return string(all)
}

// TestAlphabet checks that classes generate ASCII and the characters that the file names by themselves,
// in whatever way a notation writes the class.
func TestAlphabet(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a.ebnf", `s = [!-~\u00a0-\ud7ff\ue000-\U0010ffff] ;`, ""},
		{"a.ebnf", `s = [!-~] | [\u00a0-\ud7ff] | [\ue000-\U0010ffff] ;`, ""},
		{"a.ebnf", `s = [!-~] | ( [\u00a0-\ud7ff] | [\ue000-\U0010ffff] ) ;`, ""},
		{"a.ebnf", `s = "x" | "(" s ")" | [\u0100-\u0200] ;`, ""},
		{"a.ebnf", `@token T = "x" | [\u0100-\u0200] | "é" ; s = T+ ;`, "é"},
		{"a.ebnf", `s = [a-zéα-ω] ;`, "é"},
		{"a.ebnf", `s = [α-γ] ;`, "αβγ"},
		{"a.abnf", "s = %x21-7E / %xA0-D7FF / %xE000-10FFFF\n", ""},
		{"a.abnf", "s = %x21-7E / (%xA0-D7FF / %xE9)\n", "é"},
		{"a.w3c.ebnf", "S ::= #x9 | [#x20-#x7E] | #xB7 | [#x370-#xFFFD]\n", "·"},
		{"a.lark", "start: N+\nN: /[a-z_]\\w*/\n%ignore \" \"\n", ""},
		{"a.lark", "start: N+\nN: /[^\\W\\d]\\w*/\n", ""},
		{"a.lark", "start: N+\nN: /x[\\sé]/\n", "é"},
		{"a.lark", "start: N+\nN: /[\\wé]*[éa]/\n", "é"},
		{"a.g4", "grammar a; s : N ; N : [\\p{Lu}\\p{Ll}0-9]+ ;\n", ""},
		{"a.g4", "grammar a; s : N ; N : [a-z\\p{Greek}]+ ;\n", ""},
	} {
		got := generatedBeyond(t, tt.name, tt.src, load.Options{})
		if got != tt.want {
			t.Errorf("%s: characters beyond ASCII are %.40q, want %q", tt.src, got, tt.want)
		}
		if all := generatedBeyond(t, tt.name, tt.src, load.Options{Unicode: true}); len(all) <= len(got) && !strings.Contains(tt.src, "[α-γ]") {
			t.Errorf("%s: --alphabet unicode has only %d characters", tt.src, len(all))
		}
	}
}
