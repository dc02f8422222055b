package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/report"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text  string
		cells int
		want  string
	}{
		{"", 5, ""}, {"abcde", 5, "abcde"}, {"abcdef", 5, "abcd…"}, {"\x1b[2J", 9, `\x1b[2J`}, {"\x1b[2J", 6, `\x1b[…`},
		{"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語日本語", 5, "日本…"}, {strings.Repeat("é", 1000), 5, "éééé…"}, {"a\u202eb", 20, `a\u202eb`},
	} {
		got := report.Cut(test.text, test.cells)
		if got != test.want || report.Cells(got) > test.cells || !utf8.ValidString(got) {
			t.Errorf("Cut(%q, %d) = %q, want %q", test.text, test.cells, got, test.want)
		}
	}
}

// What is drawn is well formed whatever the texts are, and nothing of them is raw.
func TestSVG(t *testing.T) {
	const bad = "</svg><script>\x1b[2J\x00\u202e&\"'\xff"
	s := &report.SVG{}
	s.Group(bad, bad)
	s.Text(1, 2.25, bad, bad)
	s.Rect(1, 2, 3, 4, 5, bad)
	s.Path(bad, "M", 1., 2.04, "h", -3., bad)
	s.End(bad)
	var b strings.Builder
	if err := s.WriteTo(&b, 10, 20.5, bad, true); err != nil {
		t.Fatal(err)
	}
	if src := b.String(); strings.ContainsAny(src, "\x1b\x00\u202e") || strings.Contains(src, "\xff") || strings.Contains(src, "<script") {
		t.Errorf("raw text in:\n%s", src)
	}
	const shown = `</svg><script>\x1b[2J\x00\u202e&"'\xff`
	texts := 0
	for _, e := range elements(t, b.String()) {
		if e.text == shown {
			texts++
		}
		for name, v := range e.attrs {
			if name == "class" && e.name != "svg" && v != shown || e.name == "path" && name == "d" && v != "M1 2h-3"+shown {
				t.Errorf("%s of %s is %q", name, e.name, v)
			}
		}
	}
	if texts != 3 { // the title, the tip, the text
		t.Errorf("%d texts are shown as they should be in:\n%s", texts, b.String())
	}
}
