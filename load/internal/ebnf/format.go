package ebnf

import (
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// lineWidth is the maximum line length of the canonical layout, in characters.
const lineWidth = 100

// Format lays out a file in the canonical way. A rule takes one line if it fits, otherwise one line
// for each alternative. ":=" becomes "=", comments stay in place, and several empty lines between
// rules become one. Formatting is idempotent. A file with mistakes is not formatted; the diagnostics
// report the mistakes.
func Format(name string, src []byte) ([]byte, grammar.Diagnostics) {
	if _, ds := Parse(name, src); ds.Err() != nil {
		return nil, ds
	}
	all, _ := reader.Tokens(name, src)
	return []byte(layout(pieces(all))), nil
}

// piece is an unbreakable part of the layout: a token, a class, an annotation with its
// arguments, a comment.
type piece struct {
	text     string
	kind     string
	newlines int // line breaks before it in the file
}

// is reports whether the piece is the punctuation s.
func (p piece) is(s string) bool { return p.kind == "Punct" && p.text == s }

// pieces joins tokens into pieces and records the line breaks between them.
func pieces(all []notation.Token) []piece {
	var out []piece
	newlines := 0
	inside := false // inside a class or arguments
	for _, t := range all {
		switch {
		case t.EOF():
			return out
		case t.Kind == "Space":
			newlines += strings.Count(t.Value, "\n")
			continue
		case t.Kind == "ArgumentSpace":
			continue
		case inside:
			last := &out[len(out)-1]
			last.text += t.Value
			if t.Kind == "ArgumentComma" {
				last.text += " "
			}
			inside = t.Kind != "ClassClose" && t.Kind != "ArgumentsClose"
			continue
		}
		text := t.Value
		switch t.Kind {
		case "Define":
			text = "="
		case "Count", "Weight":
			text = strings.NewReplacer(" ", "", "\t", "").Replace(text)
		case "Comment":
			text = strings.ReplaceAll(strings.TrimRight(text, " \t\r\f"), "\r\n", "\n")
		}
		out = append(out, piece{text, t.Kind, newlines})
		newlines = 0
		inside = t.Kind == "ClassOpen" || t.Kind == "AnnotationOpen"
	}
	return out
}

// layout writes the pieces of whole rules.
func layout(ps []piece) string {
	var w writer
	for len(ps) > 0 {
		if ps[0].kind == "Comment" {
			w.comment(ps[0])
			ps = ps[1:]
			continue
		}
		end := 0
		for end < len(ps)-1 && !ps[end].is(";") {
			end++
		}
		w.rule(ps[:end+1])
		ps = ps[end+1:]
	}
	w.newline()
	return w.b.String()
}

// writer builds the text line by line.
type writer struct {
	b    strings.Builder
	line string
	full bool // only a comment may follow on this line
}

func (w *writer) newline() {
	if w.line != "" {
		w.b.WriteString(w.line + "\n")
	}
	w.line, w.full = "", false
}

// blank writes one empty line between rules if the file has any there.
func (w *writer) blank(newlines int) {
	w.newline()
	if newlines > 1 && w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
}

// comment writes a comment between rules.
func (w *writer) comment(p piece) {
	if p.newlines == 0 && w.line != "" {
		w.line += " " + p.text
		return
	}
	w.blank(p.newlines)
	w.line = p.text
}

func (w *writer) rule(ps []piece) {
	w.blank(ps[0].newlines)
	one := joined(ps)
	if utf8.RuneCountInString(one) <= lineWidth && !hasComment(ps) {
		w.line = one
		return
	}
	body, fresh, depth := false, false, 0 // fresh: nothing of the body is written yet
	for i, p := range ps {
		switch {
		case p.is("("):
			depth++
		case p.is(")"):
			depth--
		}
		switch {
		case p.kind == "Comment":
			w.inner(p)
			continue
		case body && depth == 0 && (p.is("|") || p.is(";")):
			w.newline()
			w.line = "  " + p.text
			fresh = false
			continue
		}
		gap := ""
		if i > 0 && spaced(ps[i-1], p) {
			gap = " "
		}
		switch {
		case fresh:
			w.newline()
			w.line = "    " + p.text
		case w.full || gap != "" && utf8.RuneCountInString(w.line+gap+p.text) > lineWidth:
			w.newline()
			w.line = "        " + p.text
		default:
			w.line += gap + p.text
		}
		fresh = p.kind == "Define"
		body = body || fresh
	}
}

// inner writes a comment inside a rule, at the end of the current line or on its own line. The next
// piece starts a new line.
func (w *writer) inner(p piece) {
	if p.newlines == 0 {
		w.line += " " + p.text
	} else {
		w.newline()
		w.line = "    " + p.text
	}
	w.full = true
}

func hasComment(ps []piece) bool {
	for _, p := range ps {
		if p.kind == "Comment" {
			return true
		}
	}
	return false
}

func joined(ps []piece) string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 && spaced(ps[i-1], p) {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// spaced reports whether two pieces are separated by a space. Two repetition operators are, because
// a* ? differs from a*?.
func spaced(before, p piece) bool {
	repeat := p.kind == "Repeat" || p.kind == "Count"
	switch {
	case before.is("("), p.is(")"), p.is(":"):
		return false
	case repeat:
		return before.kind == "Repeat" || before.kind == "Count"
	}
	return true
}
