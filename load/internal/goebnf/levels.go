package goebnf

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// layoutName is the name of the rule for layout between tokens.
const layoutName = "white_space"

func lexical(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return !unicode.IsUpper(r)
}

// levels marks lexical rules as tokens or parts of tokens, adds the layout, and
// refuses references from lexical to syntactic rules.
func (b *builder) levels() {
	syntactic, taken := false, false
	for _, r := range b.g.Rules {
		syntactic = syntactic || !lexical(r.Name)
		taken = taken || r.Name == layoutName
	}
	if !syntactic {
		return
	}
	defined, tokens := make(map[string]bool), make(map[string]bool)
	for _, r := range b.g.Rules {
		defined[r.Name] = true
	}
	for _, r := range b.g.Rules {
		r.Body.Walk(func(e *syntax.Expr) {
			switch {
			case e.Op != grammar.Ref || !defined[e.Name]:
			case !lexical(r.Name):
				tokens[e.Name] = true
			case !lexical(e.Name):
				b.ds = append(b.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: e.Pos, Code: "syntax-in-token", Rule: r.Name,
					Message: fmt.Sprintf("the lexical rule %q refers to the syntactic rule %q", r.Name, e.Name),
					Hint:    "begin one of the names with a letter of the other case"})
			}
		})
	}
	for _, r := range b.g.Rules {
		switch {
		case !lexical(r.Name):
		case tokens[r.Name]:
			r.Kind = grammar.Token
		default:
			r.Kind = grammar.Fragment
		}
	}
	if !taken {
		pos := grammar.Pos{File: b.g.Name, Line: 1, Col: 1}
		blank := syntax.NewClass(pos, false, grammar.Range{Lo: '\t', Hi: '\n'}, grammar.Range{Lo: '\r', Hi: '\r'}, grammar.Range{Lo: ' ', Hi: ' '})
		b.g.Rules = append(b.g.Rules, &syntax.Rule{Name: layoutName, Pos: pos, Kind: grammar.Skip,
			Body: syntax.NewRep(pos, blank, 1, grammar.Unbounded)})
	}
}

// start moves the start rule to the front.
func (b *builder) start() {
	used := make(map[string]bool)
	for _, r := range b.g.Rules {
		r.Body.Walk(func(e *syntax.Expr) {
			if e.Op == grammar.Ref && e.Name != r.Name {
				used[e.Name] = true
			}
		})
	}
	for i, r := range b.g.Rules {
		if r.Kind == grammar.Syntax && !used[r.Name] {
			copy(b.g.Rules[1:i+1], b.g.Rules[:i])
			b.g.Rules[0] = r
			return
		}
	}
}
