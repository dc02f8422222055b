package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
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

// TestSVG checks that pictures are well formed for all texts, and have none of them raw.
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

// TestHostile checks that no byte of a text reaches a picture or a page raw, and that the result
// is well formed.
func TestHostile(t *testing.T) {
	bad := blind.Hostile()
	s := &report.SVG{}
	s.Group(bad, bad)
	s.Text(1, 2, bad, bad)
	s.End(bad)
	var picture, page strings.Builder
	if err := s.WriteTo(&picture, 10, 20, bad, true); err != nil {
		t.Fatal(err)
	}
	bars := draw(t, report.Bars{Title: bad, Note: bad, Labels: []string{bad, ""}, Series: []report.Series{{Name: bad, Values: []float64{1, 0}}}})
	run := report.Reduction{Title: bad, Calls: 2, Steps: []report.Step{{1, "input", bad}, {2, "lines", bad[1:]}}}
	if err := run.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	elements(t, picture.String())
	elements(t, bars)
	for name, src := range map[string]string{"a picture": picture.String(), "bars": bars, "the page of a reduction": page.String()} {
		if raw := blind.Raw(src); raw != "" || strings.Contains(src, "<script") {
			t.Errorf("%s has %q", name, raw)
		}
	}
}
