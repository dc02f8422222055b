package ebnf

import (
	"github.com/alecthomas/participle/v2/lexer"
)

const (
	escape = `\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[^\n])`
	plain  = `[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)*`
)

// definition is the stateful lexer of the notation. No input makes it fail:
// what fits nowhere becomes a token whose kind says what is wrong with it.
var definition = lexer.MustStateful(lexer.Rules{
	"Root": {
		{Name: "Comment", Pattern: `#[^\n]*|//[^\n]*|\(\*(?:[^*]|\*+[^*)])*\*+\)`},
		{Name: "OpenComment", Pattern: `(?s)\(\*.*`},
		{Name: "Space", Pattern: `[ \t\r\n\f]+`},
		{Name: "AnnotationOpen", Pattern: `@` + plain + `\(`, Action: lexer.Push("Arguments")},
		{Name: "Annotation", Pattern: `@` + plain},
		{Name: "Word", Pattern: plain},
		{Name: "Quoted", Pattern: `<(?:[^<>\\\n]|` + escape + `)+>`},
		{Name: "String", Pattern: `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`},
		{Name: "OpenString", Pattern: `["'][^\n]*`},
		{Name: "Count", Pattern: `\{[ \t]*[0-9]+[ \t]*(?:,[ \t]*[0-9]*[ \t]*)?\}\??`},
		{Name: "Repeat", Pattern: `[*+?]\??`},
		{Name: "Weight", Pattern: `%[ \t]*[0-9]+`},
		{Name: "Foreign", Pattern: `::=`},
		{Name: "Define", Pattern: `:=|=`},
		{Name: "ClassOpen", Pattern: `\[\^?`, Action: lexer.Push("Class")},
		{Name: "Punct", Pattern: `[|;()\-.:]`},
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
		{Name: "ArgumentString", Pattern: `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`},
		{Name: "OpenString", Pattern: `["'][^\n]*`},
		{Name: "ArgumentWord", Pattern: `[^ \t\r\f\n,()"']+`},
		{Name: "BadArgument", Pattern: `\(`},
	},
})

var kinds = definition.Symbols()

// kind returns the token type called name.
func kind(name string) lexer.TokenType {
	t, ok := kinds[name]
	if !ok {
		panic("ebnf: no token kind " + name)
	}
	return t
}

var (
	tComment       = kind("Comment")
	tOpenComment   = kind("OpenComment")
	tSpace         = kind("Space")
	tAnnotOpen     = kind("AnnotationOpen")
	tAnnotation    = kind("Annotation")
	tWord          = kind("Word")
	tQuoted        = kind("Quoted")
	tOpenString    = kind("OpenString")
	tCount         = kind("Count")
	tRepeat        = kind("Repeat")
	tWeight        = kind("Weight")
	tForeign       = kind("Foreign")
	tDefine        = kind("Define")
	tClassOpen     = kind("ClassOpen")
	tPunct         = kind("Punct")
	tBad           = kind("Bad")
	tClassClose    = kind("ClassClose")
	tOpenClass     = kind("OpenClass")
	tBadClassChar  = kind("BadClassChar")
	tArgumentsEnd  = kind("ArgumentsClose")
	tOpenArguments = kind("OpenArguments")
	tArgumentSpace = kind("ArgumentSpace")
	tArgumentComma = kind("ArgumentComma")
	tBadArgument   = kind("BadArgument")
)

// tokenize splits src into tokens, comments and spaces included; the last one is EOF.
func tokenize(name string, src string) ([]lexer.Token, error) {
	lex, err := definition.LexString(name, src)
	if err != nil {
		return nil, err
	}
	return lexer.ConsumeAll(lex)
}

// tokens hands a slice of tokens to a participle parser.
type tokens struct {
	list []lexer.Token
	end  lexer.Token
}

// Next returns the next token, and EOF behind the last one for ever.
func (t *tokens) Next() (lexer.Token, error) {
	if len(t.list) == 0 {
		return t.end, nil
	}
	next := t.list[0]
	t.list = t.list[1:]
	return next, nil
}
