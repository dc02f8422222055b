package treesitter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// printed has grammars in the native notation that are printed without loss.
var printed = []string{
	`s = a b* | ( "x" | [^a-c] ){2,3} ; a = "\n\\'\"é" ; b = [\u0100-\u0200\U0001F600-] ;`,
	`s = ws e ( "," ws e )* ; e = ( ws "x" ws "y"? )* "z" ; ws = [ \t]* ;`,
	`s = ( a b )+ ; a = "a"* b ; b = ( "b" | "" ) "c"? ;`,
	`s = "a" s "b" | "" ;`,
	`s = N ( "+" N )* ; @token N = [0-9]+ ( "." [0-9]* )? ; @skip W = [ \n]+ ;`,
	`s = ( s "-" s )@prec(1, left) | ( s "^" s )@prec(2, right) | ( "!" s )@prefer(-1) | "1" ;`,
	`s = ( "a" NL | "b" NL IN s OUT )+ ; @indent(IN, OUT, "(", ")", "[", "]", "{", "}") NL = "\n" ;`,
}

// TestPrintRoundTrip checks that printed grammars read back with the same counts.
func TestPrintRoundTrip(t *testing.T) {
	for _, src := range printed {
		g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 7)
	}
}

// TestPrintJS is TestPrintRoundTrip for grammar.js, which tree-sitter reads.
func TestPrintJS(t *testing.T) {
	for _, src := range printed {
		g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(src))
		text, lost := PrintJS(g)
		if len(lost) > 0 {
			t.Errorf("lost: %v", lost)
		}
		made := notationtest.Generated(t, src, text)
		if made == nil {
			continue
		}
		back, _ := notationtest.Must(t, Parse, "made", made)
		notationtest.SameCounts(t, g, back, 7)
	}
}

// TestPrintText checks the text of a small grammar.
func TestPrintText(t *testing.T) {
	g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(`s = ( s "-" s )@prec(1, left) | N? "'" ; @token N = [0-9]+ ; @skip W = " " ;`))
	text, lost := PrintJS(g)
	want := `module.exports = grammar({
  name: 'x',
  extras: $ => [$.W],
  rules: {
    s: $ => choice(prec.left(1, seq($.s, '-', $.s)), seq(optional($.N), '\'')),
    N: $ => token(repeat1(/[0-9]/)),
    W: $ => ' ',
  },
});
`
	if diff := cmp.Diff(want, text); diff != "" || len(lost) > 0 {
		t.Errorf("%v: -want +got\n%s", lost, diff)
	}
}

// TestPrintLosses checks that losses are reported.
func TestPrintLosses(t *testing.T) {
	g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(`s = a a? "\xff" "x"{0,20000} | T ; a = "b"? | "" ; @token T = "(" T? ")" ;`))
	_, lost := Print(g)
	got := make(map[string]bool)
	for _, d := range lost {
		got[d.Code] = true
		if d.Severity == grammar.Error {
			t.Errorf("%v", d)
		}
	}
	want := map[string]bool{"lost-derivations": true, "lost-literal": true, "lost-bounds": true, "lost-token": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s\n%v", diff, lost)
	}
}

// TestPrintNested checks that the text of nested repetitions has a bounded size.
func TestPrintNested(t *testing.T) {
	src := "s = " + strings.Repeat("( ", 45) + `"b"` + strings.Repeat(" ){2,3}", 45) + " ;"
	g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(src))
	if text, lost := Print(g); len(text) > 100*maxToken || len(lost) == 0 {
		t.Errorf("%d bytes, %d losses", len(text), len(lost))
	}
}
