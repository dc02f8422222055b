package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Class returns a class in the native notation, shortened if it is long.
func Class(e *grammar.Expr) string {
	const most = 12 // ranges
	var b strings.Builder
	b.WriteString("[")
	if e.Negated {
		b.WriteString("^")
	}
	for i, x := range e.Ranges {
		if i == most {
			fmt.Fprintf(&b, "…%d more", len(e.Ranges)-i)
			break
		}
		b.WriteString(classChar(x.Lo))
		if x.Hi > x.Lo {
			b.WriteString("-" + classChar(x.Hi))
		}
	}
	return b.String() + "]"
}

func classChar(r rune) string {
	switch {
	case r == grammar.EndOfText:
		return "end of text"
	case r >= rawbyte.First:
		return fmt.Sprintf(`\x%02x`, r-rawbyte.First)
	case strings.ContainsRune(`-]^\`, r):
		return `\` + string(r)
	}
	q := strconv.Quote(string(r))
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// Times returns the operator of a repetition.
func Times(e *grammar.Expr) string {
	s := ""
	switch {
	case e.Min == 0 && e.Max == 1:
		s = "?"
	case e.Min == 0 && e.Max < 0:
		s = "*"
	case e.Min == 1 && e.Max < 0:
		s = "+"
	case e.Max < 0:
		s = "{" + strconv.Itoa(e.Min) + ",}"
	case e.Min == e.Max:
		s = "{" + strconv.Itoa(e.Min) + "}"
	default:
		s = "{" + strconv.Itoa(e.Min) + "," + strconv.Itoa(e.Max) + "}"
	}
	if e.Lazy {
		s += "?"
	}
	return s
}
