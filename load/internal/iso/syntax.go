package iso

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	rule struct {
		Pos  lexer.Position
		Name string  `parser:"@Name Define"`
		Body *choice `parser:"@@ End"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*sequence `parser:"@@ (('|' | '/' | '!') @@)*"`
	}
	sequence struct {
		Pos   lexer.Position
		Terms []*term `parser:"@@? (','? @@)*"`
	}
	term struct {
		Pos    lexer.Position
		Factor *factor `parser:"@@"`
		Minus  bool    `parser:"( @'-'"`
		Except *factor `parser:"  @@? )?"`
	}
	factor struct {
		Pos      lexer.Position
		Times    string  `parser:"( @Number '*' )?"`
		Literal  string  `parser:"( @Literal"`
		Special  string  `parser:"| @Special"`
		Name     string  `parser:"| @Name"`
		Group    *choice `parser:"| '(' @@ ')'"`
		Optional *choice `parser:"| '[' @@ ']' | '(/' @@ '/)'"`
		Repeated *choice `parser:"| '{' @@ '}' | '(:' @@ ':)' )"`
	}
)

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{
		"Root": {
			{Name: "Space", Pattern: `\s+`},
			{Name: "CommentStart", Pattern: `\(\*`, Action: lexer.Push("Comment")},
			{Name: "Literal", Pattern: `"[^"\r\n]+"|'[^'\r\n]+'|“[^”\r\n]+”|‘[^’\r\n]+’|’[^’\r\n]+’`},
			{Name: "BadEmpty", Pattern: `""|''`},
			{Name: "BadLiteral", Pattern: `["'“‘’][^\r\n]*`},
			{Name: "Special", Pattern: `\?[^?]*\?`},
			{Name: "BadSpecial", Pattern: `\?[^\r\n]*`},
			{Name: "Define", Pattern: `::=|:=|=`},
			{Name: "Bracket", Pattern: `\(/|/\)|\(:|:\)|[()\[\]{}]`},
			{Name: "End", Pattern: `[;.]`},
			{Name: "Op", Pattern: `[|/!,*-]`},
			{Name: "Number", Pattern: `[0-9]+`},
			{Name: "Name", Pattern: `\pL[\pL\pN_]*(?:\s+\pL[\pL\pN_]*)*`},
			{Name: "BadOther", Pattern: `(?s:.)`},
		},
		"Comment": {
			{Name: "CommentStart", Pattern: `\(\*`, Action: lexer.Push("Comment")},
			{Name: "CommentEnd", Pattern: `\*\)`, Action: lexer.Pop()},
			{Name: "CommentText", Pattern: `[^(*]+|[(*]`},
		},
	},
	Lookahead: 2,
	Elide:     map[string]bool{"Space": true, "CommentStart": true, "CommentEnd": true, "CommentText": true},
	Bad: map[string]notation.Problem{
		"BadEmpty":   {What: "the literal %s is empty", Do: "write nothing between the commas or bars for the empty text"},
		"BadLiteral": {What: "the literal %s is not closed on its line", Do: "write the closing quote; for a quote inside use the other kind of quotes"},
		"BadSpecial": {What: "the special sequence %s is not closed", Do: "write the closing ?"},
		"BadOther":   {What: "%q means nothing in ISO 14977", Do: "remove it, or put it in quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")", "[": "]", "{": "}", "(/": "/)", "(:": ":)"},
	Example:  `start = "x";`,
	End:      ";",
	Hint:     hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	switch t.Kind {
	case "Define":
		return `a rule is name = …; close the rule before it with ";"`
	case "Number":
		return "write the number of times with *, as in 3 * x"
	case "End":
		return "write the rest of the rule before it"
	}
	switch t.Value {
	case "*":
		return "write a number before it and an element behind it, as in 3 * x; { x } is any number of times"
	case "-":
		return "write what it takes something from before it"
	}
	return ""
}
