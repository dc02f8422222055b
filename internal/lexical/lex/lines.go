package lex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// lines is the token kinds of a grammar with significant indentation. A token newline ends
// a line. The tokens indent and dedent have no text; they begin and end a block. They
// stand before the first token of a line whose column is greater or less than that of the
// enclosing block. A line without tokens is ignored. Between brackets, a line break is
// layout.
type lines struct {
	newline, indent, dedent int
	brackets                map[int]int // by kind: 1 for an opening bracket, -1 for a closing one
}

// The commands of the token rules for indentation. cmdOpen and cmdClose belong to the
// newline rule and name the texts of brackets.
const (
	cmdNewline = "newline"
	cmdIndent  = "indent"
	cmdDedent  = "dedent"
	cmdOpen    = "open"
	cmdClose   = "close"
)

// hasCommand reports whether a rule has a command.
func hasCommand(r *grammar.Rule, name string) bool {
	return slices.ContainsFunc(r.Commands, func(c grammar.Command) bool { return c.Name == name })
}

// isTurn reports whether the tokens of a rule begin or end blocks, without a text.
func isTurn(r *grammar.Rule) bool { return hasCommand(r, cmdIndent) || hasCommand(r, cmdDedent) }

// HasLines reports whether indentation is significant in g.
func HasLines(g *grammar.Grammar) bool {
	return slices.ContainsFunc(g.Rules, func(r *grammar.Rule) bool { return hasCommand(r, cmdNewline) })
}

// HasLines reports whether indentation is significant in the lexer's grammar.
func (l *Lexer) HasLines() bool { return l.lines != nil }

// findLines finds the tokens for indentation. [Resolve] has checked that there are all
// three or none.
func (l *Lexer) findLines() {
	byCommand := func(name string) int {
		return slices.IndexFunc(l.kinds, func(k Kind) bool { return k.Rule != nil && hasCommand(k.Rule, name) })
	}
	n := lines{byCommand(cmdNewline), byCommand(cmdIndent), byCommand(cmdDedent), map[int]int{}}
	if n.newline < 0 || n.indent < 0 || n.dedent < 0 {
		return
	}
	for _, c := range l.kinds[n.newline].Rule.Commands {
		if kind, ok := l.byText[c.Arg]; ok && c.Name == cmdOpen {
			n.brackets[kind] = 1
		} else if ok && c.Name == cmdClose {
			n.brackets[kind] = -1
		}
	}
	l.lines = &n
}

// isTurn reports whether tokens of a kind begin or end blocks, without a text.
func (l *Lexer) isTurn(kind int) bool {
	return l.lines != nil && (kind == l.lines.indent || kind == l.lines.dedent)
}

// turn moves p past a token without a text.
func (l *Lexer) turn(p *place, kind int) {
	_ = l.pass(p, &action{kind: kind}) // only mode changes can fail
}

// column returns the column after a text, from 0. A tab advances to the next multiple of 8.
func column(before string) int {
	col := 0
	for _, r := range before[lastBreak(before)+1:] {
		if r == '\t' {
			col += 8 - col%8
		} else {
			col++
		}
	}
	return col
}

func lastBreak(text string) int { return strings.LastIndexAny(text, "\r\n") }

// lineScanner is the indentation state of a [Scanner].
type lineScanner struct {
	*lines
	blocks  []int // the columns of the enclosing blocks, from 0
	open    int   // the number of open brackets
	begun   bool  // the line has a token
	dedents int   // the number of dedents to return next
}

// next implements [Scanner.Next].
func (c *lineScanner) next(s *Scanner) (t Token, ok bool, err error) {
	if c.dedents > 0 {
		c.dedents--
		return c.turn(s, c.dedent), true, nil
	}
	if !c.begun {
		if t, ok, err = c.begin(s); ok || err != nil {
			return t, ok, err
		}
	}
	before := s.place
	t, ok, err = s.next()
	switch {
	case err != nil:
	case !ok:
		if n := len(c.blocks) - 1; n > 0 {
			c.blocks, c.dedents = c.blocks[:1], n-1
			return c.turn(s, c.dedent), true, nil
		}
	case t.Kind == c.newline && c.open > 0:
		t.Hidden, s.place = true, before
		s.place.apart = true
	case t.Kind == c.newline:
		c.cut(s, &t)
		c.begun = false
	case !t.Hidden:
		c.begun = true
		c.open = max(0, c.open+c.brackets[t.Kind])
	}
	return t, ok, err
}

