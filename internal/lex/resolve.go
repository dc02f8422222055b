package lex

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Resolve gives every token rule of g whose texts are not simply those of its
// body a body with exactly its texts, and keeps the old one in Rule.Written:
//
//   - a difference A - B, in any rule, becomes an ordinary expression (both
//     sides have to be regular: no recursive rules in them);
//   - in a rule with non-greedy loops, what ANTLR's lexer would not read as
//     one token is gone (`'/*' .*? '*/'` never contains its end);
//   - texts that an earlier rule of the same mode matches too are gone: that
//     rule wins. Literals of syntax rules come before all lexical rules. A
//     rule with nothing left is reported ("dead-token") and made empty. Where
//     the grammar says ContextLexing, no rule takes a text from another;
//   - a rule that ends chains of `more` rules gets the texts of the whole
//     chains.
//
// The new bodies derive each text exactly once. They consist of what the file
// could have written, and of references to inline helper rules (named NAME~1,
// NAME~2, …) appended to g.Rules. Bodies that need none of this are not
// touched. Token rules that are recursive (nested comments) stay context-free
// as they are, with a note.
//
// Resolve has to run before Freeze and resolves names itself; undefined ones
// have no texts here and are left to Freeze to report. A grammar without
// differences, token and skip rules is left alone at once. The cost is that of
// the automata, which are bounded; a rule that exceeds the bound is left as it
// is, with a warning, or refused if it holds a difference.
func Resolve(g *grammar.Grammar) grammar.Diagnostics {
	if !needed(g) {
		return nil
	}
	r := newResolver(g)
	r.differences()
	if !g.ContextLexing {
		r.shadows()
	}
	r.redirect()
	for rule, body := range r.settled {
		r.replace(rule, body)
	}
	g.Rules = append(g.Rules, r.helpers...)
	return r.ds
}

func needed(g *grammar.Grammar) bool {
	for _, r := range g.Rules {
		if r.Kind == grammar.Token || r.Kind == grammar.Skip || holdsDiff(r.Body) {
			return true
		}
	}
	return false
}

func holdsDiff(e *grammar.Expr) bool {
	found := false
	e.Walk(func(e *grammar.Expr) { found = found || e.Op == grammar.Diff })
	return found
}

type resolver struct {
	g       *grammar.Grammar
	rules   map[string]*grammar.Rule
	al      *alphabet
	sets    map[string][]sym // of classes: see nfa
	names   namer
	helpers []*grammar.Rule
	settled map[*grammar.Rule]*grammar.Expr // new bodies of shadowed and non-greedy rules
	ds      grammar.Diagnostics
}

func newResolver(g *grammar.Grammar) *resolver {
	r := &resolver{g: g, rules: make(map[string]*grammar.Rule, len(g.Rules)), settled: make(map[*grammar.Rule]*grammar.Expr)}
	bodies := make([]*grammar.Expr, len(g.Rules))
	for i, rule := range g.Rules {
		bodies[i] = rule.Body
		if r.rules[rule.Name] == nil {
			r.rules[rule.Name] = rule
		}
	}
	r.al, r.sets = newAlphabet(bodies), make(map[string][]sym)
	r.names = namer{rules: r.rules, last: make(map[string]int)}
	return r
}

// nfa returns an automaton without rules. All share what is known of classes.
func (r *resolver) nfa() *nfa {
	n := newNFA(r.al, r.rules)
	n.sets = r.sets
	return n
}

func (r *resolver) report(s grammar.Severity, pos grammar.Pos, code, rule, message, hint string) {
	r.ds = append(r.ds, grammar.Diagnostic{Severity: s, Pos: pos, Code: code, Rule: rule, Message: message, Hint: hint})
}

// helper makes helper rules for the body of rule.
func (r *resolver) helper(rule *grammar.Rule) func(*grammar.Expr) *grammar.Rule {
	kind := grammar.Syntax
	if rule.Kind.Lexical() {
		kind = grammar.Fragment
	}
	return func(body *grammar.Expr) *grammar.Rule {
		h := &grammar.Rule{Name: r.names.next(rule.Name), Pos: rule.Pos, Kind: kind, Body: body, Inline: true, Mode: rule.Mode}
		r.rules[h.Name] = h
		r.helpers = append(r.helpers, h)
		return h
	}
}

// differences replaces every difference, in place within its rule's body.
func (r *resolver) differences() {
	type change struct {
		rule *grammar.Rule
		body *grammar.Expr
	}
	var changes []change // made at the end: automata are built from bodies as written
	for _, rule := range r.g.Rules {
		if !holdsDiff(rule.Body) {
			continue
		}
		body, ok := r.replaceDiffs(rule, rule.Body)
		if ok {
			changes = append(changes, change{rule, body})
		}
	}
	for _, c := range changes {
		r.replace(c.rule, c.body)
	}
}

