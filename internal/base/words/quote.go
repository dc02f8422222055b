package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns s with a Go escape for each character that does not print: control characters (a
// line break is \n), characters that change the writing direction or have no width, and bytes
// that are not UTF-8. So it neither drives a terminal nor begins a new line. All other characters
// stay, backslashes and quotes too, and so does a text that was already quoted. It costs time
// linear in s.
func Quote(s string) string {
	from := next(s)
	if from == len(s) {
		return s
	}
	var b strings.Builder
	for {
		b.WriteString(s[:from])
		s = s[from:]
		if s == "" {
			return b.String()
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1, r < ' ' && strings.IndexByte("\n\r\t", s[0]) < 0, r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r < ' ':
			b.WriteString(map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[size:]
		from = next(s)
	}
}

// next returns the index of the first character that does not print.
func next(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
		if !unicode.IsPrint(r) {
			return i
		}
	}
	return len(s)
}

// QuoteLines is [Quote] for a text of several lines, whose line breaks stay.
func QuoteLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Quote(l)
	}
	return strings.Join(lines, "\n")
}

// QuoteCut removes the middle of a line longer than 4 KiB. A message begins with its place and ends
// with advice; both stay.
func QuoteCut(s string) string {
	const most, head = 4096, 3000
	if len(s) <= most {
		return s
	}
	from, to := head, len(s)-(most-head)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	return s[:from] + " … " + s[to:]
}
