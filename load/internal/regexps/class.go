package regexps

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

func set(text string) grammar.Set {
	var rs []grammar.Range
	for _, r := range text {
		rs = append(rs, grammar.Range{Lo: r, Hi: r})
	}
	return grammar.NewSet(rs...)
}

func union(a, b grammar.Set) grammar.Set {
	return grammar.NewSet(append(append([]grammar.Range(nil), a.Ranges()...), b.Ranges()...)...)
}

// named returns the class of \d, \s or \w. For a capital letter it returns the class to negate, and
// negated is true.
func (p *parser) named(letter byte) (out grammar.Set, negated, ok bool) {
	ascii := p.d.ascii || p.flags.ascii
	var wide grammar.Set
	switch letter | 0x20 {
	case 'd':
		out, wide = grammar.NewSet(grammar.Range{Lo: '0', Hi: '9'}), property("Nd")
	case 's':
		out = set(" \t\n\v\f\r")
		if p.d.plain {
			out = set(" \t\n\r")
		}
		wide = union(property("White_Space"), set("\x1c\x1d\x1e\x1f"))
	case 'w':
		out = grammar.NewSet(grammar.Range{Lo: '0', Hi: '9'}, grammar.Range{Lo: 'A', Hi: 'Z'}, grammar.Range{Lo: 'a', Hi: 'z'}, grammar.Range{Lo: '_', Hi: '_'})
		wide = union(union(property("L"), property("N")), set("_"))
		if p.d.ascii {
			wide = union(wide, union(property("M"), property("Pc")))
		}
	default:
		return out, false, false
	}
	negated = letter&0x20 == 0
	if !ascii || negated && p.d.ascii { // tree-sitter gives only the lower-case letters ASCII classes
		out = wide
	}
	return out, negated, true
}

func property(name string) grammar.Set {
	s, _ := notation.Property(name)
	return s
}

// folded returns the characters of a range and their other cases.
func (d Dialect) folded(r grammar.Range) grammar.Set {
	rs := []grammar.Range{r}
	for c := r.Lo; c <= r.Hi && c-r.Lo < 1<<12; c++ {
		for o := unicode.SimpleFold(c); o != c; o = unicode.SimpleFold(o) {
			if d.ascii && (c < unicode.MaxASCII) != (o < unicode.MaxASCII) {
				continue // the long s and the sign of kelvins
			}
			rs = append(rs, grammar.Range{Lo: o, Hi: o})
		}
	}
	return grammar.NewSet(rs...)
}

// posix has the classes written as [:name:] within a class.
var posix = map[string]string{
	"alnum": `0-9A-Za-z`, "alpha": `A-Za-z`, "blank": ` \t`, "digit": `0-9`, "lower": `a-z`, "punct": `!-/:-@\[-` + "`" + `{-~`,
	"space": ` \t\n\v\f\r`, "upper": `A-Z`, "word": `0-9A-Za-z_`, "xdigit": `0-9A-Fa-f`,
}

// whole returns the set s, or its complement if negated.
func whole(s grammar.Set, negated bool) grammar.Set {
	if negated {
		return s.Complement()
	}
	return s
}

// class reads a class after its opening bracket. It returns the set as written, and whether the
// class is the negation of that set.
func (p *parser) class(depth int) (out grammar.Set, negated bool) {
	if depth > maxNesting {
		p.fail("split the token", "classes nest more than %d deep", maxNesting)
		return out, false
	}
	negated = p.accept("^")
	first := true
	for p.d.nested && p.accept("-") { // a - directly after the bracket is a hyphen
		out, first = set("-"), false
	}
	for ; ; first = false {
		switch {
		case p.at >= len(p.text):
			p.fail("write ] where it ends", "a class is never closed")
			return out, negated
		case !first && p.accept("]"):
			return out, negated
		case p.d.nested && p.accept("[:"):
			src, ok := posix[p.until(":]")]
			if !ok {
				p.fail("use a name such as alpha or digit", "unknown class")
				return out, negated
			}
			inner := &parser{d: p.d, text: src + "]"}
			out = union(out, whole(inner.class(depth+1)))
			continue
		case p.d.nested && p.accept("["):
			out = union(out, whole(p.class(depth+1)))
			continue
		case p.d.nested && (strings.HasPrefix(p.rest(), "&&") || strings.HasPrefix(p.rest(), "--") || strings.HasPrefix(p.rest(), "~~")):
			p.fail("write the characters out", "classes that are computed of others are not read")
			return out, negated
		}
		lo, from, ok := p.member()
		if !ok {
			out = union(out, lo)
			continue
		}
		to := from
		if strings.HasPrefix(p.rest(), "-") && !strings.HasPrefix(p.rest(), "-]") && p.at+1 < len(p.text) {
			p.at++
			hi, last, single := p.member()
			if !single { // a hyphen between a character and a class is literal
				out = union(union(out, hi), set("-"))
			} else {
				to = last
				if to < from && !p.failed {
					p.fail(`swap its ends, or write \- for a hyphen`, "the range %c-%c goes backwards", from, to)
				}
			}
		}
		r := grammar.Range{Lo: from, Hi: to}
		if p.flags.fold {
			out = union(out, p.d.folded(r))
		} else {
			out = union(out, grammar.NewSet(r))
		}
	}
}

