package w3c

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	rule struct {
		Pos  lexer.Position
		Name string  `parser:"( Number? @(Name | AngleName) '?'? Define | @Pass )"`
		Body *choice `parser:"@@"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*context `parser:"@@ (('|' | '/') @@)*"`
	}
	context struct {
		Pos   lexer.Position
		Items []*diff  `parser:"@@*"`
		Ahead []*ahead `parser:"@@*"`
	}
	ahead struct {
		Pos   lexer.Position
		Items []*diff `parser:"'&' @@*"`
	}
	diff struct {
		Pos  lexer.Position
		From *item   `parser:"@@"`
		Less []*item `parser:"('-' @@)*"`
	}
	item struct {
		Pos      lexer.Position
		Literal  string   `parser:"( @Literal"`
		Class    string   `parser:"| @Class"`
		Code     string   `parser:"| @Code"`
		Name     string   `parser:"| @(Name | AngleName)"`
		Any      bool     `parser:"| @'.'"`
		End      bool     `parser:"| @'$'"`
		Group    *choice  `parser:"| '(' @@ ')' )"`
		Context  string   `parser:"@Context?"`
		Suffixes []string `parser:"@('?' | '*' | '+')*"`
	}
)

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+`},
		{Name: "Comment", Pattern: `/\*(?s:.*?)\*/|//[^\n]*|\(\*(?s:.*?)\*\)`},
		{Name: "BadComment", Pattern: `/\*[^\n]*|\(\*[^\n]*`},
		{Name: "BadCode", Pattern: `#x(?:[0-9A-Fa-f]*[G-Zg-z][0-9A-Za-z]*|\b)`},
		{Name: "Code", Pattern: `#x[0-9A-Fa-f]+`},
		{Name: "Hash", Pattern: `#[^\n]*`},
		{Name: "Literal", Pattern: `"[^"\r\n]*"|'[^'\r\n]*'`},
		{Name: "BadLiteral", Pattern: `["'][^\r\n]*`},
		{Name: "Constraint", Pattern: `\[\s*(?i:wfc|vc|nsc)\s*:[^\]\r\n]*\]`},
		{Name: "Number", Pattern: `\[[0-9]+[A-Za-z]?\]`},
		{Name: "Class", Pattern: `\[[^\]\r\n]*\]`},
		{Name: "BadClass", Pattern: `\[[^\r\n]*`},
		{Name: "Tokens", Pattern: `<\?TOKENS\?>|@terminals`},
		{Name: "Encore", Pattern: `<\?ENCORE\?>`},
		{Name: "Instruction", Pattern: `<\?(?s:.*?)\?>`},
		{Name: "Pass", Pattern: `@pass`},
		{Name: "Define", Pattern: `::=`},
		{Name: "Prefer", Pattern: `<<|>>|\\\\|==`},
		{Name: "AngleName", Pattern: `<[\pL_][\pL\pN_ .-]*>`},
		{Name: "Name", Pattern: `[\pL_][\pL\pN_.-]*`},
		{Name: "Context", Pattern: `\^[\pL\pN_.-]*`},
		{Name: "Op", Pattern: `[|/()?*+.$&-]`},
		{Name: "BadDefine", Pattern: `:?=`},
		{Name: "BadEnd", Pattern: `;`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Lookahead: 2,
	Elide:     map[string]bool{"Space": true, "Comment": true, "Hash": true, "Constraint": true, "Instruction": true},
	Bad: map[string]notation.Problem{
		"BadComment": {What: "the comment %s is never closed", Do: "write its end: */ or *)"},
		"BadLiteral": {What: "the literal %s is not closed on its line", Do: "write the closing quote; a backslash does not escape one, so use the other kind of quotes"},
		"BadClass":   {What: "the class %s is not closed on its line", Do: "write the closing ], and #x5D for a bracket inside"},
		"BadCode":    {What: "%s is not a character", Do: "write #x and hexadecimal digits; a comment begins with # and a blank"},
		"BadDefine":  {What: "%s defines no rule in W3C EBNF", Do: "write ::=, or choose another notation with --format if this is not W3C EBNF"},
		"BadEnd":     {What: "%s ends no rule in W3C EBNF", Do: "remove it, or choose another notation with --format if this is not W3C EBNF"},
		"BadOther":   {What: "%q means nothing in W3C EBNF", Do: "remove it, or put it in quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")"},
	Example:  `start ::= "x"`,
	Hint:     hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	switch t.Kind {
	case "Define":
		return "a rule needs one name before ::="
	case "Number":
		return "a number stands before a rule's name, at the beginning of a line; write a class of digits otherwise"
	case "Context":
		return "a context stands behind a name or literal"
	}
	switch t.Value {
	case "?", "*", "+":
		return "put it behind what it repeats"
	case "-":
		return "write A - B: what it takes from before it, and what it takes behind it"
	}
	return ""
}
