package gbnf

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
		Pos      lexer.Position
		Literal  string    `parser:"(  @String"`
		Class    string    `parser:"| @Class"`
		Model    string    `parser:"| @Model"`
		Any      bool      `parser:"| @'.'"`
		Name     string    `parser:"| @Name"`
		Group    *choice   `parser:"| '(' @@ ')' )"`
		Suffixes []*suffix `parser:"@@*"`
	}
	suffix struct {
		Pos  lexer.Position
		Text string `parser:"@('*' | '+' | '?' | Bounds)"`
	}
)

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+`},
		{Name: "Comment", Pattern: `#[^\n]*`},
		{Name: "Define", Pattern: `::=`},
		{Name: "String", Pattern: `"(?:\\[^\n]|[^"\\\n])*"`},
		{Name: "BadString", Pattern: `"[^\n]*`},
		{Name: "Class", Pattern: `\[(?:\\[^\n]|[^\]\\\n])*\]`},
		{Name: "BadClass", Pattern: `\[[^\n]*`},
		{Name: "Model", Pattern: `!?<[^>\s]+>`},
		{Name: "Bounds", Pattern: `\{[ \t]*\d*[ \t]*(?:,[ \t]*\d*[ \t]*)?\}`},
		{Name: "Op", Pattern: `[|()*+?.]`},
		{Name: "Name", Pattern: `[A-Za-z0-9_-]+`},
		{Name: "BadQuote", Pattern: `'[^'\n]*'?`},
		{Name: "BadDefine", Pattern: `:?=`},
		{Name: "BadBounds", Pattern: `\{[^}\n]*\}?`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Elide: map[string]bool{"Space": true, "Comment": true},
	Bad: map[string]notation.Problem{
		"BadString": {What: "the literal %s is not closed on its line", Do: `write the closing ", and \n for a line break`},
		"BadClass":  {What: "the class %s is not closed on its line", Do: `write the closing ], and \] for a bracket inside`},
		"BadQuote":  {What: "%s is in single quotes", Do: `GBNF literals take double quotes: "…"`},
		"BadDefine": {What: "%s defines no rule in GBNF", Do: "write ::=, or choose another notation with --format if this is not GBNF"},
		"BadBounds": {What: "%s is not a repetition", Do: "write {3}, {3,} or {3,5} with numbers"},
		"BadOther":  {What: "%q means nothing in GBNF", Do: "remove it, or put it in double quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")"},
	Example:  `root ::= "x"`,
	Hint:     hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	switch t.Kind {
	case "Define":
		return "a rule needs one name before ::="
	case "Bounds":
		return "put the repetition behind what it repeats"
	}
	switch t.Value {
	case "*", "+", "?":
		return "put it behind what it repeats"
	case "|":
		return "write an alternative before it"
	}
	return ""
}
