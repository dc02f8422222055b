package load

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/iso"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// detect returns the notation of the file with the given name and content. The extension
// decides, or else the content: the form of definitions, the ends of rules, commas between
// elements. The error lists the notations that fit if there are several, or says that none was
// recognized.
func detect(name string, src []byte) (string, error) {
	switch found := byExtension(name); {
	case (found == "jsong" || found == "" && jsonMark.Match(src)) && treeSitterMark.Match(src):
		return "tree-sitter", nil
	case found != "":
		return found, nil
	}
	text := bare(string(src))
	m := marksOf(text)
	ebnf := strings.EqualFold(filepath.Ext(name), ".ebnf")
	switch {
	case strings.TrimSpace(text) == "":
		return "ebnf", nil // its message reports an empty file
	case m.define && !m.plain:
		return detectAngled(name, string(src))
	case ebnf:
		return detectEBNF(name, src, m)
	case jsonMark.Match(src):
		return "jsong", nil
	case larkMark.MatchString(text):
		return "lark", nil
	case headMark.MatchString(text):
		return "antlr4", nil
	case !m.define && abnfMark.MatchString(text) && reads("abnf", src):
		return "abnf", nil
	case !strings.Contains(text, "="):
		return "", fmt.Errorf("%s: neither the extension nor the content tells the notation; name it with --format, one of %s", name, strings.Join(Notations(), ", "))
	}
	return detectEBNF(name, src, m)
}

// byExtension returns the notation of files with the extension of name; "" if the content has
// to decide.
func byExtension(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	for _, n := range notations() {
		if ext != "" && n.extension == ext {
			return n.name
		}
	}
	return ""
}

// fits returns the error for a file that fits two notations.
func fits(name, a, b, called string) error {
	return fmt.Errorf("%s: the file fits two notations, %s%s and %s, which mean different things by it; "+
		"choose one with --format %s or --format %s", name, a, called, b, a, b)
}

// detectEBNF distinguishes the notations that share the extension .ebnf.
func detectEBNF(name string, src []byte, m marks) (string, error) {
	switch {
	case m.define && !m.semicolon:
		code := bytes.Contains(src, []byte("#x")) // a character in W3C, a comment in GBNF
		if !code && !reads("w3c", src) && reads("gbnf", src) {
			return "gbnf", nil
		}
		return "w3c", nil
	case m.define:
		if reads("iso", src) {
			return "iso", nil
		}
		return "w3c", nil // its message names the semicolon
	case m.ellipsis, m.dots && !m.semicolon && !m.comma && !m.blanks:
		return "goebnf", nil
	case m.dots && !m.semicolon:
		return "iso", nil
	case !m.comma && !m.blanks && (m.native || !m.braces && !m.option):
		return "ebnf", nil
	}
	native, iso := reads("ebnf", src), reads("iso", src)
	switch {
	case native && iso:
		return "", fits(name, "ebnf", "iso", " (native)")
	case native, !m.comma && !m.blanks && !(iso && strict(src)):
		return "ebnf", nil
	}
	return "iso", nil
}

// strict reports whether src is strict ISO 14977: with a comma between elements, and all rules
// defined. The reader accepts more.
func strict(src []byte) bool {
	g, _ := iso.Parse("", src)
	defined, clean := make(map[string]bool), true
	for _, r := range g.Rules {
		defined[r.Name] = true
		r.Body.Walk(func(e *syntax.Expr) { clean = clean && (e.Op != grammar.Seq || len(e.Children) < 2) })
	}
	g.EachRef(func(e *syntax.Expr) { clean = clean && defined[e.Name] })
	return clean
}

// detectAngled distinguishes plain BNF from W3C EBNF with the names of all defined rules in
// angle brackets. The characters ( ) [ ] { } * + ? are symbols in the former and operators in
// the latter.
func detectAngled(name, src string) (string, error) {
	coded := codeMark.ReplaceAllString(src, `""`)
	text := angledMark.ReplaceAllString(bare(coded), "\x01")
	unclassed := rangeMark.ReplaceAllString(text, "\x01")
	ebnf := coded != src || unclassed != text || signMark.MatchString(text)
	text = unclassed
	quoted := strings.Contains(text, `""`)
	signs := strings.ContainsAny(text, "()[]{}*+?")
	rest := strings.NewReplacer("::=", "", `""`, "", "\x01", "", "|", "").Replace(text)
	words := strings.ContainsFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("()[]{}*+?", r) })
	switch {
	case words && (ebnf || quoted && signs):
		return "", fits(name, "bnf", "w3c", "")
	case ebnf, quoted && signs:
		return "w3c", nil
	}
	return "bnf", nil
}

// reads reports whether src has no syntax errors in a notation.
func reads(name string, src []byte) bool {
	for _, n := range notations() {
		if n.name == name {
			_, ds := n.parse("", src)
			return ds.Err() == nil
		}
	}
	return false
}

// marks are the features, outside of literals, that distinguish the notations.
type marks struct {
	define    bool // name ::=
	plain     bool // name ::= without angle brackets round the name
	semicolon bool
	dots      bool // a dot ends rules
	comma     bool // between elements, not in bounds or arguments
	braces    bool // { x } around anything but numbers
	option    bool // [ x ] around the name of a rule
	blanks    bool // the name of a rule has blanks
	ellipsis  bool // … between the ends of a range
	native    bool // an element directly followed by * or +, an annotation, a class with a range
}

