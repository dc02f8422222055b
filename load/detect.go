package load

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// detect returns the name of the notation that the file called name with the
// content src is in. The extension tells it, and for .ebnf, which five
// notations share, the content: how rules are defined, how they end, whether
// commas stand between elements. The error says which notations fit where
// several do, or that the extension is not known.
func detect(name string, src []byte) (string, error) {
	ext := strings.ToLower(filepath.Ext(name))
	if ext == ".ebnf" {
		return detectEBNF(name, src)
	}
	for _, n := range notations() {
		if slices.Contains(n.extensions, ext) {
			return n.name, nil
		}
	}
	return "", fmt.Errorf("%s: the extension tells no notation; name it with --format, one of %s", name, strings.Join(Notations(), ", "))
}

// detectEBNF tells the notations apart that all use .ebnf.
func detectEBNF(name string, src []byte) (string, error) {
	text := bare(string(src))
	m := marksOf(text)
	switch {
	case m.define && !m.semicolon:
		code := bytes.Contains(src, []byte("#x")) // of W3C; in GBNF a comment
		if !code && !reads("w3c", src) && reads("gbnf", src) {
			return "gbnf", nil
		}
		return "w3c", nil
	case m.define:
		if reads("iso", src) {
			return "iso", nil
		}
		return "w3c", nil // whose message names the semicolon
	case m.ellipsis, m.dots && !m.semicolon && !m.comma && !m.blanks:
		return "goebnf", nil
	case m.dots && !m.semicolon:
		return "iso", nil
	case !m.comma && !m.braces && !m.option && !m.blanks:
		return "ebnf", nil
	}
	native, iso := reads("ebnf", src), reads("iso", src)
	switch {
	case native && iso:
		return "", fmt.Errorf("%s: the file fits two notations, ebnf (native) and iso, which mean different things by it; "+
			"choose one with --format ebnf or --format iso", name)
	case native, !iso && !m.comma && !m.braces && !m.blanks:
		return "ebnf", nil
	}
	return "iso", nil
}

// reads reports whether src has no errors in a notation: of its syntax alone.
func reads(name string, src []byte) bool {
	for _, n := range notations() {
		if n.name == name {
			_, ds := n.parse("", src)
			return ds.Err() == nil
		}
	}
	return false
}

// marks are what tells the notations apart, found outside of literals.
type marks struct {
	define    bool // name ::=
	semicolon bool
	dots      bool // a dot ends rules
	comma     bool // between elements, not in bounds or arguments
	braces    bool // { x } around anything but numbers
	option    bool // [ x ] around the name of a rule
	blanks    bool // the name of a rule has blanks
	ellipsis  bool // … between the ends of a range
}

var (
	defineMark = regexp.MustCompile(`[\pL\pN_>?]\s*::=`)
	dotMark    = regexp.MustCompile(`(^|\s|["')}\]])\.\s*($|\pL[\pL\pN_ ]*=)`)
	boundsMark = regexp.MustCompile(`\{\s*\d*\s*,?\s*\d*\s*\}|@\w+\([^)]*\)`)
	optionMark = regexp.MustCompile(`\[\s*(\pL[\pL\pN_ ]*?)\s*\]`)
	blanksMark = regexp.MustCompile(`(?m)(?:^|;)\s*\pL[\pL\pN_]*[ \t]+\pL[\pL\pN_ \t]*=`)
	ruleMark   = regexp.MustCompile(`(\pL[\pL\pN_ ]*?)\s*=`)
)

func marksOf(text string) marks {
	rest := boundsMark.ReplaceAllString(text, " ")
	m := marks{
		define:    defineMark.MatchString(text),
		semicolon: strings.Contains(text, ";"),
		dots:      dotMark.MatchString(text),
		comma:     strings.Contains(rest, ","),
		braces:    strings.Contains(rest, "{"),
		blanks:    blanksMark.MatchString(text),
		ellipsis:  strings.Contains(text, "…"),
	}
	rules := make(map[string]bool)
	for _, r := range ruleMark.FindAllStringSubmatch(text, -1) {
		rules[r[1]] = true
	}
	for _, o := range optionMark.FindAllStringSubmatch(text, -1) {
		m.option = m.option || rules[o[1]]
	}
	return m
}

// bare replaces comments and literals by blanks and quotes, whatever the
// notation: escapes are told from backslashes by what follows them.
func bare(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n, keep := skipped(text)
		b.WriteString(keep)
		text = text[n:]
	}
	return b.String()
}

// skipped returns how many bytes at the front of text belong together, and
// what to keep of them.
func skipped(text string) (n int, keep string) {
	for _, c := range [][2]string{{"(*", "*)"}, {"/*", "*/"}, {"//", "\n"}} {
		if strings.HasPrefix(text, c[0]) {
			if end := strings.Index(text[2:], c[1]); end >= 0 {
				return end + 2 + len(c[1]), " "
			}
			return len(text), ""
		}
	}
	line := text
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		line = text[:i]
	}
	switch text[0] {
	case '#':
		if strings.HasPrefix(text, "#x") {
			return 2, ""
		}
		return len(line), ""
	case '"', '\'', '`':
		return literalEnd(line, text[0]), `""`
	case '[': // a class may hold single quotes
		end := strings.IndexByte(line, ']')
		if end > 0 && (strings.Count(line[:end], `"`)%2 == 1 || strings.Count(line[:end], "'")%2 == 1) {
			return end + 1, " "
		}
	}
	return 1, text[:1]
}

// literalEnd returns the length of the literal at the front of a line.
func literalEnd(line string, quote byte) int {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == quote:
			return i + 1
		case line[i] != '\\' || i+1 == len(line):
		case line[i+1] != quote:
			i++
		case bytes.Count([]byte(line[i+2:]), []byte{quote})%2 == 1: // an odd number of quotes is left: this one is inside
			i++
		}
	}
	return len(line)
}

// choose returns the notation asked for, or the one that the file is in.
func choose(name string, src []byte, asked string) (notation, error) {
	found := canonical(asked)
	if found == "" {
		var err error
		if found, err = detect(name, src); err != nil {
			return notation{}, err
		}
	}
	for _, n := range notations() {
		if n.name == found {
			return n, nil
		}
	}
	return notation{}, fmt.Errorf("there is no notation %q; known are %s", asked, strings.Join(Notations(), ", "))
}

// notation is a way to write grammars: its name, how its files are called, and
// its reader.
type notation struct {
	name       string
	extensions []string
	parse      func(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics)
}
