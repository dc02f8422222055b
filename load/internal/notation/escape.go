package notation

import (
	"fmt"
	"strings"
)

// Escapes are the formats in which a notation writes characters by their numbers.
type Escapes struct {
	Control string // of ASCII control characters
	Short   string // of other characters up to U+FFFF
	Long    string // of characters beyond U+FFFF
}

// Char writes a character so that it represents itself, with a backslash if it is in special.
func (x *Escapes) Char(r rune, special string) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case strings.ContainsRune(special, r):
		return `\` + string(r)
	case r < ' ' || r == 0x7f:
		return fmt.Sprintf(x.Control, r)
	case r > 0xffff:
		return fmt.Sprintf(x.Long, r)
	case r > 0x7e:
		return fmt.Sprintf(x.Short, r)
	}
	return string(r)
}

// Suffix returns the suffix ?, * or + of a repetition with these bounds, or "" if there is none.
func Suffix(min, max int) string {
	switch {
	case min == 0 && max == 1:
		return "?"
	case min == 0 && max < 0:
		return "*"
	case min == 1 && max < 0:
		return "+"
	}
	return ""
}

// Bounds returns the suffix of a repetition: ?, * or +, or else bounds in braces such as {2}, {2,}
// or {2,4}.
func Bounds(min, max int) string {
	suffix := Suffix(min, max)
	switch {
	case suffix != "":
		return suffix
	case max < 0:
		return fmt.Sprintf("{%d,}", min)
	case min == max:
		return fmt.Sprintf("{%d}", min)
	}
	return fmt.Sprintf("{%d,%d}", min, max)
}
