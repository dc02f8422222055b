package w3c

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/notation"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

type builder struct {
	g     *syntax.Grammar
	ds    grammar.Diagnostics
	told  map[string]bool // codes of notes given: one note of each per file
	built []*builtRule
}

// builtRule is a rule with its properties in the file.
type builtRule struct {
	*syntax.Rule
	lexical, layout, pass bool
	empty                 bool // the body is only $ or only lookahead
}

func (b *builder) note(t notation.Token, code, what string) {
	b.noteAt(notation.Pos(t.Pos), code, what)
}

func (b *builder) noteAt(pos grammar.Pos, code, what string) {
	if !b.told[code] {
		b.told[code] = true
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: pos, Code: code, Message: what})
	}
}

func (b *builder) rule(r *rule, lexical bool, ws string) {
	out := &builtRule{lexical: lexical, pass: r.Name == "@pass"}
	pos := notation.Pos(r.Pos)
	b.built = append(b.built, out)
	if strings.Contains(ws, "ws: definition") || strings.Contains(ws, "ws:definition") {
		out.layout = true
	}
	glued := strings.Contains(ws, "explicit")
	if glued && !b.g.ContextLexing {
		b.noteAt(pos, "ws-explicit", "ws: explicit is not used: layout may stand between all tokens")
	}
	out.Rule = &syntax.Rule{Name: plainName(r.Name), Pos: pos, Body: b.choice(r.Body), Glued: glued && b.g.ContextLexing && !lexical}
	out.empty = isEmpty(r.Body)
}

// plainName removes the angle brackets around a name.
func plainName(name string) string {
	return strings.TrimSpace(strings.Trim(name, "<>"))
}

// isEmpty reports whether a body is only $ or only lookahead. No lexer returns such a token, so it
// becomes a syntax rule for the empty text.
func isEmpty(c *choice) bool {
	if len(c.Alts) != 1 {
		return false
	}
	switch a := c.Alts[0]; len(a.Items) {
	case 0:
		return len(a.Ahead) > 0
	case 1:
		d := a.Items[0]
		return len(a.Ahead) == 0 && len(d.Less) == 0 && d.From.End
	}
	return false
}

func (b *builder) choice(c *choice) *syntax.Expr {
	alts := make([]*syntax.Expr, len(c.Alts))
	for i, a := range c.Alts {
		var items []*syntax.Expr
		for _, d := range a.Items {
			items = append(items, b.diff(d))
		}
		if len(a.Ahead) > 0 {
			b.noteAt(notation.Pos(a.Ahead[0].Pos), "lookahead", "lookahead (&) is not used")
		}
		alts[i] = syntax.NewSeq(notation.Pos(a.Pos), items...)
	}
	return syntax.NewChoice(notation.Pos(c.Pos), alts...)
}

func (b *builder) diff(d *diff) *syntax.Expr {
	e := b.item(d.From)
	if len(d.Less) > notation.MaxNesting {
		b.ds = append(b.ds, notation.Errorf(d.Pos, "write A - (B | C)", "%d differences stand in a row", len(d.Less)))
		return e
	}
	for _, less := range d.Less {
		e = syntax.NewDiff(notation.Pos(d.Pos), e, b.item(less))
	}
	return e
}

func (b *builder) item(it *item) *syntax.Expr {
	pos := notation.Pos(it.Pos)
	var e *syntax.Expr
	switch {
	case it.Group != nil:
		e = b.choice(it.Group)
	case it.Name != "":
		e = syntax.NewRef(pos, plainName(it.Name)+it.Context)
	case it.Class != "":
		e = b.class(it)
	case it.Code != "":
		r := b.code(it, it.Code)
		e = syntax.NewLit(pos, string(r))
	case it.Any:
		e = syntax.NewClass(pos, true)
	case it.End:
		b.noteAt(pos, "end", "$, the end of the input, is read as the empty text")
		e = syntax.NewSeq(pos)
	default:
		e = syntax.NewLit(pos, it.Literal[1:len(it.Literal)-1])
	}
	if len(it.Suffixes) > notation.MaxNesting {
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write one", "%d repetitions stand in a row", len(it.Suffixes)))
		return e
	}
	for _, s := range it.Suffixes {
		switch s {
		case "?":
			e = syntax.NewRep(pos, e, 0, 1)
		case "*":
			e = syntax.NewRep(pos, e, 0, grammar.Unbounded)
		default:
			e = syntax.NewRep(pos, e, 1, grammar.Unbounded)
		}
	}
	return e
}

// code reads a code point #xN.
func (b *builder) code(it *item, text string) rune {
	v, err := strconv.ParseUint(text[2:], 16, 32)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write #x0 to #x10FFFF without #xD800 to #xDFFF", "%s is not a character", text))
		return 0
	}
	return rune(v)
}

// classChar is one character of a class. code tells whether it was written as #xN.
type classChar struct {
	r    rune
	code bool
}

// class reads a class […]. Ends of ranges may be surrogates, although no set contains surrogates.
func (b *builder) class(it *item) *syntax.Expr {
	text := it.Class[1 : len(it.Class)-1]
	negated := strings.HasPrefix(text, "^")
	if negated {
		text = text[1:]
	}
	var chars []classChar
	for len(text) > 0 {
		n := 0
		if strings.HasPrefix(text, "#x") {
			for n = 2; n < len(text) && strings.IndexByte("0123456789abcdefABCDEF", text[n]) >= 0; n++ {
			}
		}
		if n > 2 {
			v, err := strconv.ParseUint(text[2:n], 16, 32)
			if err != nil || v > utf8.MaxRune {
				b.code(it, text[:n]) // reports the error
			}
			chars, text = append(chars, classChar{rune(min(v, utf8.MaxRune)), true}), text[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		chars, text = append(chars, classChar{r, false}), text[size:]
	}
	if len(chars) == 0 {
		b.ds = append(b.ds, notation.Errorf(it.Pos, "write its characters", "the class %s has no characters", it.Class))
	}
	var ranges []grammar.Range
	var singles []rune
	for i := 0; i < len(chars); i++ {
		lo, hi := chars[i].r, chars[i].r
		if i+2 < len(chars) && chars[i+1] == (classChar{'-', false}) {
			hi = chars[i+2].r
			i += 2
		}
		if lo > hi {
			b.ds = append(b.ds, notation.Errorf(it.Pos, "write the lower character first, or #x2D for a hyphen",
				"the range %s-%s is empty", string(lo), string(hi)))
		}
		if lo == hi && !chars[i].code {
			singles = append(singles, lo)
		}
		ranges = append(ranges, grammar.Range{Lo: lo, Hi: hi})
	}
	b.ds = append(b.ds, notation.LikeOptional(notation.Pos(it.Pos), singles, "( … )?")...)
	return syntax.NewClass(notation.Pos(it.Pos), negated, ranges...)
}
