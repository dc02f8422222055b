package syntax

import "github.com/gramfuzz/gramfuzz/grammar"

// Brackets are the pairs between which lines have no meaning in most languages with
// indentation, Python among them.
var Brackets = []string{"(", ")", "[", "]", "{", "}"}

// Indentation makes newline the token that ends a line. It returns the tokens that begin and end
// blocks, with the names indent and dedent. brackets are pairs of texts between which lines have no
// meaning.
func Indentation(newline *Rule, indent, dedent string, brackets ...string) []*Rule {
	newline.Kind = grammar.Token
	command := func(r *Rule, name, arg string) {
		r.Commands = append(r.Commands, grammar.Command{Name: name, Arg: arg, Pos: newline.Pos})
	}
	command(newline, "newline", "")
	for i, text := range brackets {
		command(newline, [...]string{"open", "close"}[i%2], text)
	}
	rules := []*Rule{
		{Name: indent, Pos: newline.Pos, Kind: grammar.Token, Body: NewLit(newline.Pos, "\x0e")},
		{Name: dedent, Pos: newline.Pos, Kind: grammar.Token, Body: NewLit(newline.Pos, "\x0f")},
	}
	command(rules[0], "indent", "")
	command(rules[1], "dedent", "")
	return rules
}
