package lark

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one statement.
type (
	statement struct {
		Pos     lexer.Position
		Ignore  *choice     `parser:"  '%ignore' @@"`
		Import  *importing  `parser:"| '%import' @@"`
		Declare []string    `parser:"| '%declare' @Name+"`
		Change  string      `parser:"| @('%override' | '%extend')?"`
		Define  *definition `parser:"  @@"`
	}
	importing struct {
		Pos   lexer.Position
		Near  bool     `parser:"@'.'?"`
		Path  []string `parser:"@Name ('.' @Name)*"`
		Alias string   `parser:"( '->' @Name"`
		Names []string `parser:"| '(' @Name (',' @Name)* ')' )?"`
	}
	definition struct {
		Pos       lexer.Position
		Modifiers []string `parser:"@('?' | '!')*"`
		Name      string   `parser:"@Name"`
		Params    []string `parser:"( '{' @Name (',' @Name)* '}' )?"`
		Priority  string   `parser:"( '.' @Number )?"`
		Body      *choice  `parser:"':' @@"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*sequence `parser:"@@ ('|' @@)*"`
	}
	sequence struct {
		Pos   lexer.Position
		Items []*item `parser:"@@*"`
		Alias string  `parser:"( '->' @Name )?"`
	}
	item struct {
		Pos    lexer.Position
		Text   string  `parser:"(  @String"`
		To     string  `parser:"   ( '..' @String )?"`
		Regexp string  `parser:"| @Regexp"`
		Name   string  `parser:"| @Name"`
		Args   []*item `parser:"   ( '{' @@ (',' @@)* '}' )?"`
		Group  *choice `parser:"| '(' @@ ')'"`
		Maybe  *choice `parser:"| '[' @@ ']' )"`
		Op     string  `parser:"( @('*' | '+' | '?')"`
		Least  string  `parser:"| '~' @Number"`
		Most   string  `parser:"   ( '..' @Number )? )?"`
	}
)

var reader = &notation.Reader[statement]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+|\\[ ]*\n`},
		{Name: "Comment", Pattern: `//[^\n]*|#[^\n]*`},
		{Name: "Directive", Pattern: `%(?:ignore|import|declare|override|extend)\b`},
		{Name: "String", Pattern: `"(?:\\[^\n]|[^"\\\n])*"i?`},
		{Name: "BadString", Pattern: `"[^\n]*`},
		{Name: "Regexp", Pattern: `/(?:\\[^\n]|[^/\\\n])+/[imslux]*`},
		{Name: "BadRegexp", Pattern: `/[^\n]*`},
		{Name: "Op", Pattern: `->|\.\.|[|()\[\]{}*+?!~:,.]`},
		{Name: "Number", Pattern: `[+-]?\d+`},
		{Name: "Name", Pattern: `[\pL_][\pL\pN_]*`},
		{Name: "BadDirective", Pattern: `%\w*`},
		{Name: "BadQuote", Pattern: `'[^'\n]*'?`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Lookahead: 4, // at the dot before a priority, and at a name before a template's parameters
	Elide:     map[string]bool{"Space": true, "Comment": true},
	Bad: map[string]notation.Problem{
		"BadString":    {What: "the string %s is not closed on its line", Do: `write the closing ", and \n for a line break`},
		"BadRegexp":    {What: "the regular expression %s is not closed on its line", Do: `write the closing /, and \/ for a slash inside`},
		"BadDirective": {What: "unknown directive %s", Do: "the directives are %ignore, %import, %declare, %override and %extend"},
		"BadQuote":     {What: "%s is in single quotes", Do: `Lark's strings take double quotes: "…"`},
		"BadOther":     {What: "%q means nothing in Lark", Do: "remove it, or put it in double quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")", "[": "]", "{": "}"},
	Example:  `start: "x"`,
	Hint:     hint,
}

// hint says what to do about a misplaced token.
func hint(t notation.Token) string {
	switch t.Value {
	case "*", "+", "?", "~":
		return "put it behind what it repeats"
	case ":":
		return "a rule needs one name before the colon"
	}
	return ""
}

// starts returns the beginnings of statements. A statement is a directive, or a definition with a
// colon, which begins at its name or at the marks before the name.
func starts(toks []notation.Token) (out []int) {
	last := -1 // the beginning of the previous statement
	add := func(i int) {
		if i > last {
			out, last = append(out, i), i
		}
	}
	for i, t := range toks {
		switch {
		case t.Kind == "Directive":
			add(i)
		case t.Value == ":" && t.Kind == "Op":
			if at := head(toks, i, last); at >= 0 {
				add(at)
			} else {
				add(i)
			}
		}
	}
	return out
}

// head returns the beginning of the statement whose colon is at i, or -1 if no name precedes the
// colon. last is the beginning of the previous statement.
func head(toks []notation.Token, i, last int) int {
	back := func() notation.Token {
		for i--; i > last && reader.Elide[toks[i].Kind]; i-- {
		}
		if i < 0 || i < last {
			return notation.Token{}
		}
		return toks[i]
	}
	t := back()
	if t.Kind == "Number" {
		back()
		t = back()
	}
	if t.Value == "}" {
		for t.Value != "{" && t.Kind != "" {
			t = back()
		}
		t = back()
	}
	if t.Kind != "Name" {
		return -1
	}
	begin := i
	for t = back(); i > last && t.Kind == "Op" && (t.Value == "!" || t.Value == "?") && t.Pos.Line == toks[begin].Pos.Line; t = back() {
		begin = i
	}
	if t.Kind == "Directive" && (t.Value == "%override" || t.Value == "%extend") {
		return i
	}
	return begin
}
