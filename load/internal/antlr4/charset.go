package antlr4

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// char is one character of a literal or a set.
type char struct {
	r       rune
	escaped bool
	set     []grammar.Range // \p{…}: the members of the property; r is unused
	col     int             // in characters, from the start of the literal
}

// complain receives the problems found by unescape.
type complain func(sev grammar.Severity, col int, code, message, hint string)

// unescape reads the characters between the delimiters of a literal or a set.
func unescape(text string, inSet bool, report complain) []char {
	body := text[1 : len(text)-1]
	out := make([]char, 0, utf8.RuneCountInString(body))
	col := 1
	for len(body) > 0 {
		c, n := nextChar(body, inSet, func(sev grammar.Severity, code, message, hint string) {
			report(sev, col, code, message, hint)
		})
		c.col = col
		if last := len(out) - 1; last >= 0 && out[last].set == nil && utf16.IsSurrogate(out[last].r) {
			if pair := utf16.DecodeRune(out[last].r, c.r); !inSet && pair != utf8.RuneError {
				c.r, out = pair, out[:last]
			}
		}
		out = append(out, c)
		col += utf8.RuneCountInString(body[:n])
		body = body[n:]
	}
	return out
}

var simpleEscapes = map[byte]rune{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', '\\': '\\', '\'': '\''}

// nextChar reads the first character of body and returns its length in bytes.
func nextChar(body string, inSet bool, report func(sev grammar.Severity, code, message, hint string)) (char, int) {
	r, size := utf8.DecodeRuneInString(body)
	if r == utf8.RuneError && size == 1 {
		report(grammar.Error, "not-utf8", fmt.Sprintf("a byte that is not UTF-8 (0x%02x)", body[0]), "save the file as UTF-8")
		return char{r: unicode.ReplacementChar}, 1
	}
	if r != '\\' || len(body) == 1 {
		return char{r: r}, size
	}
	c := body[1]
	if r, ok := simpleEscapes[c]; ok {
		return char{r: r, escaped: true}, 2
	}
	switch {
	case c == 'u':
		return unicodeEscape(body, report)
	case inSet && (c == '-' || c == ']'):
		return char{r: rune(c), escaped: true}, 2
	case inSet && (c == 'p' || c == 'P'):
		return propertyEscape(body, report)
	}
	r, size = utf8.DecodeRuneInString(body[1:])
	report(grammar.Warning, "bad-escape", fmt.Sprintf("%q is not an escape of ANTLR; taken as %q", body[:1+size], r), `write the character itself, or \u and its code`)
	return char{r: r, escaped: true}, 1 + size
}