// turn returns a token that begins or ends a block here.
func (c *lineScanner) turn(s *Scanner, kind int) Token {
	s.lexer.turn(&s.place, kind)
	return Token{Kind: kind, Start: s.pos, End: s.pos}
}

// cut removes from a newline the part after its last line break.
func (c *lineScanner) cut(s *Scanner, t *Token) {
	if i := lastBreak(s.src[t.Start:t.End]); i >= 0 {
		t.End = t.Start + i + 1
		s.pos = t.End
	}
}

// begin reads up to the first token of a line. It returns layout, or the indent or dedent
// that the line's column implies. Otherwise ok is false, and the token is next.
func (c *lineScanner) begin(s *Scanner) (t Token, ok bool, err error) {
	for s.pos < len(s.src) && strings.IndexByte(" \t\f", s.src[s.pos]) >= 0 {
		s.pos++
	}
	pos, at := s.pos, s.place
	s.place.exp = nil // blank lines do not depend on the expected tokens
	t, ok, err = s.next()
	if ok && (t.Hidden || t.Kind == c.newline) {
		if t.Kind == c.newline {
			c.cut(s, &t)
		}
		t.Hidden, s.place = true, at
		s.place.apart = true
		return t, true, nil
	}
	s.pos, s.place = pos, at
	if !ok && err == nil { // the end of the text
		return Token{}, false, nil
	}
	c.begun = true
	col, n := column(s.src[:pos]), len(c.blocks)
	switch {
	case col > c.blocks[n-1]:
		c.blocks = append(c.blocks, col)
		return c.turn(s, c.indent), true, nil
	case col < c.blocks[n-1]:
		for c.blocks[n-1] > col {
			n--
		}
		if c.blocks[n-1] < col {
			e := s.at(pos)
			e.Reason = "inconsistent dedent: the blocks around it begin in columns " + columns(c.blocks)
			return Token{}, false, e
		}
		c.dedents, c.blocks = len(c.blocks)-n-1, c.blocks[:n]
		return c.turn(s, c.dedent), true, nil
	}
	return Token{}, false, nil
}

// columns lists the innermost columns, from 1, for a message.
func columns(blocks []int) string {
	const most = 6
	var out strings.Builder
	if len(blocks) > most {
		out.WriteString("…, ")
		blocks = blocks[len(blocks)-most:]
	}
	for i, col := range blocks {
		switch {
		case i == 0:
		case i == len(blocks)-1:
			out.WriteString(" and ")
		default:
			out.WriteString(", ")
		}
		fmt.Fprint(&out, col+1)
	}
	return out.String()
}

// lineJoiner is the indentation state of a [Joiner]. It can be copied: its slice is never
// changed in place.
type lineJoiner struct {
	blocks []string // the indentation of the enclosing blocks, from ""
	open   int      // the number of open brackets
	begun  bool     // the line has a token
	turned int      // 1 if a block began before the line's first token, -1 if blocks ended
	closed bool     // a block ended within a line: only further ends of blocks can follow
}

// column returns the indentation before the first token of a line; "" within a line.
func (at *lineJoiner) column() string {
	if at.begun || at.blocks == nil {
		return ""
	}
	return at.blocks[len(at.blocks)-1]
}

// steps is the indentation that a block adds: that of Tight, that of Spaced, and the other
// choices of Random.
var steps = [...]string{" ", "    ", "  ", "\t", "        "}

// nextOnLine implements [Joiner.Next] with significant indentation.
func (j *Joiner) nextOnLine(kind int, text string) (gap string, err error) {
	c, at := j.l.lines, &j.line
	switch {
	case kind == c.indent:
		if at.begun || at.turned != 0 {
			return "", j.misplaced(kind, text, "a block begins before the first token of a line")
		}
		step := steps[j.policy]
		if j.policy == Random {
			step = steps[j.choose(len(steps))]
		}
		at.blocks = append(slices.Clip(at.blocks), at.blocks[len(at.blocks)-1]+step)
		at.turned = 1
		j.l.turn(&j.now.place, kind)
	case kind == c.dedent:
		if len(at.blocks) == 1 || at.turned > 0 || at.begun && at.open > 0 {
			return "", j.misplaced(kind, text, "no block can end there")
		}
		at.blocks = at.blocks[:len(at.blocks)-1]
		at.turned, at.closed = -1, at.begun
		j.l.turn(&j.now.place, kind)
	case text == "":
	case at.closed:
		return "", j.misplaced(kind, text, "a block ended within the line")
	case kind == c.newline:
		if !at.begun || at.open > 0 {
			return "", j.misplaced(kind, text, "a line without tokens has no end")
		}
		policy := j.policy
		if policy == Spaced {
			j.policy = Tight
		}
		gap, err = j.next(kind, text)
		j.policy = policy
		if err == nil {
			at.begun, at.turned = false, 0
		}
	default:
		if gap, err = j.next(kind, text); err == nil {
			at.begun, at.turned = true, 0
			at.open = max(0, at.open+c.brackets[kind])
		}
	}
	return gap, err
}

