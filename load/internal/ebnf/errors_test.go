package ebnf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestErrors reads files whose mistakes stand beside the lines they are on,
// as "### column: beginning of the message".
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.ebnf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, ds := Parse(filepath.Base(file), src)
		found := make(map[int][]string)
		for _, d := range ds {
			found[d.Pos.Line] = append(found[d.Pos.Line], fmt.Sprintf("%d: %s", d.Pos.Col, d.Message))
			if d.Hint == "" || d.Code == "" {
				t.Errorf("%v: no hint or no code", d)
			}
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, want := range strings.Split(line, "### ")[1:] {
				want = strings.TrimSpace(want)
				at := slices.IndexFunc(found[i+1], func(s string) bool { return strings.HasPrefix(s, want) })
				if at < 0 {
					t.Errorf("%s:%d: not reported: %s\nreported: %q", file, i+1, want, found[i+1])
					continue
				}
				found[i+1] = slices.Delete(found[i+1], at, at+1)
			}
			for _, s := range found[i+1] {
				t.Errorf("%s:%d: not expected: %s", file, i+1, s)
			}
		}
	}
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