// unicodeEscape reads \uXXXX or \u{X…}.
func unicodeEscape(body string, report func(sev grammar.Severity, code, message, hint string)) (char, int) {
	digits, n := "", 2
	if strings.HasPrefix(body[2:], "{") {
		if end := strings.IndexByte(body, '}'); end > 0 {
			digits, n = body[3:end], end+1
		}
	} else if len(body) >= 6 {
		digits, n = body[2:6], 6
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v > utf8.MaxRune {
		report(grammar.Error, "bad-escape", fmt.Sprintf("%q is not a character code", body[:n]), `written \uXXXX or \u{X…}, at most \u{10FFFF}`)
		if !utf8.ValidString(body[:n]) {
			n = 2
		}
		return char{r: unicode.ReplacementChar, escaped: true}, n
	}
	return char{r: rune(v), escaped: true}, n
}

// propertyEscape reads \p{Name}, \p{Enum=Value} or the same with \P.
func propertyEscape(body string, report func(sev grammar.Severity, code, message, hint string)) (char, int) {
	end := strings.IndexByte(body, '}')
	if !strings.HasPrefix(body[2:], "{") || end < 0 {
		report(grammar.Error, "bad-escape", "\\"+body[1:2]+" without a property", `written \p{L}, \p{Script=Greek} or \P{…}`)
		return char{set: []grammar.Range{}}, 2
	}
	set, ok := notation.Property(body[3:end])
	if !ok {
		report(grammar.Warning, "unknown-property", fmt.Sprintf("the property %q is not known; taken as no character at all", body[3:end]),
			"general categories, scripts and the common binary properties are known")
		return char{set: []grammar.Range{}}, end + 1
	}
	if body[1] == 'P' {
		set = set.Complement()
	}
	ranges := set.Ranges()
	if ranges == nil {
		ranges = []grammar.Range{}
	}
	return char{set: ranges}, end + 1
}

// setRanges reads a set […] into ranges. With fold, both cases of each letter are included.
func setRanges(text string, fold bool, report complain) []grammar.Range {
	chars := unescape(text, true, report)
	if len(chars) == 0 {
		report(grammar.Error, 0, "empty-set", "the set is empty", "name at least one character")
	}
	var out []grammar.Range
	for i := 0; i < len(chars); i++ {
		c := chars[i]
		isRange := i+2 < len(chars) && chars[i+1].r == '-' && !chars[i+1].escaped && chars[i+1].set == nil
		switch {
		case isRange && (c.set != nil || chars[i+2].set != nil):
			report(grammar.Error, c.col, "bad-range", "a property cannot be the end of a range", `write \- for a hyphen`)
			i += 2
		case isRange && c.r > chars[i+2].r:
			report(grammar.Error, c.col, "bad-range", fmt.Sprintf("the range %c-%c goes backwards", c.r, chars[i+2].r), `swap its ends, or write \- for a hyphen`)
			i += 2
		case isRange:
			out = append(out, foldRange(c.r, chars[i+2].r, fold)...)
			i += 2
		case c.set != nil:
			out = append(out, c.set...)
		default:
			out = append(out, foldRange(c.r, c.r, fold)...)
		}
	}
	return out
}

// foldRange returns the range lo to hi. With fold it returns two ranges, as ANTLR does: from the
// lower-case form of lo to that of hi, and from the upper-case form of lo to that of hi. A range of
// which only one end has two cases is not changed.
func foldRange(lo, hi rune, fold bool) []grammar.Range {
	if !fold {
		return []grammar.Range{{Lo: lo, Hi: hi}}
	}
	lower := grammar.Range{Lo: unicode.ToLower(lo), Hi: unicode.ToLower(hi)}
	upper := grammar.Range{Lo: unicode.ToUpper(lo), Hi: unicode.ToUpper(hi)}
	mixed := (lower.Lo == lo) != (lower.Hi == hi)
	if lower == upper || mixed {
		return []grammar.Range{{Lo: lo, Hi: hi}}
	}
	if upper.Lo == lo {
		return []grammar.Range{upper, lower} // the case as written comes first
	}
	return []grammar.Range{lower, upper}
}

// cases returns both cases of a character, or false if it has only one.
func cases(r rune) (lower, upper rune, two bool) {
	lower, upper = unicode.ToLower(r), unicode.ToUpper(r)
	return lower, upper, lower != upper
}

// hasCase reports whether folding changes the meaning of the text.
func hasCase(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		_, _, two := cases(r)
		return two
	})
}

// literalExpr returns an expression of the characters of a literal. With fold, every letter becomes
// a class of both its cases. A lone surrogate is not a character, so it becomes an empty class.
func literalExpr(pos grammar.Pos, chars []char, fold bool) *syntax.Expr {
	var children []*syntax.Expr
	var run []byte
	var ranges []grammar.Range // shared by all classes
	flush := func() {
		if len(run) > 0 {
			children = append(children, syntax.NewLit(pos, string(run)))
			run = run[:0]
		}
	}
	for i, c := range chars {
		lower, upper, two := cases(c.r)
		if upper == c.r {
			lower, upper = upper, lower // the case as written comes first
		}
		two = two && fold
		if !two && !utf16.IsSurrogate(c.r) {
			run = utf8.AppendRune(run, c.r)
			continue
		}
		flush()
		if ranges == nil {
			ranges = make([]grammar.Range, 0, 2*(len(chars)-i))
			children = slices.Grow(children, len(chars)-i)
		}
		from := len(ranges)
		if two {
			ranges = append(ranges, grammar.Range{Lo: lower, Hi: lower}, grammar.Range{Lo: upper, Hi: upper})
		} else {
			ranges = append(ranges, grammar.Range{Lo: c.r, Hi: c.r})
		}
		children = append(children, syntax.NewClass(pos, false, ranges[from:len(ranges):len(ranges)]...))
	}
	flush()
	return syntax.NewSeq(pos, children...)
}
