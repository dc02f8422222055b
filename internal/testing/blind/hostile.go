package blind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hostile is text that drives terminals, closes elements of pages, and changes the writing
// direction: all 256 bytes, the characters of the same numbers, and invisible control characters.
func Hostile() string {
	var b strings.Builder
	b.WriteString("</text></svg><script>alert(1)</script><!-- ]]> & \x1b[2J\x1b]0;title\x07 ")
	for i := range 256 {
		b.WriteByte(byte(i))
		b.WriteByte(' ')
	}
	for i := range 256 {
		b.WriteRune(rune(i))
	}
	b.WriteString("\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\U000e0001")
	return b.String()
}

// Raw returns the rest of an output from its first byte that is not UTF-8 or its first character
// that does not print; "" if all prints. Line breaks, tabs and wide spaces are allowed.
func Raw(out string) string {
	for i, r := range out {
		_, size := utf8.DecodeRuneInString(out[i:])
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\u3000' {
			return out[i:min(len(out), i+40)]
		}
	}
	return ""
}
