package w3c

import (
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// kinds determines which rules are tokens, layout and parts of tokens. It changes references
// with contexts to plain references.
func (b *builder) kinds() {
	syntactic, lexical := make(map[string]bool), make(map[string]bool)
	for _, r := range b.built {
		if r.lexical && !r.pass {
			lexical[r.Name] = true
		} else {
			syntactic[r.Name] = true
		}
	}
	b.dropAliases(lexical, syntactic)
	// If a token and a rule have the same name, the token gets another.
	for _, r := range b.built {
		if r.lexical && syntactic[r.Name] && !r.pass {
			r.Name += "^token"
		}
		r.Body.Walk(func(e *syntax.Expr) {
			name, _, ok := strings.Cut(e.Name, "^")
			switch {
			case e.Op != grammar.Ref:
			case (ok || r.lexical) && lexical[name] && syntactic[name]:
				e.Name = name + "^token"
			case ok:
				e.Name = name
			}
		})
	}
	used := make(map[string]bool) // names used in syntactic rules
	layout := make(map[string]bool)
	for _, r := range b.built {
		r.Body.Walk(func(e *syntax.Expr) {
			if e.Op == grammar.Ref && !r.lexical && !r.pass {
				used[e.Name] = true
			}
		})
		if r.pass && r.Body.Op == grammar.Ref {
			layout[r.Body.Name] = true
		}
	}
	for _, r := range b.built {
		switch {
		case r.pass && r.Body.Op == grammar.Ref && (syntactic[r.Body.Name] || lexical[r.Body.Name]):
			continue // @pass names a rule, which is the layout
		case r.pass || r.layout || layout[r.Name]:
			r.Kind = grammar.Skip
		case r.empty || !r.lexical:
		case used[r.Name]:
			r.Kind = grammar.Token
		default:
			r.Kind = grammar.Fragment
		}
		b.g.Rules = append(b.g.Rules, r.Rule)
	}
}

// dropAliases removes rules of the form X ::= X^token. If such a rule is layout, the token X
// becomes layout.
func (b *builder) dropAliases(lexical, syntactic map[string]bool) {
	layout := make(map[string]bool)
	kept := b.built[:0]
	for _, r := range b.built {
		name, _, ok := strings.Cut(r.Body.Name, "^")
		if ok && r.Body.Op == grammar.Ref && name == r.Name && !r.lexical && lexical[name] {
			layout[name] = layout[name] || r.layout
			delete(syntactic, name)
			continue
		}
		kept = append(kept, r)
	}
	b.built = kept
	for _, r := range b.built {
		r.layout = r.layout || layout[r.Name]
	}
}