// maxBlank bounds the number of blank lines that are tried before a line.
const maxBlank = 4

// blankLines returns the layouts that Random tries before a line: none or one blank line.
// Under context lexing, it tries no blank line.
func (j *Joiner) blankLines() []string {
	out := []string{""}
	if j.policy != Random || j.now.exp != nil {
		return out
	}
	end := j.l.lineBreak()
	out = append(out, end)
	for _, sep := range j.l.separators(j.mode()) {
		if len(out) < maxBlank && strings.Trim(sep, " \t\f") != "" && lastBreak(sep) < 0 {
			out = append(out, sep+end)
		}
	}
	return out
}

// lineBreak returns the shortest text of a newline.
func (l *Lexer) lineBreak() string {
	text, _ := l.leastText(l.lines.newline)
	return text
}

// isLayout reports whether a match is layout at the joiner's place.
func (j *Joiner) isLayout(a *action) bool {
	return a.hidden || j.l.lines != nil && a.kind == j.l.lines.newline && (!j.line.begun || j.line.open > 0)
}

// past returns the joint after the indentation of a line. Matches may extend over the
// indentation, because a newline is cut off before it.
func (s joint) past(column string) joint {
	next := joint{place: s.place, loose: s.loose}
	for _, r := range s.runs {
		for i := 0; i < len(column) && r.state != none; i++ {
			r.state = r.engine.step(r.state, column[i])
		}
		next.add(r)
	}
	next.old = len(next.runs)
	return next
}

func (j *Joiner) misplaced(kind int, text, why string) *JoinError {
	e := j.refuse(kind, text, nil)
	e.Unreadable, e.why = false, why
	return e
}

// resolveLines checks the tokens for indentation. It restricts newline to the texts that
// end with a line break, because the indentation of the next line follows.
func (r *resolver) resolveLines() {
	var found []*grammar.Rule // newline, indent, dedent
	names := [...]string{cmdNewline, cmdIndent, cmdDedent}
	first := -1
	for _, name := range names {
		var of []*grammar.Rule
		for _, rule := range r.rules {
			if hasCommand(rule, name) && r.names.rules[rule.Name] == rule {
				of = append(of, rule)
			}
		}
		if len(of) > 0 && first < 0 {
			first = of[0].ID
		}
		if len(of) > 1 {
			r.report(grammar.Error, of[1].Pos, "indentation", of[1].Name, fmt.Sprintf("indentation is defined twice: %q and %q are both its %s", of[0].Name, of[1].Name, name), "write @indent before one rule")
			return
		}
		found = append(found, of...)
	}
	if len(found) == 0 {
		return
	}
	newline := found[0]
	if len(found) < len(names) || slices.ContainsFunc(found, func(r *grammar.Rule) bool { return r.Kind != grammar.Token || r.Mode != "" }) {
		r.report(grammar.Error, r.rules[first].Pos, "indentation", newline.Name, "indentation needs three tokens: of the end of a line, and of the beginning and the end of a block",
			`write it as @indent(INDENT, DEDENT) NEWLINE = "\n" ;`)
		return
	}
	pos, body := newline.Pos, r.body(newline)
	lineBreak := newClass(pos, false, grammar.Range{Lo: '\n', Hi: '\n'})
	ending := newSeq(pos, newRep(pos, newClass(pos, true), 0, grammar.Unbounded), lineBreak)
	n := r.nfa()
	others, err := n.difference(&grammar.Expr{Op: grammar.Diff, Pos: pos, Children: []*grammar.Expr{body, ending}})
	if err == nil && others.empty() {
		return
	}
	not := newSeq(pos, newRep(pos, newSeq(pos, newRep(pos, newClass(pos, true), 0, grammar.Unbounded), newClass(pos, true, grammar.Range{Lo: '\n', Hi: '\n'})), 0, 1))
	r.bodies[newline] = &grammar.Expr{Op: grammar.Diff, Pos: pos, Children: []*grammar.Expr{clone(body), not}}
}
