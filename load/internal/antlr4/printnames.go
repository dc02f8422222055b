package antlr4

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// reserved has the forbidden names of rules: reserved words of ANTLR and of Java, its usual target.
var reserved = strings.Fields(`EOF import fragment lexer parser grammar protected public private returns locals
	throws catch finally mode options tokens channels rule abstract assert boolean break byte case char class
	const continue default do double else enum extends final float for goto if implements instanceof int
	interface long native new package return short static strictfp super switch synchronized this throw
	transient try void volatile while true false null`)

// nameRules gives every written rule a name that ANTLR accepts.
func (p *printer) nameRules() {
	p.names = map[*grammar.Rule]string{}
	used := map[string]bool{}
	for _, a := range p.atoms {
		used[a.name] = true
	}
	var changed []string
	var first *grammar.Rule
	name := func(r *grammar.Rule, lex bool) {
		n := ruleNameText(r.Name, lex)
		for i, base := 2, n; used[n]; i++ {
			n = fmt.Sprintf("%s_%d", base, i)
		}
		used[n] = true
		p.names[r] = n
		if n != r.Name && !r.Inline {
			changed = append(changed, fmt.Sprintf("%s to %s", r.Name, n))
			if first == nil {
				first = r
			}
		}
	}
	for _, r := range p.syntax {
		name(r, false)
	}
	for _, group := range p.lexical {
		name(group[0], true)
	}
	if first != nil {
		const shown = 5
		more := ""
		if len(changed) > shown {
			more = fmt.Sprintf(", %d others", len(changed)-shown)
			changed = changed[:shown]
		}
		p.lose(grammar.Note, first.Pos, "renamed", first.Name, "names are changed: "+strings.Join(changed, ", ")+more,
			"parser rules begin with a small letter and lexer rules with a capital; some names are reserved")
	}
}

// ruleNameText turns a name into one that ANTLR accepts for a rule of its kind.
func ruleNameText(name string, lex bool) string {
	n := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			return r
		}
		return '_'
	}, name)
	n = strings.TrimLeft(n, "_")
	if n == "" || unicode.IsDigit(rune(n[0])) {
		n = "r" + n
	}
	if lex {
		n = strings.ToUpper(n[:1]) + n[1:]
	} else {
		n = strings.ToLower(n[:1]) + n[1:]
	}
	if slices.Contains(reserved, n) {
		n += "_"
	}
	return n
}

// grammarName turns the name of a grammar into one that ANTLR accepts.
func grammarName(name string) string {
	if name == "" {
		return "G"
	}
	return ruleNameText(name, isTokenName(name))
}

// atom is a set of characters. The classes of a grammar without tokens are cut into disjoint atoms.
type atom struct {
	ranges  []grammar.Range
	negated bool   // the atom occurs only in negated classes
	name    string // the lexer rule; "" for a single character, written as a literal
}

// set writes an atom as a set. A negated atom stays negated, since it generates only its members in
// the alphabet.
func (a atom) set() string {
	if a.negated {
		return "~" + setText(grammar.NewSet(a.ranges...).Complement().Ranges())
	}
	return setText(a.ranges)
}

// text returns the form of the atom in a parser rule.
func (a atom) text() string {
	if a.name == "" {
		return quote([]rune{a.ranges[0].Lo})
	}
	return a.name
}

// cutIntoAtoms finds the atoms of a grammar without tokens. Two characters are in the same atom if
// no class and no literal distinguishes them.
func (p *printer) cutIntoAtoms() {
	var classes []*grammar.Expr
	single := map[rune]bool{}
	for _, e := range p.g.Exprs {
		switch e.Op {
		case grammar.Class:
			classes = append(classes, e)
		case grammar.Lit:
			for _, r := range characters(e.Text) {
				single[r] = true
			}
		}
	}
	p.partition(classes, single)
}

// classRules handles classes in parser rules of a grammar with tokens. Each gets its own lexer
// rule, after all others.
func (p *printer) classRules() {
	var classes []*grammar.Expr
	for _, r := range p.syntax {
		p.body(r).Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Class && e.Set.Len() > 0 {
				if len(classes) == 0 {
					p.lose(grammar.Warning, e.Pos, "class", r.Name, "classes of characters in parser rules become lexer rules",
						"ANTLR's lexer may take their characters for other tokens; make them tokens of the grammar")
				}
				classes = append(classes, e)
			}
		})
	}
	if len(classes) > 0 {
		p.partition(classes, nil)
		for i := range p.atoms { // with tokens, a literal of one character is its own token
			p.atoms[i].name = fmt.Sprintf("CHARS_%d", i+1)
		}
	}
}

// partition cuts classes into disjoint atoms; each single character is its own atom.
func (p *printer) partition(classes []*grammar.Expr, single map[rune]bool) {
	starts := []rune{}
	for _, e := range classes {
		for _, r := range e.Set.Ranges() {
			starts = append(starts, r.Lo, r.Hi+1)
		}
	}
	for r := range single {
		starts = append(starts, r, r+1)
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	index := map[string]int{}
	for i, lo := range starts {
		if i+1 == len(starts) {
			break
		}
		key := make([]byte, (len(classes)+7)/8)
		in, negated := single[lo], !single[lo]
		for k, e := range classes {
			if e.Set.Has(lo) {
				key[k/8] |= 1 << (k % 8)
				in, negated = true, negated && e.Negated
			}
		}
		if !in {
			continue
		}
		id := string(key)
		if single[lo] {
			id += string(lo)
		}
		n, ok := index[id]
		if !ok {
			n = len(p.atoms)
			index[id] = n
			p.atoms = append(p.atoms, atom{negated: negated})
		}
		p.atoms[n].ranges = append(p.atoms[n].ranges, grammar.Range{Lo: lo, Hi: starts[i+1] - 1})
	}
	for i := range p.atoms {
		if a := &p.atoms[i]; len(a.ranges) > 1 || a.ranges[0].Lo != a.ranges[0].Hi {
			a.name = fmt.Sprintf("CHARS_%d", i+1)
		}
	}
}

// atomsOf writes a class of a parser rule as a choice of its atoms.
func (p *printer) atomsOf(e *grammar.Expr) string {
	var parts []string
	for _, a := range p.atoms {
		if e.Set.Has(a.ranges[0].Lo) {
			parts = append(parts, a.text())
		}
	}
	switch len(parts) {
	case 0:
		p.lose(grammar.Error, e.Pos, "empty-class", "", "ANTLR has no class without characters", "written is U+FFFF, which no text holds")
		return `'\uFFFF'`
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, " | ") + ")"
}
