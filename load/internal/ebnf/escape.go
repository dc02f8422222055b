package ebnf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// unquote decodes the text between the quotes of a literal. On failure it returns the offset of the
// invalid escape.
func unquote(s string) (text string, at int, err error) {
	var b []byte
	whole := s
	for len(s) > 0 {
		if c := s[0]; c == '"' || c == '\'' {
			b, s = append(b, c), s[1:]
			continue
		}
		if strings.HasPrefix(s, `\'`) || strings.HasPrefix(s, `\"`) {
			b, s = append(b, s[1]), s[2:]
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			return "", len(whole) - len(s), badEscape(s)
		}
		if multibyte {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
		s = rest
	}
	return string(b), 0, nil
}

// badEscape describes the invalid escape at the beginning of s.
func badEscape(s string) error {
	end := len(s)
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}
	if len(s) > 1 {
		_, size := utf8.DecodeRuneInString(s[1:])
		end = min(end, 1+size+digits[s[1]])
	}
	if close := strings.IndexByte(s, '}'); strings.HasPrefix(s, `\u{`) && close > 0 {
		end = close + 1
	}
	return fmt.Errorf("%s is not an escape", s[:end])
}

// unescape decodes one character of a class, which may be an escape.
func unescape(s string) (rune, error) {
	if len(s) == 2 && s[0] == '\\' && strings.IndexByte(`]^-["'`, s[1]) >= 0 {
		return rune(s[1]), nil
	}
	r, _, rest, err := strconv.UnquoteChar(s, 0)
	if err != nil || rest != "" {
		return 0, badEscape(s)
	}
	return r, nil
}

// quote writes text as a literal that unquote decodes to the same bytes.
func quote(text string) string { return `"` + escaped(text, `"`) + `"` }

// escaped writes text with escapes for control characters, bytes that are not UTF-8,
// unprintable characters, and the ASCII characters in special.
func escaped(text, special string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r < utf8.RuneSelf && strings.IndexByte(special, byte(r)) >= 0:
			if r == '<' || r == '>' {
				fmt.Fprintf(&b, `\x%02x`, r)
			} else {
				b.WriteString(`\` + string(r))
			}
		default:
			q := strconv.QuoteRune(r)
			if r == '\'' {
				q = `'''`
			}
			b.WriteString(q[1 : len(q)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// classChar writes one character of a class. It always escapes the caret, which
// would negate the class in first place.
func classChar(r rune) string {
	if r == '\'' || r == '"' {
		return string(r)
	}
	if r >= rawbyte.First {
		return fmt.Sprintf(`\x%02x`, r-rawbyte.First)
	}
	return escaped(string(r), `]^-[`)
}
