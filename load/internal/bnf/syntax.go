package bnf

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	rule struct {
		Pos  lexer.Position
		Name string  `parser:"@Name Define"`
		Body *choice `parser:"@@"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*sequence `parser:"@@ ('|' @@)*"`
	}
	sequence struct {
		Pos   lexer.Position
		Items []*item `parser:"@@*"`
	}
	item struct {
		Pos     lexer.Position
		Name    string `parser:"  @Name"`
		Literal string `parser:"| @Literal"`
		Symbol  string `parser:"| @Symbol"`
	}
)

const name = `<[\pL\pN_](?:[^<>|\r\n]*[^<>|\s])?>`

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+`},
		{Name: "Define", Pattern: `::=`},
		{Name: "Or", Pattern: `\|`},
		{Name: "Name", Pattern: name},
		{Name: "Literal", Pattern: `"[^"\r\n]*"|'[^'\r\n]*'`},
		{Name: "BadLiteral", Pattern: `["'][^\r\n]*`},
		{Name: "Symbol", Pattern: `[^\s|<"']+|<`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Elide: map[string]bool{"Space": true},
	Bad: map[string]notation.Problem{
		"BadLiteral": {What: "the literal %s is not closed on its line", Do: `write the closing quote; a quote by itself is '"' or "'"`},
		"BadOther":   {What: "%q means nothing in BNF", Do: "put it in quotes if it is meant as text"},
	},
	Example: `<start> ::= x`,
	Hint:    hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	if t.Kind == "Define" || t.Kind == "Symbol" { // in a body any symbol fits
		return "a rule begins with one name in < >, as in <term> ::= x; names without < > are of another notation: choose it with --format"
	}
	return ""
}