// replace gives rule a new body and keeps what the file has.
func (r *resolver) replace(rule *grammar.Rule, body *grammar.Expr) {
	if rule.Written == nil {
		rule.Written = rule.Body
	}
	rule.Body = body
}

// redirect makes lexical rules that refer to a token or skip rule mean its
// whole body, not what is left when it competes, and not the nothing that
// layout generates among tokens.
func (r *resolver) redirect() {
	loops := recursive(r.g.Rules, r.rules, func(rule *grammar.Rule) *grammar.Expr { return rule.Body })
	whole := make(map[string]string) // the helper with the body as it was
	redirected := func(name string) string {
		rule := r.rules[name]
		if rule == nil || rule.Kind != grammar.Skip && r.settled[rule] == nil {
			return name
		}
		if whole[name] == "" && !loops[rule] {
			whole[name] = r.helper(rule)(rule.Body.Clone()).Name
		}
		return cmp.Or(whole[name], name)
	}
	for i := 0; i < len(r.g.Rules)+len(r.helpers); i++ {
		rule := r.ruleAt(i)
		if !rule.Kind.Lexical() || r.settled[rule] != nil {
			continue
		}
		changed := false
		rule.Body.Walk(func(e *grammar.Expr) {
			changed = changed || e.Op == grammar.Ref && redirected(e.Name) != e.Name
		})
		if !changed {
			continue
		}
		body := rule.Body.Clone()
		body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref {
				e.Name = redirected(e.Name)
			}
		})
		if rule.Inline {
			rule.Body = body
		} else {
			r.replace(rule, body)
		}
	}
}

// ruleAt numbers the rules of the grammar and the helpers after them.
func (r *resolver) ruleAt(i int) *grammar.Rule {
	if i < len(r.g.Rules) {
		return r.g.Rules[i]
	}
	return r.helpers[i-len(r.g.Rules)]
}

// replaceDiffs returns e with ordinary expressions for the differences in it.
func (r *resolver) replaceDiffs(rule *grammar.Rule, e *grammar.Expr) (*grammar.Expr, bool) {
	if e.Op == grammar.Diff {
		return r.replaceDiff(rule, e)
	}
	c := *e
	c.Children = make([]*grammar.Expr, len(e.Children))
	for i, k := range e.Children {
		child, ok := r.replaceDiffs(rule, k)
		if !ok {
			return nil, false
		}
		c.Children[i] = child
	}
	return &c, true
}

func (r *resolver) replaceDiff(rule *grammar.Rule, e *grammar.Expr) (*grammar.Expr, bool) {
	n := r.nfa()
	d, err := n.difference(e)
	var body *grammar.Expr
	if err == nil {
		body, err = d.expr(e.Pos, r.named(e.Children[0]), r.helper(rule))
	}
	var recursion *recursionError
	switch {
	case errors.As(err, &recursion):
		r.report(grammar.Error, e.Pos, "irregular-difference", rule.Name,
			fmt.Sprintf("a difference in rule %q needs regular expressions, but %v", rule.Name, err),
			"write what may stand there without the recursive rule")
		return nil, false
	case err != nil:
		r.report(grammar.Error, e.Pos, "large-difference", rule.Name,
			fmt.Sprintf("a difference in rule %q cannot be resolved: %v", rule.Name, err),
			"lower its counted repetitions")
		return nil, false
	case d.empty():
		r.report(grammar.Warning, e.Pos, "empty-difference", rule.Name,
			fmt.Sprintf("a difference in rule %q leaves nothing", rule.Name), "take away less")
	}
	body.Annotations = append(body.Annotations, e.Annotations...)
	return body, true
}

// named returns the characters that e names itself, through references too:
// those of its literals and of its classes that are not negated.
func (r *resolver) named(e *grammar.Expr) grammar.Set {
	var ranges []grammar.Range
	seen := make(map[*grammar.Rule]bool)
	work := []*grammar.Expr{e}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		switch e.Op {
		case grammar.Lit:
			ranges = append(ranges, grammar.SetOf(e.Text).Ranges()...)
		case grammar.Class:
			if !e.Negated {
				ranges = append(ranges, e.Ranges...)
			}
		case grammar.Ref:
			if rule := r.rules[e.Name]; rule != nil && !seen[rule] {
				seen[rule] = true
				work = append(work, rule.Body)
			}
		case grammar.Diff:
			work = append(work, e.Children[0])
			continue
		}
		work = append(work, e.Children...)
	}
	return grammar.NewSet(ranges...)
}

// quoted lists at most three names for a message.
func quoted(names []string) string {
	out := make([]string, 0, 4)
	for i, n := range names {
		if i == 3 {
			out = append(out, fmt.Sprintf("%d others", len(names)-3))
			break
		}
		out = append(out, n)
	}
	return strings.Join(out, ", ")
}
