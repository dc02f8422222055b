package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		old, text string
		want      []part
	}{
		{"abcdef", "abef", []part{{"ab", ""}, {"cd", "del"}, {"ef", ""}}},
		{"f(a, b)", "f(b)", []part{{"f(", ""}, {"a, ", "del"}, {"b)", ""}}},
		{"1a2b3c4", "123", []part{{"1", ""}, {"a", "del"}, {"2", ""}, {"b", "del"}, {"3", ""}, {"c4", "del"}}},
		{"x=17;", "x=0;", []part{{"x=", ""}, {"17", "del"}, {"0", "ins"}, {";", ""}}},
		{"same", "same", []part{{"same", ""}}},
		{"all", "", []part{{"all", "del"}}},
	} {
		var got []part
		for _, p := range diff(c.old, c.text) {
			got = appendPart(got, p.Text, p.Op)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q to %q, -want +got:\n%s", c.old, c.text, d)
		}
	}
}

func TestReductionPage(t *testing.T) {
	r := Reduction{Title: "a <run>\x1b", Calls: 9, Steps: []Step{
		{1, "input", "<b>" + strings.Repeat("long ", 100) + "</b>\x1b[2J\u202e\t\n\xff"},
		{3, "lines", "<b>" + strings.Repeat("long ", 50) + "</b>\xff"},
		{7, "bytes", "<b>\xff"},
		{8, "recheck", "<b>.\xff"},
		{9, "words", "<b>-\xff"},
	}}
	var b strings.Builder
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{`a &lt;run&gt;\x1b`, "517 bytes to 5 in 9 calls", "1. lines, call 3: 258 bytes, 259 fewer", "3. recheck, call 8: 5 bytes, back from 4", "4. words, call 9: 5 bytes<", `&lt;b&gt;-\xff`, "<polyline", `\x1b[2J\u202e`, "<del>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, forbidden := range []string{"<b>", "http", "src=", "\x1b", "\u202e"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	if err := (&Reduction{}).WriteHTML(&b); err != nil {
		t.Errorf("an empty run: %v", err)
	}
}
