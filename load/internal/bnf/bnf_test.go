package bnf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/load/internal/notation/notationtest"
)

func TestParse(t *testing.T) {
	notationtest.Shapes(t, Parse, []notationtest.Case{
		{"left recursion", "<term> ::= <term> + x | x", "term = (| (term \"+\" \"x\") \"x\")\n"},
		{"signs stand for themselves", "<e> ::= ( <e> ) | [ <e> ] * { ? }", "e = (| (\"(\" e \")\") (\"[\" e \"]\" \"*\" \"{\" \"?\" \"}\"))\n"},
		{"no blanks", "<e>::=<e>+<e>|x1|-<e>", "e = (| (e \"+\" e) \"x1\" (\"-\" e))\n"},
		{"empty", "<a> ::= | x | <empty> | ε | \"\"", "a = (| () \"x\" () () \"\")\n"},
		{"empty is a rule", "<a> ::= <empty> ε\n<empty> ::= nil", "a = (empty ())\nempty = \"nil\"\n"},
		{"quotes", `<a> ::= "|" '"' "'" ' ' "::=" \n`, "a = (\"|\" \"\\\"\" \"'\" \" \" \"::=\" \"\\\\n\")\n"},
		{"less", "<a> ::= <a> <= <a> | <a> < <a> | << | <> ", "a = (| (a \"<=\" a) (a \"<\" a) \"<<\" \"<>\")\n"},
		{"blanks in names", "<if  statement> ::= if <x-1> then\n  <if statement>\n<x-1> ::= 0", "if statement = (\"if\" x-1 \"then\" if statement)\nx-1 = \"0\"\n"},
		{"comments", "# a ::=\n<a> ::= # | // b\n  // <b> ::=\n  | y\n", "a = (| \"#\" (\"//\" \"b\") \"y\")\n"},
		{"lines", "<a> ::= x |\n  y\n  | z", "a = (| \"x\" \"y\" \"z\")\n"},
	})
}

func TestWarnings(t *testing.T) {
	_, ds := Parse("f.bnf", []byte("<a> ::= <b>* \"x\"+ ;\n<b> ::= y ;\n"))
	want := "f.bnf:1:12: warning: * stands for itself in BNF: it repeats nothing; leave a blank before it if that is meant, or choose another notation with --format\n" +
		"f.bnf:2:11: warning: every rule ends with ;, which stands for itself in BNF; remove it where it is not a part of the texts"
	if diff := cmp.Diff(want, ds.Error()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMalformed(t *testing.T) { notationtest.Malformed(t, Parse, 8) }

func TestPrintRoundTrip(t *testing.T) {
	for _, src := range []string{
		"<e> ::= <e> + <t> | <t>\n<t> ::= x | ( <e> ) | '\"' \"'\" | <empty>",
		"<a b> ::= | x <a b> | <-> | ε",
	} {
		g, _ := notationtest.Must(t, Parse, "a", []byte(src))
		notationtest.SameBack(t, Parse, Print, g, 8)
	}
}

func FuzzParse(f *testing.F) {
	notationtest.FuzzPrinted(f, Parse, Print, "<a> ::= <b> + x | \"|\" '\"' | ε\n<b> ::= <empty> | <=", "<a> ::= \"", "::= x", "a ::= <b>", "<a ::= <<b>>", "# c\n<a>::=|")
}
