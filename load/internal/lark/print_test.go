package lark

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load/internal/ebnf"
	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

// printed has grammars in the native notation that are printed without loss.
var printed = []string{
	`s = a b* | ( "x" | [^a-c] ){2,3} ; a = "\n\\'\"é/" ; b = [\u0100-\u0200\U0001F600/-] ;`,
	`s = ws e ( "," ws e )* ; e = ( ws "x" ws "y"? )* "z" ; ws = [ \t]* ;`,
	`s = ( a b )+ ; a = "a"* b ; b = ( "b" | "" ) "c"? ;`,
	`s = "a" s "b" | "" | [^] ;`,
	`S = N ( "+" N )* _1 ; @token N = [0-9]+ ( "." D )? ; @token D = [0-9]* ; @skip W = [ \n]+ ; _1 = "1"{2,} ;`,
	`s = ( "a" NL | "b" NL IN s OUT )+ ; @indent(IN, OUT, "(", ")", "[", "]", "{", "}") NL = "\n" ;`,
}

// TestPrintRoundTrip checks that printed grammars read back with the same counts.
func TestPrintRoundTrip(t *testing.T) {
	for _, src := range printed {
		g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 7)
	}
}

// TestPrintForLark checks that Lark loads printed grammars.
func TestPrintForLark(t *testing.T) {
	if err := exec.Command("python3", "-c", "import lark").Run(); err != nil {
		t.Skip("python3 has no package lark")
	}
	for _, src := range printed {
		g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(src))
		text, _ := Print(g)
		if out, err := exec.Command("python3", "-c", "import sys, lark; lark.Lark(sys.argv[1], parser='earley')", text).CombinedOutput(); err != nil {
			t.Errorf("%v: %s\n%s", err, out, text)
		}
	}
}

// TestPrintText checks the text of a small grammar, whose labels become aliases.
func TestPrintText(t *testing.T) {
	g, _ := notationtest.Must(t, Parse, "f", []byte("start: N? \"\\\"\" -> one\n | x~2..3\nx: /[a-c]/\nN.2: \"1\"+\nW: \" \"\n%ignore W"))
	text, lost := Print(g)
	want := `start: N? "\"" -> one
    | x~2..3
x: T__A_C__
N.2: "1"+
W: " "
T__A_C__: /[a-c]/
%ignore W
`
	if diff := cmp.Diff(want, text); diff != "" || len(lost) > 0 {
		t.Errorf("%v: -want +got\n%s", lost, diff)
	}
}

// TestPrintLosses checks that losses are reported.
func TestPrintLosses(t *testing.T) {
	g, _ := notationtest.Must(t, ebnf.Parse, "x", []byte(`s = a a? "\xff" ( s "-" s )@prec(1, left) | T | gone ; a = "b"? | "" ; @token T = "(" T? ")" ; gone = "" ;`))
	_, lost := Print(g)
	got := make(map[string]bool)
	for _, d := range lost {
		got[d.Code] = true
	}
	want := map[string]bool{"lost-derivations": true, "lost-literal": true, "lost-annotation": true, "lost-token": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s\n%v", diff, lost)
	}
}
