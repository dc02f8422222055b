package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTable checks that the table has a row for each subject, and that the installed witnesses
// accept every sentence.
func TestTable(t *testing.T) {
	var out, notes strings.Builder
	if err := run(t.Context(), []string{"-n", "50", "-time", "1ms"}, &out, &notes); err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \| gramfuzz \| (.*)$`).FindAllStringSubmatch(out.String(), -1) {
		rows[m[1]] = m[2]
	}
	for _, s := range subjects {
		if rows[s.name] == "" || regexp.MustCompile(`\b0 of`).MatchString(rows[s.name]) {
			t.Errorf("%s has the row %q", s.name, rows[s.name])
		}
		for _, w := range s.witnesses {
			if asked := strings.Contains(notes.String(), s.name+": "+w.name+" was not asked"); !asked && !strings.Contains(rows[s.name], w.name+" 100.00 %") {
				t.Errorf("%s: not all are valid by %s: %s", s.name, w.name, rows[s.name])
			}
		}
	}
	t.Log(notes.String())
}

// TestWitnesses checks that each witness accepts the first text of its subject and refuses the
// others.
func TestWitnesses(t *testing.T) {
	got := map[string]int{}
	for _, s := range subjects {
		for _, w := range s.witnesses {
			texts := map[string][][]byte{
				"csv":  {[]byte("a;b\n"), []byte("a;b\na\n"), []byte("a;\"b\n")},
				"tar":  {make([]byte, 1024), []byte(strings.Repeat("x", 1024))},
				"rest": {[]byte("ab\n==\n"), []byte("abcde\n====\n"), []byte("a b_ c\n")},
				"xml":  {[]byte("<a b=\"1\">x</a>"), []byte("<a>x</b>")},
				"c":    {[]byte("{int a; a = 1;}"), []byte("a;"), []byte("{int a; int a;}")},
				"lang": {[]byte("int a = 1;\nvoid  f0( ) { a = 2;\n }"), []byte("int a = b;"), []byte("int a  ;\nfloat a  ;")},
			}[s.name]
			ok, err := w.accepts(t.Context(), options{python: "python3"}, s.name, texts)
			if err != nil {
				t.Logf("%s: %v", w.name, err)
				continue
			}
			got[w.name] = ok
		}
	}
	want := map[string]int{}
	for name := range got {
		want[name] = 1
	}
	if d := cmp.Diff(want, got); d != "" || len(got) < 3 {
		t.Errorf("accepted texts (-want +got):\n%s", d)
	}
}
