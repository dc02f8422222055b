package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestDetect(t *testing.T) {
	tests := []struct{ what, name, src, want string }{
		{"native", "a.ebnf", `a = "x" ;`, "ebnf"},
		{"native, :=", "A.EBNF", `a := "x" ;`, "ebnf"},
		{"native with everything", "a.ebnf", "# it's\na = b* \"\\\"\" [\"'a-z] b{2,3} @use(x, y) c? %2 | . ;\n// \"\nb = '::=' ; c = \"…\" ;", "ebnf"},
		{"native class of quotes", "a.ebnf", `a = [^"] ["'] "," ;`, "ebnf"},
		{"native, error", "a.ebnf", `a = ( "x" ;`, "ebnf"},
		{"native, long lines", "a.ebnf", "s = " + strings.Repeat(`"\"" `, 1e5) + strings.Repeat(`[a] `, 1e5) + strings.Repeat("a", 1e5) + " ;", "ebnf"},
		{"w3c", "a.ebnf", `a ::= "\" b "x"`, "w3c"},
		{"w3c with numbers", "a.ebnf", "[1] a ::= [;,] ';' /* = ; */\n[2] b ::= #x20 # comment ;", "w3c"},
		{"w3c, error", "a.ebnf", `a ::= ( "x"`, "w3c"},
		{"w3c, error in a code", "a.ebnf", "a ::= #xZZ", "w3c"},
		{"w3c, semicolons", "a.ebnf", "a ::= \"x\"* ;\nb ::= \"y\" ;", "w3c"},
		{"iso", "a.ebnf", `a = "x", b ; b = { "\" } ;`, "iso"},
		{"iso with dots", "a.ebnf", "a = 'x', b.\nb = 'y'.", "iso"},
		{"iso, pseudo", "a.ebnf", `a ::= "x", "y" ;`, "iso"},
		{"iso, error", "a.ebnf", `a = "x", ( b ; b = "y" ;`, "iso"},
		{"iso, braces", "a.ebnf", `a = "x" | { b } ; b = "y" ;`, "iso"},
		{"iso, blanks in names", "a.ebnf", `special symbol = "x" ;`, "iso"},
		{"go", "a.ebnf", "A = b { \",\" b } .\nb = \"x\" .", "goebnf"},
		{"go with ranges", "a.ebnf", "a = \"a\" … \"z\" .", "goebnf"},
		{"go, raw", "a.ebnf", "a = `\\` \".\" .", "goebnf"},
		{"iso, comma and a class", "a.ebnf", `a = "x", { b } ; b = "[a-z]" ;`, "iso"},
		{"native with braces of another notation", "a.ebnf", "a = \"x\" { b } ;\nb = \"y\" ;\nc = d ;", "ebnf"},
		{"native with a suffix and braces", "a.ebnf", "a = b+ | { b } ;\nb = [a-z] ;", "ebnf"},
		{"native with braces, error", "a.ebnf", "a = { b ;\nb = \"y\" ;", "ebnf"},
		{"native with an escape of another notation", "a.ebnf", `a = [\u{1F600}-\u{1F64F}] "\u{41}" ;`, "ebnf"},
		{"bnf", "a.bnf", "<term> ::= <term> + x | x", "bnf"},
		{"bnf in .ebnf", "a.ebnf", "<term> ::= <term> + x | x", "bnf"},
		{"bnf without blanks", "a.bnf", "<e>::=<e>+<e>|(<e>)|1", "bnf"},
		{"bnf of signs alone", "a.ebnf", "<e> ::= <e> + <e> | ( <e> ) | *", "bnf"},
		{"bnf in quotes", "a.bnf", "<e> ::= <e> \"+\" <e> | 'x'", "bnf"},
		{"w3c in angle brackets", "a.bnf", "<a> ::= (<b> | \"x\")* <b>?\n<b> ::= [a-z]+", "w3c"},
		{"w3c in angle brackets, codes", "a.ebnf", "<a> ::= <b> #x20\n<b> ::= \"y\"", "w3c"},
		{"w3c in .bnf", "a.bnf", "a ::= b*\nb ::= 'x'", "w3c"},
		{"iso by name", "a.iso", `a = "x" ;`, "iso"},
		{"w3c by name", "a.w3c", `<a> ::= x`, "w3c"},
		{"no extension: native", "grammar", `a = "x" ;`, "ebnf"},
		{"no extension: iso", "a.txt", `a = "x", b ; b = "y" ;`, "iso"},
		{"no extension: w3c", "a.txt", "a ::= b*\nb ::= 'x'", "w3c"},
		{"no extension: go", "a.txt", "A = b { \",\" b } .\nb = \"x\" .", "goebnf"},
		{"no extension: abnf", "a.txt", "a = 1*b / %x41\nb = DIGIT\n", "abnf"},
		{"no extension: antlr", "a.txt", "grammar A;\na : 'x' ;", "antlr4"},
		{"no extension: json", "a.txt", `{"<start>": ["x"]}`, "jsong"},
		{"gbnf", "a.gbnf", `root ::= "x"`, "gbnf"},
		{"gbnf in .ebnf", "a.ebnf", "root ::= \"\\\"\" [^\"\\\\]* \"\\\"\" | \"a\"{2}", "gbnf"},
		{"abnf", "rfc.abnf", `a = "x"`, "abnf"},
		{"json", "a.json", `{}`, "jsong"},
		{"tree-sitter", "grammar.json", `{"name": "x", "rules": {"a": {"type": "SEQ", "members": []}}}`, "tree-sitter"},
		{"tree-sitter without an extension", "x", `{"name": "x", "rules": {"a": {"type": "BLANK"}}}`, "tree-sitter"},
		{"lark", "a.lark", `start: "x"`, "lark"},
		{"lark without an extension", "a.txt", "%import common.WORD\nstart: WORD\n%ignore \" \"", "lark"},
		{"json with a rule of that name", "a.json", `{"<start>": ["rules", "type"], "rules": ["SEQ"]}`, "jsong"},
	}
	for _, test := range tests {
		got, err := detect(test.name, []byte(test.src))
		if got != test.want || err != nil {
			t.Errorf("%s: %q (%v), want %q", test.what, got, err, test.want)
		}
	}
}

