package notation

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// pickNames gives every rule a legal and unique name in the target, as close to its own as
// possible. It does the same for names of undefined rules.
func (p *Printer) pickNames() map[string]string {
	names := make(map[string]string, len(p.g.Rules))
	used := make(map[string]bool)
	key := func(n string) string {
		if p.t.Fold {
			return strings.ToLower(n)
		}
		return n
	}
	take := func(rule, want string) {
		name := want
		for i := 2; used[key(name)]; i++ {
			name = fmt.Sprintf("%s-%d", want, i)
			if !p.t.Legal('-', 1) {
				name = fmt.Sprintf("%s_%d", want, i)
			}
		}
		used[key(name)] = true
		names[rule] = name
	}
	if p.t.Start != "" {
		take(p.g.Start.Name, p.t.Start)
	} else {
		take(p.g.Start.Name, p.legal(p.g.Start, p.g.Start.Name))
	}
	for _, keep := range []bool{true, false} { // names that are already legal go first
		for _, r := range p.g.Rules {
			if _, done := names[r.Name]; !done && keep == (p.legal(r, r.Name) == r.Name) {
				take(r.Name, p.legal(r, r.Name))
			}
		}
	}
	for _, e := range p.g.Exprs { // undefined rules also get names, and stay undefined
		if _, done := names[e.Name]; e.Op == grammar.Ref && !done {
			take(e.Name, p.legal(nil, e.Name))
		}
	}
	return names
}

// legal spells the name of a rule and replaces characters that are illegal in the target.
func (p *Printer) legal(rule *grammar.Rule, name string) string {
	if p.t.Spell != nil {
		name = p.t.Spell(rule, name)
	}
	sub := '-'
	if !p.t.Legal('-', 1) {
		sub = '_'
	}
	var b strings.Builder
	i := 0
	for _, r := range name {
		if !p.t.Legal(r, i) {
			if i == 0 {
				b.WriteString("r")
				i++
				if p.t.Legal(r, i) {
					b.WriteRune(r)
				}
				continue
			}
			r = sub
		}
		b.WriteRune(r)
		i++
	}
	if b.Len() == 0 {
		return "r"
	}
	return b.String()
}
