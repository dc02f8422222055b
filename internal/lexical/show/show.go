// Package show prints diagnostics with the source lines that they are about, as compilers do.
//
//	p := show.Printer{Out: os.Stderr, Sources: map[string][]byte{"a.ebnf": src}}
//	p.Print(diagnostic)
//
// prints
//
//	a.ebnf:2:8: rule "nmber" is not defined; did you mean "number"?
//	  2 | sum = (nmber "+")* ;
//	    |        ^
package show

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
)

// Printer prints diagnostics. It quotes every text from files before it reaches Out.
type Printer struct {
	Out     io.Writer
	Color   bool              // with the escape sequences of a terminal
	Sources map[string][]byte // contents of files, by the names in diagnostics

	lines map[string][][]byte // the lines of sources
	last  grammar.Pos         // of the last diagnostic
}

// The escape sequences of a terminal.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

// Print prints a diagnostic, and below it its line, if the file is among the sources and the
// previous diagnostic was about another place.
func (p *Printer) Print(d grammar.Diagnostic) {
	color := map[grammar.Severity]string{grammar.Error: red, grammar.Warning: yellow, grammar.Note: cyan}[d.Severity]
	message := d.String()
	if p.Color {
		if rest, ok := strings.CutPrefix(message, words.Quote(d.Pos.String())+": "); ok {
			severity := d.Severity.String() + ": "
			rest = strings.TrimPrefix(rest, severity)
			message = bold + words.Quote(d.Pos.String()) + ": " + color + severity + plain + rest
		}
	}
	fmt.Fprintln(p.Out, words.QuoteCut(message))
	line, caret, ok := p.excerpt(d.Pos)
	if !ok || d.Pos == p.last {
		return
	}
	p.last = d.Pos
	number, mark := fmt.Sprint(d.Pos.Line), "^"
	if p.Color {
		mark = color + mark + plain
	}
	fmt.Fprintf(p.Out, "%s\n  %*s | %s%s\n", strings.TrimRight("  "+number+" | "+line, " "), len(number), "", caret, mark)
}

// The number of columns of a line that are shown, and the greatest number of them before the
// place.
const (
	shown  = 100
	before = 70
)

// excerpt returns the line of a place, and the spaces that put a caret under it.
func (p *Printer) excerpt(pos grammar.Pos) (line, blanks string, ok bool) {
	src, ok := p.Sources[pos.File]
	if !ok || pos.Line < 1 || pos.Col < 1 {
		return "", "", false
	}
	if p.lines == nil {
		p.lines = make(map[string][][]byte)
	}
	if p.lines[pos.File] == nil {
		p.lines[pos.File] = bytes.Split(bytes.TrimPrefix(src, []byte("\ufeff")), []byte("\n"))
	}
	if pos.Line > len(p.lines[pos.File]) {
		return "", "", false
	}
	src = p.lines[pos.File][pos.Line-1]
	var text, under strings.Builder
	at, skipped := 0, max(0, pos.Col-1-before)
	if skipped > 0 {
		text.WriteString("…")
		under.WriteString(" ")
	}
	for i := 0; len(src) > 0 && at < skipped+shown; at++ {
		_, size := utf8.DecodeRune(src)
		char := string(src[:size])
		src = src[size:]
		i++
		if i <= skipped || char == "\r" && len(src) == 0 {
			continue
		}
		if char == "\t" {
			char = "    "
		}
		char = words.Quote(char)
		text.WriteString(char)
		if at < pos.Col-1 {
			under.WriteString(strings.Map(blank, char))
		}
	}
	if at == skipped+shown && len(src) > 0 {
		text.WriteString("…")
	}
	return text.String(), under.String(), true
}

// blank returns a space as wide as r.
func blank(r rune) rune {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return -1
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul), r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff:
		return '\u3000'
	}
	return ' '
}
