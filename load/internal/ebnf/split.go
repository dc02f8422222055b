package ebnf

import (
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"
)

// chunk is the tokens of one rule, the ";" included, without comments.
type chunk struct {
	list   []lexer.Token
	end    lexer.Token // EOF
	broken bool        // something in it has been reported already
}

// in names the rule for messages: " in rule x", or "".
func (c chunk) in() string {
	for i, t := range c.list {
		if i > 0 && t.Type == tDefine && (c.list[i-1].Type == tWord || c.list[i-1].Type == tQuoted) {
			return " in rule " + c.list[i-1].Value
		}
	}
	return ""
}

// split cuts the file into rules: behind each ";", and before a "name =" that
// comes without one, which is a mistake. Tokens that are mistakes by
// themselves are reported here.
func (r *reader) split(all []lexer.Token) []chunk {
	var chunks []chunk
	end := all[len(all)-1]
	current := chunk{end: end}
	flush := func() {
		if len(current.list) > 0 {
			chunks = append(chunks, current)
		}
		current = chunk{end: end}
	}
	body := false // behind the = of the current rule
	for _, t := range all {
		if t.EOF() || t.Type == tComment || t.Type == tSpace || t.Type == tArgumentSpace {
			continue
		}
		if r.wrong(t) {
			current.broken = true
		}
		if t.Type == tDefine && body {
			if rest := r.unfinished(&current); rest != nil {
				flush()
				current.list = rest
				body = false
			}
		}
		current.list = append(current.list, t)
		switch {
		case t.Type == tDefine:
			body = true
		case t.Type == tPunct && t.Value == ";":
			flush()
			body = false
		}
	}
	flush()
	return chunks
}

// unfinished is called where "=" follows inside a rule's body. If a name
// stands before it, that is a new rule, and the ";" of the current one is
// missing: this is reported, and the tokens of the new rule so far are
// returned: its name and the marks that begin a line before it.
func (r *reader) unfinished(c *chunk) []lexer.Token {
	at := len(c.list) - 1
	if t := c.list[at]; t.Type != tWord && t.Type != tQuoted {
		return nil
	}
	for at > 0 && c.list[at-1].Type == tAnnotation && kindOf(c.list[at-1].Value) {
		at--
	}
	if !c.broken {
		r.fail(position(c.list[at].Pos), "syntax",
			fmt.Sprintf("a new rule begins%s", c.in()), `end the rule before it with ";"`)
	}
	rest := append([]lexer.Token(nil), c.list[at:]...)
	c.list, c.broken = c.list[:at], true
	return rest
}

// wrong reports tokens that are mistakes wherever they stand.
func (r *reader) wrong(t lexer.Token) bool {
	pos := position(t.Pos)
	switch t.Type {
	case tOpenComment:
		r.fail(pos, "syntax", "this comment is never closed", `write "*)" where it ends`)
	case tOpenString:
		r.fail(pos, "syntax", "this literal is not closed on its line", `write the quote at its end; a line break in a literal is \n`)
	case tOpenClass:
		r.fail(pos, "syntax", "the class is not closed on its line", `write "]" where it ends; a line break in a class is \n`)
	case tOpenArguments:
		r.fail(pos, "syntax", "the annotation is not closed on its line", `write ")" behind its arguments`)
	case tBadClassChar:
		r.fail(pos, "syntax", `a "\" with nothing behind it`, `write \\ for a backslash`)
	case tBadArgument:
		r.fail(pos, "syntax", `unexpected "(" in the arguments of an annotation`, `put the argument in quotes`)
	case tForeign:
		r.fail(pos, "notation", `"::=" is not of the native notation`, `write "=", or read the file in the notation that it is in`)
	case tBad:
		message, hint := fmt.Sprintf("unexpected %q", t.Value), "put characters of the language in quotes"
		switch t.Value {
		case "{":
			hint = "repetitions are {m}, {m,} and {m,n}; to repeat a group write ( … )*"
		case "%":
			hint = "a weight is % and a whole number, as in %3"
		case "@":
			hint = "an annotation is @ and a name"
		case "<":
			hint = "a name in < > is closed on its line"
		case ",":
			hint = "elements of a sequence stand side by side, with nothing between"
		case "/":
			hint = `alternatives are separated by "|"`
		}
		r.fail(pos, "syntax", message, hint)
	default:
		return false
	}
	return true
}

// kindOf reports whether an annotation token says what kind a rule is.
func kindOf(mark string) bool {
	return mark == "@token" || mark == "@skip" || mark == "@fragment"
}
