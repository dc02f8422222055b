package show

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestPrint(t *testing.T) {
	src := "\ufeffa = b ;\r\n" +
		"\tb = \"漢字\" x ;\n" +
		"c = \"\x1b[2J\u202e\" q ;\n" +
		strings.Repeat("é", 200) + "!" + strings.Repeat("z", 200) + "\n"
	at := func(line, col int) grammar.Diagnostic {
		return grammar.Diagnostic{Severity: grammar.Error, Pos: grammar.Pos{File: "f", Line: line, Col: col}, Message: "m", Hint: "h"}
	}
	warning := at(1, 1)
	warning.Severity = grammar.Warning
	for _, test := range []struct {
		d    grammar.Diagnostic
		want string
	}{
		{at(1, 5), "f:1:5: m; h\n  1 | a = b ;\n    |     ^\n"},
		{at(1, 8), "f:1:8: m; h\n  1 | a = b ;\n    |        ^\n"},
		{at(2, 11), "f:2:11: m; h\n  2 |     b = \"漢字\" x ;\n    |          \u3000\u3000  ^\n"},
		{at(3, 13), "f:3:13: m; h\n  3 | c = \"\\x1b[2J\\u202e\" q ;\n    | " + strings.Repeat(" ", 20) + "^\n"},
		{at(4, 201), "f:4:201: m; h\n  4 | …" + strings.Repeat("é", 70) + "!" + strings.Repeat("z", 29) + "…\n    |  " + strings.Repeat(" ", 70) + "^\n"},
		{at(9, 1), "f:9:1: m; h\n"},
		{at(0, 0), "f: m; h\n"},
		{warning, "f:1:1: warning: m; h\n  1 | a = b ;\n    | ^\n"},
		{grammar.Diagnostic{Severity: grammar.Note, Pos: grammar.Pos{File: "g", Line: 1, Col: 1}, Message: "m\n"}, "g:1:1: note: m\\n\n"},
	} {
		var out strings.Builder
		p := Printer{Out: &out, Sources: map[string][]byte{"f": []byte(src)}}
		p.Print(test.d)
		if d := cmp.Diff(test.want, out.String()); d != "" {
			t.Errorf("%v: -want +got\n%s", test.d, d)
		}
	}
	var out strings.Builder
	p := Printer{Out: &out, Color: true, Sources: map[string][]byte{"f": []byte(src)}}
	p.Print(warning)
	p.Print(at(1, 5))
	p.Print(at(1, 5)) // the line was just shown
	want := "\x1b[1mf:1:1: \x1b[1;33mwarning: \x1b[0mm; h\n  1 | a = b ;\n    | \x1b[1;33m^\x1b[0m\n" +
		"\x1b[1mf:1:5: \x1b[1;31merror: \x1b[0mm; h\n  1 | a = b ;\n    |     \x1b[1;31m^\x1b[0m\n" +
		"\x1b[1mf:1:5: \x1b[1;31merror: \x1b[0mm; h\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func FuzzPrint(f *testing.F) {
	f.Add("a = \x1b ;\n\u202e", "f\xff", 1, 5)
	f.Add(strings.Repeat("x\t", 300), "", 1, 400)
	f.Add(blind.Hostile(), blind.Hostile(), 1, 5)
	blind.Fuzz(f, func(t *testing.T, src, name string, line, col int) {
		var out strings.Builder
		p := Printer{Out: &out, Sources: map[string][]byte{name: []byte(src)}}
		p.Print(grammar.Diagnostic{Pos: grammar.Pos{File: name, Line: line, Col: col}, Message: src})
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 2 && len(lines) != 4 {
			t.Errorf("%d lines: %q", len(lines), lines)
		}
		if strings.ContainsFunc(out.String(), func(r rune) bool { return r != '\n' && r != '\u3000' && !unicode.IsPrint(r) }) {
			t.Errorf("%q", out.String())
		}
	})
}
