package ebnf

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/load/internal/notation"
)

// The syntax tree of one rule.
type (
	ruleNode struct {
		Marks []*markNode `parser:"@@*"`
		Name  *nameNode   `parser:"@@"`
		Body  *choiceNode `parser:"Define @@ ';'"`
	}
	nameNode struct {
		Pos    lexer.Position
		Word   string `parser:"  @Word"`
		Quoted string `parser:"| @Quoted"`
	}
	markNode struct {
		Pos  lexer.Position
		Bare string          `parser:"  @Annotation"`
		Open string          `parser:"| @AnnotationOpen"`
		Args []*argumentNode `parser:"  ( @@ ( ArgumentComma @@ )* )? ArgumentsClose"`
	}
	argumentNode struct {
		Pos    lexer.Position
		Word   *string `parser:"  @ArgumentWord"`
		String *string `parser:"| @ArgumentString"`
	}
	choiceNode struct {
		Pos  lexer.Position
		Alts []*altNode `parser:"@@ ( '|' @@ )*"`
	}
	altNode struct {
		Pos    lexer.Position
		Label  *nameNode   `parser:"( @@ ':' )?"`
		Items  []*itemNode `parser:"@@*"`
		Weight *string     `parser:"@Weight?"`
	}
	itemNode struct {
		First *postfixNode   `parser:"@@"`
		Minus []*postfixNode `parser:"( '-' @@ )*"`
	}
	postfixNode struct {
		Atom     *atomNode     `parser:"@@"`
		Suffixes []*suffixNode `parser:"@@*"`
	}
	suffixNode struct {
		Pos    lexer.Position
		Repeat string    `parser:"  @Repeat"`
		Count  string    `parser:"| @Count"`
		Mark   *markNode `parser:"| @@"`
	}
	atomNode struct {
		Pos   lexer.Position
		Name  *nameNode   `parser:"  @@"`
		Lit   *string     `parser:"| @String"`
		Any   bool        `parser:"| @'.'"`
		Class *classNode  `parser:"| @@"`
		Group *choiceNode `parser:"| '(' @@ ')'"`
	}
	classNode struct {
		Pos   lexer.Position
		Open  string      `parser:"@ClassOpen"`
		Items []*spanNode `parser:"@@* ClassClose"`
	}
	// spanNode is a character or a range; a minus at either end of a class is literal.
	spanNode struct {
		Pos   lexer.Position
		Lo    string `parser:"(   @ClassChar"`
		Hi    string `parser:"    ( ClassRange @ClassChar )?"`
		Minus bool   `parser:"  | @ClassRange )"`
	}
)

const (
	escape = `\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{0,8}\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[^\n])`
	plain  = `[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*`
	quoted = `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`
)

// reader reads the notation. Invalid text becomes a token whose kind names the mistake.
var reader = &notation.Reader[ruleNode]{
	Lexer: lexer.Rules{
		"Root": {
			{Name: "Comment", Pattern: `#[^\n]*|//[^\n]*|\(\*(?:[^*]|\*+[^*)])*\*+\)`},
			{Name: "OpenComment", Pattern: `(?s)\(\*.*`},
			{Name: "Space", Pattern: `[ \t\r\n\f]+`},
			{Name: "AnnotationOpen", Pattern: `@` + plain + `\(`, Action: lexer.Push("Arguments")},
			{Name: "Annotation", Pattern: `@` + plain},
			{Name: "Word", Pattern: plain},
			{Name: "Quoted", Pattern: `<(?:[^<>\\\n]|` + escape + `)+>`},
			{Name: "String", Pattern: quoted},
			{Name: "OpenString", Pattern: `["'][^\n]*`},
			{Name: "Count", Pattern: `\{[ \t]*[0-9]+[ \t]*(?:,[ \t]*[0-9]*[ \t]*)?\}\??`},
			{Name: "Repeat", Pattern: `[*+?]\??`},
			{Name: "Weight", Pattern: `%[ \t]*[0-9]+`},
			{Name: "Foreign", Pattern: `::=`},
			{Name: "Define", Pattern: `:=|=`},
			{Name: "ClassOpen", Pattern: `\[\^?`, Action: lexer.Push("Class")},
			{Name: "Punct", Pattern: `[|;()\-.:]`},
			{Name: "BadCount", Pattern: `\{(?:"[^"\n]*"|'[^'\n]*'|[^{}"'\n;])*\}?`},
			{Name: "BadWeight", Pattern: `%`},
			{Name: "BadAnnotation", Pattern: `@`},
			{Name: "BadName", Pattern: `<`},
			{Name: "BadComma", Pattern: `,`},
			{Name: "BadSlash", Pattern: `/`},
			{Name: "Bad", Pattern: `(?s).`},
		},
		"Class": {
			{Name: "ClassClose", Pattern: `\]`, Action: lexer.Pop()},
			{Name: "OpenClass", Pattern: `\n`, Action: lexer.Pop()},
			{Name: "ClassRange", Pattern: `-`},
			{Name: "ClassChar", Pattern: escape + `|[^\\\]\n]`},
			{Name: "BadClassChar", Pattern: `\\`},
		},
		"Arguments": {
			{Name: "ArgumentsClose", Pattern: `\)`, Action: lexer.Pop()},
			{Name: "OpenArguments", Pattern: `\n`, Action: lexer.Pop()},
			{Name: "ArgumentSpace", Pattern: `[ \t\r\f]+`},
			{Name: "ArgumentComma", Pattern: `,`},
			{Name: "ArgumentString", Pattern: quoted},
			{Name: "OpenString", Pattern: `["'][^\n]*`},
			{Name: "ArgumentWord", Pattern: `[^ \t\r\f\n,()"']+(?:\([^()"'\n]*\))?`},
			{Name: "BadArgument", Pattern: `\(`},
		},
	},
	Lookahead: 2,
	Elide:     map[string]bool{"Comment": true, "Space": true, "ArgumentSpace": true},
	Bad: map[string]notation.Problem{
		"OpenComment":   {What: "this comment is never closed", Do: `write "*)" where it ends`},
		"OpenString":    {What: "this literal is not closed on its line", Do: `write the quote at its end; a line break in a literal is \n`},
		"OpenClass":     {What: "the class is not closed on its line", Do: `write "]" where it ends; a line break in a class is \n`},
		"OpenArguments": {What: "the annotation is not closed on its line", Do: `write ")" behind its arguments`},
		"BadClassChar":  {What: `a "\" with nothing behind it`, Do: `write \\ for a backslash`},
		"BadArgument":   {What: `unexpected "(" in the arguments of an annotation`, Do: `put the argument in quotes`},
		"Foreign":       {What: `"::=" is not of the native notation`, Do: `write "=", or read the file in the notation that it is in`, Code: "notation"},
		"BadCount":      {What: "unexpected %q", Do: "write ( … )* for any number of times, and {m}, {m,} or {m,n} behind an element for others; if the file is ISO 14977, choose it with --format iso"},
		"BadWeight":     {What: "unexpected %q", Do: "a weight is % and a whole number, as in %3"},
		"BadAnnotation": {What: "unexpected %q", Do: "an annotation is @ and a name"},
		"BadName":       {What: "unexpected %q", Do: "a name in < > is closed on its line"},
		"BadComma":      {What: "unexpected %q", Do: "elements of a sequence stand side by side, with nothing between"},
		"BadSlash":      {What: "unexpected %q", Do: `alternatives are separated by "|"`},
		"Bad":           {What: "unexpected %q", Do: "put characters of the language in quotes"},
	},
	Explain: explain,
}