var (
	defineMark     = regexp.MustCompile(`[\pL\pN_>?]\s*::=`)
	plainMark      = regexp.MustCompile(`[\pL\pN_?]\s*::=`)
	angledMark     = regexp.MustCompile(`<[\pL\pN_](?:[^<>|\n]*[^<>|\s])?>`)
	signMark       = regexp.MustCompile(`[\x01")\]][*+?](?:[\s|)]|$)`)
	rangeMark      = regexp.MustCompile(`\[[^\]\s]*-[^\]\s]*\]`)
	codeMark       = regexp.MustCompile(`#x[0-9A-Fa-f]+`)
	nativeMark     = regexp.MustCompile(`[\pL_")\]][*+]|@\w|\[[^\]\n]*[\pL\pN]-[\pL\pN][^\]\n]*\]`)
	treeSitterMark = regexp.MustCompile(`"rules"\s*:\s*\{(?s:.*)"type"\s*:\s*"(?:SEQ|CHOICE|SYMBOL|STRING|PATTERN|REPEAT1?|BLANK|TOKEN|FIELD)"`)
	larkMark       = regexp.MustCompile(`(?m)^%(?:import|ignore|declare|override|extend)\b`)
	jsonMark       = regexp.MustCompile(`^\s*\{\s*["}]`)
	headMark       = regexp.MustCompile(`(?m)^\s*(?:(?:lexer|parser)\s+)?grammar\s+\w+\s*;`)
	abnfMark       = regexp.MustCompile(`=/|%[xdbXDB][0-9A-Fa-f]|(?:^|\s)\d*\*\d*[\pL("]`)
	dotMark        = regexp.MustCompile(`(^|\s|["')}\]])\.\s*($|\pL[\pL\pN_ ]*=)`)
	boundsMark     = regexp.MustCompile(`\{\s*\d*\s*,?\s*\d*\s*\}|@\w+\([^)]*\)`)
	optionMark     = regexp.MustCompile(`\[\s*(\pL[\pL\pN_ ]*?)\s*\]`)
	blanksMark     = regexp.MustCompile(`(?m)(?:^|;)\s*\pL[\pL\pN_]*[ \t]+\pL[\pL\pN_ \t]*=`)
	ruleMark       = regexp.MustCompile(`(\pL[\pL\pN_ ]*?)\s*=`)
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
		plain:     plainMark.MatchString(text),
		native:    nativeMark.MatchString(text),
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

// bare replaces comments by blanks and literals by quotes, in any notation. The text after a
// backslash tells whether it begins an escape.
func bare(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n, keep := skipped(text)
		b.WriteString(keep)
		text = text[n:]
	}
	return b.String()
}

// skipped returns the length of the unit at the front of text, and the part of it to keep.
func skipped(text string) (n int, keep string) {
	for _, c := range [][2]string{{"(*", "*)"}, {"/*", "*/"}, {"//", "\n"}} {
		if strings.HasPrefix(text, c[0]) {
			if end := strings.Index(text[2:], c[1]); end >= 0 {
				return end + 2 + len(c[1]), " "
			}
			return len(text), ""
		}
	}
	// Only the end of a comment is searched beyond some KiB: a line may be as long as the file.
	line, _, _ := strings.Cut(text[:min(len(text), maxClass)], "\n")
	switch text[0] {
	case '\\':
		if end := strings.IndexByte(line, '}'); strings.HasPrefix(line, `\u{`) && end > 0 { // an escape of other notations
			return end + 1, ""
		}
	case '#':
		if strings.HasPrefix(text, "#x") {
			return 2, ""
		}
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return end, ""
		}
		return len(text), ""
	case '"', '\'', '`':
		return literalEnd(text, line), `""`
	case '[': // a class may contain single quotes
		end := strings.IndexByte(line, ']')
		if end > 0 && (strings.Count(line[:end], `"`)%2 == 1 || strings.Count(line[:end], "'")%2 == 1) {
			return end + 1, " "
		}
	}
	return 1, text[:1]
}

// maxClass bounds, in bytes, classes, escapes and the search for the end of a literal.
const maxClass = 4 << 10

// literalEnd returns the length of the literal at the front of a text with the first line line.
func literalEnd(text, line string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i
		case text[i] == quote:
			return i + 1
		case text[i] != '\\' || i+1 == len(text) || text[i+1] == '\n':
		case text[i+1] != quote:
			i++
		case i+2 > len(line) || strings.Count(line[i+2:], text[:1])%2 == 1: // an odd number of quotes is left, so this one is inside
			i++
		}
	}
	return len(text)
}

// choose returns the requested notation, or else the detected one.
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
	return notation{}, fmt.Errorf("unknown notation %q; %s", asked, words.DidYouMean(asked, Notations()))
}

// notation is a notation of grammars: its name, its file extension and its reader.
type notation struct {
	name      string
	extension string // extension used only by this notation; "" if the content has to decide
	parse     func(name string, src []byte) (*syntax.Grammar, grammar.Diagnostics)
}
