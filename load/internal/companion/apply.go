package companion

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Apply changes the raw graph g as the companion demands: first by its rules, then by its
// directives in order. It returns diagnostics about mismatches with the grammar, followed by the
// reader's diagnostics ds without warnings about prose that the companion defines.
func (c *Companion) Apply(g *syntax.Grammar, ds grammar.Diagnostics) grammar.Diagnostics {
	a := &applier{g: g, fold: g.Notation == "abnf", said: make(map[string]bool)}
	a.addRules(c.rules)
	for _, d := range c.directives {
		a.apply(d)
	}
	if a.lexical {
		a.fragments()
	}
	for _, d := range ds {
		if d.Code != "prose" || a.find(d.Rule) == nil && !a.said[d.Rule] {
			a.ds = append(a.ds, d)
		}
	}
	return a.ds
}

type applier struct {
	g       *syntax.Grammar
	ds      grammar.Diagnostics
	fold    bool            // names match regardless of case
	lexical bool            // a directive made tokens or layout
	said    map[string]bool // prose that the companion defines, in the grammar's spelling
}

func (a *applier) same(x, y string) bool {
	return x == y || a.fold && strings.EqualFold(x, y)
}

// find returns the rule called name, or nil.
func (a *applier) find(name string) *syntax.Rule {
	for _, exact := range []bool{true, false} {
		for _, r := range a.g.Rules {
			if r.Name == name || !exact && a.same(r.Name, name) {
				return r
			}
		}
	}
	return nil
}

// addRules adds the companion's rules or replaces rules by them.
func (a *applier) addRules(rules []*syntax.Rule) {
	prose := make(map[string][]string) // spellings by text
	for name := range a.undefined() {
		if text, ok := proseOf(name); ok {
			prose[text] = append(prose[text], name)
		}
	}
	for _, r := range rules {
		if spellings := prose[oneSpaced(r.Name)]; len(spellings) > 0 {
			r.Name = slices.Min(spellings)
			for _, s := range spellings {
				a.said[s] = true
			}
			a.g.EachRef(func(e *syntax.Expr) {
				if slices.Contains(spellings, e.Name) {
					e.Name = r.Name
				}
			})
		}
		if old := a.find(r.Name); old != nil {
			old.Body, old.Pos, old.Annotations = r.Body, r.Pos, r.Annotations
			if r.Kind.Lexical() {
				old.Kind = r.Kind
			}
			if len(r.Commands) > 0 {
				old.Commands = r.Commands
			}
			continue
		}
		a.g.Rules = append(a.g.Rules, r)
		a.lexical = a.lexical || r.Kind.Lexical()
	}
	if a.fold { // the graph's references are spelled like the definitions
		a.g.EachRef(func(e *syntax.Expr) {
			if r := a.find(e.Name); r != nil {
				e.Name = r.Name
			}
		})
	}
}

// proseOf returns the text of a name that is prose in one of the notations. ok tells whether the
// name is prose.
func proseOf(name string) (text string, ok bool) {
	for _, marks := range [][2]string{{"<", ">"}, {"?", "?"}, {"/*", "*/"}} {
		if text, ok := strings.CutPrefix(name, marks[0]); ok {
			text, ok = strings.CutSuffix(text, marks[1])
			if ok {
				return oneSpaced(text), true
			}
		}
	}
	return "", false
}

// oneSpaced returns text with single blanks between its words.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// undefined returns the names of rules that are referenced but not defined.
func (a *applier) undefined() map[string]bool {
	names := make(map[string]bool)
	a.g.EachRef(func(e *syntax.Expr) { names[e.Name] = true })
	for _, r := range a.g.Rules {
		delete(names, r.Name)
	}
	return names
}

func (a *applier) fail(pos grammar.Pos, do, what string, args ...any) {
	a.ds = append(a.ds, *fail(pos, do, what, args...))
}

// rule returns the rule named by a word. It reports a missing rule.
func (a *applier) rule(w word) *syntax.Rule {
	if r := a.find(w.text); r != nil {
		return r
	}
	if bare, ok := strings.CutPrefix(w.text, "<"); ok {
		if r := a.find(strings.TrimSuffix(bare, ">")); r != nil {
			return r
		}
	}
	a.fail(w.pos, "name a rule of the grammar or of this file", "the grammar has no rule %q", w.text)
	return nil
}

// kinds are the directives that set the kind of rules.
var kinds = map[string]grammar.Kind{"token": grammar.Token, "skip": grammar.Skip, "fragment": grammar.Fragment, "rule": grammar.Syntax}

func (a *applier) apply(d directive) {
	switch d.verb.text {
	case "start":
		if r := a.rule(d.words[0]); r != nil {
			a.g.Entry = r.Name
		}
	case "drop":
		for _, w := range d.words {
			if r := a.rule(w); r != nil {
				a.g.Rules = slices.DeleteFunc(a.g.Rules, func(x *syntax.Rule) bool { return x == r })
			}
		}
	case "lexing":
		if w := d.words[0]; w.text != "context" {
			a.fail(w.pos, "write %lexing context", "unknown lexing %q", w.text)
		}
		a.g.ContextLexing = true
	case "weight":
		a.weight(d)
	case "annotate":
		a.annotate(d)
	default:
		kind := kinds[d.verb.text]
		a.lexical = a.lexical || kind.Lexical()
		for _, w := range d.words {
			if r := a.rule(w); r != nil {
				r.Kind = kind
			}
		}
	}
}

