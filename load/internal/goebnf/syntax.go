package goebnf

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	rule struct {
		Pos    lexer.Position
		Tokens []lexer.Token
		Name   string  `parser:"@Name Define"`
		Body   *choice `parser:"@@? End"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*sequence `parser:"@@ ('|' @@)*"`
	}
	sequence struct {
		Pos   lexer.Position
		Items []*item `parser:"@@+"`
	}
	item struct {
		Pos      lexer.Position
		From     string  `parser:"( @(String | Raw)"`
		Range    bool    `parser:"  ( @Ellipsis"`
		To       string  `parser:"    @(String | Raw) )?"`
		Name     string  `parser:"| @Name"`
		Group    *choice `parser:"| '(' @@ ')'"`
		Optional *choice `parser:"| '[' @@ ']'"`
		Repeated *choice `parser:"| '{' @@ '}' )"`
	}
)

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+`},
		{Name: "Comment", Pattern: `//[^\n]*|/\*(?s:.*?)\*/`},
		{Name: "BadComment", Pattern: `/\*[^\n]*`},
		{Name: "String", Pattern: `"(?:\\[^\n]|[^"\\\n])*"`},
		{Name: "BadString", Pattern: `"[^\n]*`},
		{Name: "Raw", Pattern: "`[^`]*`"},
		{Name: "BadRaw", Pattern: "`[^\n]*"},
		{Name: "BadEllipsis", Pattern: `\.\.\.?`},
		{Name: "Ellipsis", Pattern: `…`},
		{Name: "BadDefine", Pattern: `::?=`},
		{Name: "Define", Pattern: `=`},
		{Name: "End", Pattern: `\.`},
		{Name: "Op", Pattern: `[|()\[\]{}]`},
		{Name: "Name", Pattern: `[\pL_][\pL\pN_]*`},
		{Name: "BadQuote", Pattern: `'[^'\n]*'?`},
		{Name: "BadSuffix", Pattern: `[*+?]`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Elide: map[string]bool{"Space": true, "Comment": true},
	Bad: map[string]notation.Problem{
		"BadComment":  {What: "the comment %s is never closed", Do: "write the closing */"},
		"BadString":   {What: "the literal %s is not closed on its line", Do: `write the closing ", and \n for a line break`},
		"BadRaw":      {What: "the literal %s is never closed", Do: "write the closing `"},
		"BadEllipsis": {What: "%q is not a range", Do: "write the one character … (U+2026) between the two ends"},
		"BadDefine":   {What: "%s defines no rule in Go's EBNF", Do: "write =, or choose another notation with --format if this is not Go's EBNF"},
		"BadQuote":    {What: "%s is in single quotes", Do: "Go's EBNF takes double quotes or back quotes: \"…\", `…`"},
		"BadSuffix":   {What: "%q means nothing in Go's EBNF", Do: "write { x } for any number of times and [ x ] for at most once, or quote it"},
		"BadOther":    {What: "%q means nothing in Go's EBNF", Do: "remove it, or put it in quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")", "[": "]", "{": "}"},
	Example:  `Start = "x" .`,
	End:      ".",
	Hint:     hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	switch t.Kind {
	case "Define":
		return `a rule is Name = … . and the rule before it needs a "." at its end`
	case "Ellipsis":
		return "write one character in quotes on either side"
	}
	switch t.Value {
	case "|":
		return "write an alternative before it; [ x ] says that x may be missing"
	case ")", "]", "}":
		return "write what stands in the group"
	}
	return ""
}
