package antlr4

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// The syntax of .g4 statements, as participle grammars. One token of lookahead suffices, since the
// scanner has already determined the meaning of brackets, braces and names before =. Right-hand
// sides of rules, the largest part of every file, have their own parser (see altList).
type (
	statement struct {
		Rule    *rule        `parser:"  @@"` // by far the most frequent
		Decl    *declaration `parser:"| @@"`
		Imports *imports     `parser:"| @@"`
		Options *options     `parser:"| @@"`
		Spec    *tokensSpec  `parser:"| @@"`
		Action  *namedAction `parser:"| @@"`
		Mode    *modeSpec    `parser:"| @@"`
		Handler *handler     `parser:"| @@"`
	}
	declaration struct {
		Pos  lexer.Position
		Kind string `parser:"( @('lexer' | 'parser') )? 'grammar'"`
		Name string `parser:"@Ident Semi"`
	}
	imports struct {
		Names []*name `parser:"'import' @@ ( ',' @@ )* Semi"`
	}
	name struct {
		Pos  lexer.Position
		Text string `parser:"@Ident"`
		As   string `parser:"( '=' @Ident )?"`
	}
	options struct {
		List []*option `parser:"Options @@* Close"`
	}
	option struct {
		Pos   lexer.Position
		Name  string   `parser:"@(Ident | Keyword) '='"`
		Value []string `parser:"@(Ident | Keyword | Int | Literal | Action | '*') ( '.' @(Ident | Keyword) )* OptSemi"`
	}
	tokensSpec struct {
		Kind  lexer.Token `parser:"@(Tokens | Channels)"`
		Names []*name     `parser:"( @@ ( ',' @@ )* ','? )? Close"`
	}
	namedAction struct {
		Pos   lexer.Position
		Scope string `parser:"'@' @(Ident | Keyword)"`
		Name  string `parser:"( '::' @(Ident | Keyword) )?"`
		Code  string `parser:"@Action"`
	}
	modeSpec struct {
		Name *name `parser:"'mode' @@ Semi"`
	}
	handler struct {
		Pos   lexer.Position
		Catch string `parser:"( 'catch' @Arg | 'finally' )"`
		Code  string `parser:"@Action"`
	}
	rule struct {
		Modifiers []string `parser:"( (?= Keyword) @('fragment' | 'public' | 'private' | 'protected')+ )?"`
		Pos       lexer.Position
		Name      lexer.Token `parser:"@Ident"`
		Args      []string    `parser:"( (?! ':') @Arg? ( 'returns' @Arg )?"` // rare in rules
		Throws    []string    `parser:"  ( 'throws' @Ident ( @( '.' | ',' ) @Ident )* )?"`
		Locals    string      `parser:"  ( 'locals' @Arg )?"`
		Prequels  []*prequel  `parser:"  @@* )?"`
		Body      *altList    `parser:"':' @@ Semi"`
	}
	prequel struct {
		Options *options     `parser:"  @@"`
		Action  *namedAction `parser:"| @@"`
	}
)

// statementParser builds participle's parser, once: it is safe for concurrent use.
var statementParser = sync.OnceValue(func() *participle.Parser[statement] {
	return participle.MustBuild[statement](participle.Lexer(definition{}))
})

// definition adapts the scanner to participle's lexer interface.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols() }

func (definition) Lex(file string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	stmts, ds := scan(file, string(src))
	if err := ds.Err(); err != nil {
		return nil, err
	}
	all := tokenList{}
	for _, s := range stmts {
		all = append(all[:max(0, len(all)-1)], s...)
	}
	return &all, nil
}

// tokenList is the token sequence of one statement, as a lexer of participle. It ends with an
// EOF token.
type tokenList []lexer.Token

func (l *tokenList) Next() (lexer.Token, error) {
	if len(*l) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := (*l)[0]
	*l = (*l)[1:]
	return t, nil
}

// parseStatement parses the tokens of one statement.
func parseStatement(tokens []lexer.Token) (*statement, *grammar.Diagnostic) {
	list := tokenList(tokens)
	peek, err := lexer.Upgrade(&list)
	if err != nil {
		return nil, &grammar.Diagnostic{Severity: grammar.Error, Pos: position(tokens[0].Pos), Code: "syntax", Message: err.Error()}
	}
	s, err := statementParser().ParseFromLexer(peek)
	if err == nil {
		return s, nil
	}
	d := &grammar.Diagnostic{Severity: grammar.Error, Pos: position(tokens[0].Pos), Code: "syntax", Message: err.Error(), Rule: ruleName(tokens)}
	var perr participle.Error
	if errors.As(err, &perr) {
		d.Pos, d.Message = position(perr.Position()), perr.Message()
	}
	var inBody *bodyError
	if errors.As(err, &inBody) {
		d.Pos, d.Message, d.Hint = position(inBody.pos), inBody.message+in(d.Rule), inBody.hint
		return nil, d
	}
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		d.Message, d.Hint = explain(unexpected.Unexpected, tokens, d.Rule)
	}
	return nil, d
}

// ruleName returns the name of the rule at the front of tokens, or "".
func ruleName(tokens []lexer.Token) string {
	for _, t := range tokens {
		switch {
		case t.Type == tIdent:
			return t.Value
		case t.Value != "fragment" && t.Value != "public" && t.Value != "private" && t.Value != "protected":
			return ""
		}
	}
	return ""
}

// in returns the part of a message that names the rule, or "".
func in(rule string) string {
	if rule == "" {
		return ""
	}
	return fmt.Sprintf(" in rule %q", rule)
}

// explain describes the error at the token where parsing stopped.
func explain(t lexer.Token, stmt []lexer.Token, rule string) (message, hint string) {
	first := stmt[0]
	hint = "a rule is written name : alternatives ;"
	switch {
	case first.Value == "import":
		hint = "written import A, B;"
	case first.Value == "mode":
		hint = "written mode NAME;"
	case first.Value == "lexer" || first.Value == "parser" || first.Value == "grammar":
		hint = "written grammar NAME; with lexer or parser before it where it is one of them"
	case first.Type == tOptions:
		hint = "written options { name = value; }"
	case first.Type == tTokens || first.Type == tChannels:
		hint = "written " + first.Value + " { A, B }"
	case first.Value == "@":
		hint = "written @name { code }"
	case first.Value == "catch" || first.Value == "finally":
		hint = "written catch [exception] { code } or finally { code }"
	}
	if t.EOF() {
		return "the file ends inside a statement" + in(rule), hint
	}
	return fmt.Sprintf("unexpected %q%s", t.Value, in(rule)), hint
}