// maxWeight bounds a weight, so that sums of weights fit into an int on all platforms.
const maxWeight = 1_000_000

func (a *applier) weight(d directive) {
	r := a.rule(d.words[0])
	if r == nil {
		return
	}
	var weights []int
	sum := 0
	for _, w := range d.words[1:] {
		n, err := strconv.Atoi(w.text)
		if err != nil || n < 0 || n > maxWeight {
			a.fail(w.pos, "write whole numbers from 0 to "+strconv.Itoa(maxWeight), "%q is not a weight", w.text)
			return
		}
		weights, sum = append(weights, n), sum+n
	}
	alts := 1
	if r.Body.Op == grammar.Choice {
		alts = len(r.Body.Children)
	}
	switch {
	case alts != len(weights) || alts == 1:
		a.fail(d.words[0].pos, "write one weight for each of at least two alternatives, in order",
			"rule %q has %s, but %s given", r.Name, words.Plural(alts, "alternative"), areMany(len(weights), "weight"))
	case sum == 0:
		a.fail(d.words[1].pos, "give one alternative a weight above 0", "all weights of rule %q are 0", r.Name)
	default:
		r.Body.Weights = weights
	}
}

func areMany(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return words.Plural(n, what) + " are"
}

// annotate adds annotations to a rule or to references in it.
func (a *applier) annotate(d directive) {
	target := d.words[0]
	name, ref, ok := cutTarget(target.text)
	r := a.rule(word{name, target.pos})
	switch {
	case r == nil:
	case !ok:
		r.Annotations = append(r.Annotations, d.notes...)
	default:
		a.annotateRefs(d, r, ref)
	}
}

// cutTarget splits RULE:REF at the colon outside < >.
func cutTarget(text string) (name, ref string, ok bool) {
	depth := 0
	for i, r := range text {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		case ':':
			if depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return text, "", false
}

func (a *applier) annotateRefs(d directive, r *syntax.Rule, ref string) {
	target := d.words[0]
	ref, number, numbered := strings.Cut(ref, "#")
	nth := 0
	if numbered {
		nth, _ = strconv.Atoi(number) // the syntax admits only digits; 0 and too large numbers find nothing
	}
	count, found := 0, false
	r.Body.Walk(func(e *syntax.Expr) {
		if e.Op != grammar.Ref || !a.same(e.Name, ref) && !a.same(e.Name, strings.Trim(ref, "<>")) {
			return
		}
		count++
		if !numbered || count == nth {
			e.Annotations = append(e.Annotations, d.notes...)
			found = true
		}
	})
	switch {
	case count == 0:
		a.fail(target.pos, "name a rule that it refers to", "rule %q does not refer to %q", r.Name, ref)
	case !found:
		a.fail(target.pos, "count from 1 in the order they are written", "rule %q refers to %q %d times, so there is no #%s", r.Name, ref, count, number)
	}
}

// fragments turns syntax rules that only lexical rules refer to into parts of tokens.
func (a *applier) fragments() {
	byName := make(map[string]*syntax.Rule, len(a.g.Rules))
	for _, r := range a.g.Rules {
		byName[r.Name] = r
	}
	syntactic, lexical := make(map[*syntax.Rule]bool), make(map[*syntax.Rule]bool)
	var used []*syntax.Rule // reached from a rule that is not lexical
	queue := slices.Clone(a.g.Rules)
	for _, r := range queue {
		if r.Kind.Lexical() {
			lexical[r] = true
		}
	}
	// Rules reachable from lexical rules.
	for todo := slices.Clone(queue); len(todo) > 0; todo = todo[1:] {
		if r := todo[0]; lexical[r] {
			r.Body.Walk(func(e *syntax.Expr) {
				if n := byName[e.Name]; e.Op == grammar.Ref && n != nil && !lexical[n] {
					lexical[n] = true
					todo = append(todo, n)
				}
			})
		}
	}
	// Rules reachable from the start without passing a lexical rule.
	start := byName[a.g.Entry]
	for _, r := range queue {
		if start == nil && r.Kind == grammar.Syntax && !lexical[r] {
			start = r
		}
	}
	for _, r := range queue {
		if r == start || r.Kind == grammar.Syntax && !lexical[r] {
			syntactic[r] = true
			used = append(used, r)
		}
	}
	for ; len(used) > 0; used = used[1:] {
		used[0].Body.Walk(func(e *syntax.Expr) {
			if n := byName[e.Name]; e.Op == grammar.Ref && n != nil && n.Kind == grammar.Syntax && !syntactic[n] {
				syntactic[n] = true
				used = append(used, n)
			}
		})
	}
	for _, r := range queue {
		if r.Kind == grammar.Syntax && !syntactic[r] && !r.Inline {
			r.Kind = grammar.Fragment
		}
	}
}
