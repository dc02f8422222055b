package abnf

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	rule struct {
		Pos    lexer.Position
		Name   string  `parser:"@(Name | Prose)"`
		Define string  `parser:"@Define"`
		Body   *choice `parser:"@@"`
	}
	choice struct {
		Pos  lexer.Position
		Alts []*sequence `parser:"@@ (('/' | '|') @@)*"`
	}
	sequence struct {
		Pos   lexer.Position
		Items []*item `parser:"@@+"`
	}
	item struct {
		Pos      lexer.Position
		Repeat   string  `parser:"@Repeat?"`
		Literal  string  `parser:"( @Literal"`
		Value    string  `parser:"| @Value"`
		Prose    string  `parser:"| @Prose"`
		Name     string  `parser:"| @Name"`
		Optional *choice `parser:"| '[' @@ ']'"`
		Group    *choice `parser:"| '(' @@ ')' )"`
	}
)

var reader = &notation.Reader[rule]{
	Lexer: lexer.Rules{"Root": {
		{Name: "Space", Pattern: `\s+`},
		{Name: "Comment", Pattern: `;[^\r\n]*`},
		{Name: "Literal", Pattern: `(?:%[sSiI])?"[^"\r\n]*"`},
		{Name: "BadLiteral", Pattern: `(?:%[sSiI])?"[^\r\n]*`},
		{Name: "Value", Pattern: `%(?:[xX][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?` +
			`|[dD][0-9]+(?:-[0-9]+|(?:\.[0-9]+)+)?|[bB][01]+(?:-[01]+|(?:\.[01]+)+)?)`},
		{Name: "BadValue", Pattern: `%\S*`},
		{Name: "BadDefine", Pattern: `::?=`},
		{Name: "Define", Pattern: `=/|=`},
		{Name: "Prose", Pattern: `<[^>\r\n]*>`},
		{Name: "BadProse", Pattern: `<[^\r\n]*`},
		{Name: "Repeat", Pattern: `[0-9]*[*#][0-9]*|[0-9]+`},
		{Name: "Name", Pattern: `[A-Za-z][A-Za-z0-9_-]*`},
		{Name: "Op", Pattern: `[/|()\[\]]`},
		{Name: "BadQuote", Pattern: `'[^'\r\n]*'?`},
		{Name: "BadRange", Pattern: `-|\.\.+|…`},
		{Name: "BadCurly", Pattern: `[“”„][^“”„"\r\n]*[“”„"]?`},
		{Name: "BadOther", Pattern: `(?s:.)`},
	}},
	Elide: map[string]bool{"Space": true, "Comment": true},
	Bad: map[string]notation.Problem{
		"BadLiteral": {What: "the literal %s is not closed on its line", Do: `write the closing ", and %x22 or DQUOTE for a quote inside`},
		"BadValue":   {What: "%q is not a numeric value", Do: `write %x41, %d65, %b1000001, a range %x30-39 or a sequence %x0D.0A`},
		"BadProse":   {What: "the prose value %s is not closed on its line", Do: "write the closing >"},
		"BadDefine":  {What: "%s defines no rule in ABNF", Do: "write =, or choose another notation with --format if this is not ABNF"},
		"BadQuote":   {What: "%s is in single quotes", Do: `ABNF literals take double quotes: "…"`},
		"BadRange":   {What: "%s stands between no two elements in ABNF", Do: "write a range of characters as one value: %x61-7A"},
		"BadCurly":   {What: "%s is in typographic quotes", Do: `write straight ones: "…"`},
		"BadOther":   {What: "%q means nothing in ABNF", Do: "remove it, or put it in double quotes if it is meant as text"},
	},
	Brackets: map[string]string{"(": ")", "[": "]"},
	Example:  `start = "x"`,
	Hint:     hint,
}

// hint gives advice for a misplaced token.
func hint(t notation.Token) string {
	switch t.Kind {
	case "Define":
		return "a rule needs one name before ="
	case "Repeat":
		return "put the repetition before what it repeats, without a second one"
	}
	switch t.Value {
	case "/", "|":
		return `write an alternative before it; the empty one is ""`
	case ")", "]":
		return `write what stands in the group; the empty text is ""`
	}
	return ""
}