// member reads a character, or a class such as \d. single tells whether it is a character.
func (p *parser) member() (s grammar.Set, r rune, single bool) {
	r, n := utf8.DecodeRuneInString(p.rest())
	p.at += n
	if r != '\\' {
		return s, r, true
	}
	s, negated, r, single := p.escape(true)
	return whole(s, negated), r, single
}

// escaped reads an escape outside a class.
func (p *parser) escaped() []item {
	p.at++
	if p.at < len(p.text) && strings.IndexByte("bBAZz", p.text[p.at]) >= 0 {
		p.report(grammar.Note, "", `\%c is not kept: it looks out of its part of the token`, p.text[p.at])
		p.at++
		return nil
	}
	s, negated, r, single := p.escape(false)
	if single {
		return []item{{e: p.char(r)}}
	}
	return p.oneOf(s, negated)
}

var simple = map[byte]rune{'n': '\n', 'r': '\r', 't': '\t', 'f': '\f', 'v': '\v', 'a': '\a'}

// escape reads the text after a backslash: a character, or a class.
func (p *parser) escape(inClass bool) (s grammar.Set, negated bool, r rune, single bool) {
	if p.at >= len(p.text) {
		p.fail("write the character behind it", `a \ stands at the end`)
		return s, false, 0, true
	}
	c := p.text[p.at]
	if s, negated, ok := p.named(c); ok {
		p.at++
		return s, negated, 0, false
	}
	if r, ok := simple[c]; ok {
		p.at++
		return s, false, r, true
	}
	switch {
	case c == 'p' || c == 'P':
		p.at++
		s, negated = p.property(c == 'P')
		return s, negated, 0, false
	case c == 'b' && inClass:
		p.at++
		return s, false, '\b', true
	case c == 'x':
		return s, false, p.code(2), true
	case c == 'u':
		return s, false, p.code(4), true
	case c == 'U':
		return s, false, p.code(8), true
	case c == 'c' && p.d.ascii && p.at+1 < len(p.text):
		p.at += 2
		return s, false, rune(p.text[p.at-1] & 0x1f), true
	case c == '0' || inClass && c >= '0' && c <= '7':
		end := p.at
		for end < len(p.text) && end < p.at+3 && p.text[end] >= '0' && p.text[end] <= '7' {
			end++
		}
		v, _ := strconv.ParseUint(p.text[p.at:end], 8, 16)
		p.at = end
		return s, false, rune(v), true
	case c >= '1' && c <= '9', c == 'k':
		p.fail("say in a companion file what the token's texts are", "a reference to a group has no automaton")
		return s, false, 0, true
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		p.fail("write the character itself, or its code", `\%c is no escape`, c)
		return s, false, 0, true
	}
	r, n := utf8.DecodeRuneInString(p.rest())
	p.at += n
	return s, false, r, true
}

// code reads the hexadecimal code of a character: n digits, or any number of digits in braces.
func (p *parser) code(n int) rune {
	p.at++
	digits := p.rest()[:min(n, len(p.rest()))]
	if p.accept("{") {
		digits = p.until("}")
	} else {
		p.at += len(digits)
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || v > utf8.MaxRune {
		p.fail(`write \xXX, \uXXXX or \u{X…}, at most \u{10FFFF}`, "%q is no code of a character", digits)
		return 0
	}
	return rune(v)
}

// property reads the name of a Unicode property and returns its set.
func (p *parser) property(negated bool) (grammar.Set, bool) {
	name := ""
	switch {
	case p.accept("{"):
		name = p.until("}")
	case p.at < len(p.text):
		name = p.text[p.at : p.at+1]
		p.at++
	}
	name, caret := strings.CutPrefix(name, "^")
	s, ok := notation.Property(name)
	if !ok && !p.failed {
		p.report(grammar.Warning, "general categories, scripts and the common binary properties are known",
			"the property %q is not known; taken as no character at all", name)
	}
	return s, negated != caret
}