func TestDetectErrors(t *testing.T) {
	tests := []struct{ what, name, src, want string }{
		{"no mark at all", "a.txt", `once upon a time`, "a.txt: neither the extension nor the content tells the notation; name it with --format, one of abnf, antlr4, bnf, ebnf"},
		{"BNF or EBNF in angle brackets", "a.bnf", "<a> ::= <b>* x\n<b> ::= y",
			"a.bnf: the file fits two notations, bnf and w3c, which mean different things by it; choose one with --format bnf or --format w3c"},
		{"brackets in BNF or W3C EBNF", "a.ebnf", "<a> ::= ( \"x\" ) y", "a.ebnf: the file fits two notations, bnf and w3c"},
		{"class or option", "a.ebnf", `a = "x" [ b ] ; b = "y" ;`,
			"a.ebnf: the file fits two notations, ebnf (native) and iso, which mean different things by it; choose one with --format ebnf or --format iso"},
	}
	for _, test := range tests {
		got, err := detect(test.name, []byte(test.src))
		if got != "" || err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %q, %v, want %s", test.what, got, err, test.want)
		}
	}
}

// FuzzSource detects, reads and checks arbitrary input.
func FuzzSource(f *testing.F) {
	for _, s := range []string{`a = "x" [ b ] ; b = "y" ;`, "a ::= '\\' [\"']", "A = b .\nb = \"a\" … \"z\" .", "a b = c, {d}-;", "root ::= \"\\\"\"", "@x(", "{1,",
		`file = chunk* ; chunk = u16be @len(data) ( type data ) @part(body) u32be @crc32(body) ; type = "A" ; data = byte* ;`} {
		f.Add(s, "")
		f.Add(s, "%token b\nc = \"1\" ;")
	}
	blind.Fuzz(f, func(t *testing.T, src, more string) {
		g, ds, err := Source("f.ebnf", []byte(src), Options{Companion: []byte(more)})
		if (g == nil) != (err != nil) || err == nil && ds.Err() != nil {
			t.Errorf("%v, %v, %v", g, ds, err)
		}
	})
}

// TestNotText gives every reader a binary file; each reports one message.
func TestNotText(t *testing.T) {
	for _, n := range notations() {
		if n.name == "antlr4" {
			continue
		}
		_, ds := n.parse("f", []byte("a = \"é\"\n\xff\xfe = b ;"))
		if len(ds) != 1 || !strings.HasPrefix(ds.Error(), "f:2:1: byte 0xff is not UTF-8") {
			t.Errorf("%s: %v", n.name, ds)
		}
	}
}

// doubled returns rules; each derives twice the text of the next.
func doubled(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d: %s%d %s%d\n", name, i, name, i+1, name, i+1)
	}
	return b.String() + fmt.Sprintf("%s%d: \"x\"", name, n)
}

// TestHostile gives the readers long chains. They return soon, with a graph or with messages,
// and do not overflow the stack.
func TestHostile(t *testing.T) {
	const n = 20_000
	for _, test := range []struct{ notation, src, want string }{
		{"gbnf", "root ::= \"x\"" + strings.Repeat("*", n), "repetitions stand in a row"},
		{"gbnf", "root ::= " + strings.Repeat("(", n), "nest more than 400 deep"},
		{"w3c", "a ::= 'x'" + strings.Repeat("?", n), "repetitions stand in a row"},
		{"w3c", "a ::= 'x'" + strings.Repeat(" - 'x'", n), "differences stand in a row"},
		{"w3c", "a ::= " + strings.Repeat("(", n) + strings.Repeat(")", n), "nest more than 400 deep"},
		{"abnf", "a = " + strings.Repeat("[", n), "nest more than 400 deep"},
		{"iso", "a = " + strings.Repeat("{", n), "nest more than 400 deep"},
		{"iso", "a = 'x' ; " + strings.Repeat("(*", n), "the comment is never closed"},
		{"goebnf", "a = " + strings.Repeat("{", n), "nest more than 400 deep"},
		{"jsong", strings.Repeat("[", n), "nest more than 100 deep"},
		{"lark", "start: " + strings.Repeat("(", n), "nest more than 400 deep"},
		{"lark", "start: T\nT: /" + strings.Repeat("(", n) + "/", `rule "T" is needed, and it is left out`},
		{"lark", "start: T0\n" + doubled("T", 40), "comes to more than 65536 bytes"},
		{"tree-sitter", strings.Repeat("[", n), "nest more than 1000 deep"},
		{"tree-sitter", `{"rules": {"s": {"type": "PATTERN", "value": "` + strings.Repeat("(", n) + `"}}}`, "nest more than 200 deep"},
		{"tree-sitter", `{"rules": {"s": {"type": "PATTERN", "value": "` + strings.Repeat("(a{1000}", 5) + strings.Repeat("){1000}", 5) + `"}}}`, ""},
		{"abnf", "a = " + strings.Repeat("\"x\" ", n), ""},
		{"iso", "a = " + strings.Repeat("'x' | ", n) + ";", ""},
	} {
		g, _, err := Source("f", []byte(test.src), Options{Notation: test.notation})
		switch {
		case test.want == "" && (err != nil || g == nil):
			t.Errorf("%s: %v", test.notation, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %.200v, want %s", test.notation, err, test.want)
		}
	}
}
