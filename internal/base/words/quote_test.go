package words

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{`plain "text" \n é 漢 😀`, `plain "text" \n é 漢 😀`},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"a\nb\r\tc\x00\x7f", `a\nb\r\tc\x00\x7f`},
		{"\u0085\u009b2J", `\u0085\u009b2J`},
		{"a\u202eb\u2066c\u200bd\ufeff\u2028", `a\u202eb\u2066c\u200bd\ufeff\u2028`},
		{"\xff\xc0é\xe2\x80", `\xff\xc0é\xe2\x80`},
		{"�", "�"},
		{"\U000e0001", `\U000e0001`},
	} {
		if got := Quote(test.text); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
		if again := Quote(test.want); again != test.want {
			t.Errorf("quoted twice, %s is %s", test.want, again)
		}
	}
	if got := QuoteLines("a\x1b\nb\n"); got != "a\\x1b\nb\n" {
		t.Errorf("lines: %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("x", 4096)} {
		if got := QuoteCut(s); got != s {
			t.Errorf("%d bytes: %q", len(s), got)
		}
	}
	for n := range 5 { // characters across the cut
		s := "begin" + strings.Repeat("a", n) + strings.Repeat("é漢😀", 1000) + "end"
		got := QuoteCut(s)
		if len(got) > 4110 || !utf8.ValidString(got) || !strings.HasPrefix(got, "begin") || !strings.HasSuffix(got, "end") || !strings.Contains(got, " … ") {
			t.Errorf("%d bytes, valid %v: %q", len(got), utf8.ValidString(got), got)
		}
	}
	if got := QuoteCut(strings.Repeat("\x80", 5000)); got != " … " { // bytes that begin no character
		t.Errorf("bytes without characters: %q", got)
	}
}

func FuzzText(f *testing.F) {
	for b := range 256 {
		f.Add(strings.Repeat(string([]byte{byte(b)}), 2) + "x")
	}
	f.Add("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
	blind.Fuzz(f, func(t *testing.T, s string) {
		got := Quote(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q becomes %q", s, got)
		}
		if strings.Count(QuoteLines(s), "\n") != strings.Count(s, "\n") {
			t.Errorf("%q has other lines", s)
		}
	})
}
