package ebnf

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The syntax of one rule, as participle reads it. Comments and spaces have
// been taken out before, and the nesting of groups is bounded.

type ruleNode struct {
	Marks []*markNode `parser:"@@*"`
	Name  *nameNode   `parser:"@@"`
	Body  *choiceNode `parser:"Define @@ ';'"`
}

type nameNode struct {
	Pos    lexer.Position
	Word   string `parser:"  @Word"`
	Quoted string `parser:"| @Quoted"`
}

type markNode struct {
	Pos  lexer.Position
	Bare string          `parser:"  @Annotation"`
	Open string          `parser:"| @AnnotationOpen"`
	Args []*argumentNode `parser:"  ( @@ ( ArgumentComma @@ )* )? ArgumentsClose"`
}

type argumentNode struct {
	Pos    lexer.Position
	Word   *string `parser:"  @ArgumentWord"`
	String *string `parser:"| @ArgumentString"`
}

type choiceNode struct {
	Pos  lexer.Position
	Alts []*altNode `parser:"@@ ( '|' @@ )*"`
}

type altNode struct {
	Pos    lexer.Position
	Label  *nameNode   `parser:"( @@ ':' )?"`
	Items  []*itemNode `parser:"@@*"`
	Weight *string     `parser:"@Weight?"`
}

type itemNode struct {
	First *postfixNode   `parser:"@@"`
	Minus []*postfixNode `parser:"( '-' @@ )*"`
}

type postfixNode struct {
	Atom     *atomNode     `parser:"@@"`
	Suffixes []*suffixNode `parser:"@@*"`
}

type suffixNode struct {
	Pos    lexer.Position
	Repeat string    `parser:"  @Repeat"`
	Count  string    `parser:"| @Count"`
	Mark   *markNode `parser:"| @@"`
}

type atomNode struct {
	Pos   lexer.Position
	Name  *nameNode   `parser:"  @@"`
	Lit   *string     `parser:"| @String"`
	Any   bool        `parser:"| @'.'"`
	Class *classNode  `parser:"| @@"`
	Group *choiceNode `parser:"| '(' @@ ')'"`
}

type classNode struct {
	Pos   lexer.Position
	Open  string      `parser:"@ClassOpen"`
	Items []*spanNode `parser:"@@* ClassClose"`
}

// spanNode is a character or a range; a minus that is first or last in a class
// is itself.
type spanNode struct {
	Pos   lexer.Position
	Lo    string `parser:"(   @ClassChar"`
	Hi    string `parser:"    ( ClassRange @ClassChar )?"`
	Minus bool   `parser:"  | @ClassRange )"`
}

var ruleParser = participle.MustBuild[ruleNode](
	participle.Lexer(definition),
	participle.UseLookahead(2),
)
