package lex

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Resolved is the result of [Resolve]: the bodies and rules to use when the grammar is
// frozen.
type Resolved struct {
	Bodies  map[*grammar.Rule]*grammar.Expr // new bodies
	Helpers []*grammar.Rule                 // inline rules that the new bodies refer to
}

// Resolve rewrites the token rules of b whose texts are not simply those of their bodies.
// The new bodies have exactly the rules' texts:
//
//   - a difference A - B, in any rule, becomes an ordinary expression (both
//     sides have to be regular: no recursive rules in them);
//   - texts that need the end of the text behind them ([grammar.EndOfText]) are
//     removed if the rule has others;
//   - with significant indentation, a newline ends with a line break;
//   - in a rule with non-greedy loops, texts that ANTLR's lexer would not read as
//     one token are removed (`'/*' .*? '*/'` never contains its end);
//   - texts that an earlier rule of the same mode matches too are removed: that
//     rule wins. Literals of syntax rules come before all lexical rules. A
//     rule without remaining texts is reported ("dead-token") and made empty. In
//     a grammar with ContextLexing, no rule takes a text from another;
//   - the empty text is removed from tokens of ANTLR, Lark and tree-sitter;
//   - a rule that ends chains of `more` rules gets the texts of the whole
//     chains.
//
// The new bodies derive each text exactly once. They consist of ordinary expressions and
// of references to inline helper rules (named NAME~1, NAME~2, …). Rules that need no new
// body are left out. Recursive token rules (nested comments) stay context-free as they
// are, with a note.
//
// Resolve does not change b. Undefined rules have no texts. A grammar without
// differences, token rules and skip rules returns at once. The cost is that of the
// automata, which are bounded. A rule that exceeds the bound is left as it is, with a
// warning; it is refused if it contains a difference.
func Resolve(b *grammar.Bound) (Resolved, grammar.Diagnostics) {
	if !slices.ContainsFunc(b.Rules, func(r *grammar.Rule) bool { return competes(r) || holdsDiff(r.Body) }) {
		return Resolved{}, nil
	}
	r := newResolver(b)
	r.ends()
	r.resolveLines()
	r.differences()
	if b.ContextLexing {
		r.lazies()
	} else {
		r.precedence()
	}
	if slices.Contains([]string{"antlr4", "lark", "tree-sitter"}, b.Notation) {
		r.nonEmpty()
	}
	r.redirect()
	maps.Copy(r.bodies, r.rewritten)
	return Resolved{r.bodies, r.helpers}, r.ds
}

func holdsDiff(e *grammar.Expr) bool {
	found := false
	e.Walk(func(e *grammar.Expr) { found = found || e.Op == grammar.Diff })
	return found
}

type resolver struct {
	rules     []*grammar.Rule                 // of the file
	bodies    map[*grammar.Rule]*grammar.Expr // new bodies without differences, and in the end all new bodies
	al        *alphabet
	sets      map[string][]sym // of classes: see nfa
	names     namer
	helpers   []*grammar.Rule
	rewritten map[*grammar.Rule]*grammar.Expr // new bodies of shadowed and non-greedy rules
	atEnd     map[*grammar.Rule]bool          // rules that match only at the end of a text
	ds        grammar.Diagnostics
}

func newResolver(b *grammar.Bound) *resolver {
	bodies := make([]*grammar.Expr, len(b.Rules))
	for i, rule := range b.Rules {
		bodies[i] = rule.Body
	}
	return &resolver{
		rules:  b.Rules,
		bodies: make(map[*grammar.Rule]*grammar.Expr),
		al:     newAlphabet(bodies), sets: make(map[string][]sym),
		names:     namer{rules: b.Names, helpers: make(map[string]bool), last: make(map[string]int)},
		rewritten: make(map[*grammar.Rule]*grammar.Expr), atEnd: make(map[*grammar.Rule]bool),
	}
}

// body returns the current body of rule.
func (r *resolver) body(rule *grammar.Rule) *grammar.Expr { return bodyOf(r.bodies, rule) }

// bodyOf returns the body of rule in bodies, or its own.
func bodyOf(bodies map[*grammar.Rule]*grammar.Expr, rule *grammar.Rule) *grammar.Expr {
	if body := bodies[rule]; body != nil {
		return body
	}
	return rule.Body
}

// nfa returns an empty automaton. All of them share the symbols of classes.
func (r *resolver) nfa() *nfa {
	n := newNFA(r.al, r.bodies)
	n.sets = r.sets
	return n
}

func (r *resolver) report(s grammar.Severity, pos grammar.Pos, code, rule, message, hint string) {
	r.ds = append(r.ds, grammar.Diagnostic{Severity: s, Pos: pos, Code: code, Rule: rule, Message: message, Hint: hint})
}

// helper returns a function that makes helper rules for the body of rule.
func (r *resolver) helper(rule *grammar.Rule) func(*grammar.Expr) *grammar.Rule {
	kind := grammar.Syntax
	if rule.Kind.Lexical() {
		kind = grammar.Fragment
	}
	return func(body *grammar.Expr) *grammar.Rule {
		h := &grammar.Rule{Name: r.names.next(rule.Name), Pos: rule.Pos, Kind: kind, Body: body, Inline: true, Mode: rule.Mode}
		r.helpers = append(r.helpers, h)
		return h
	}
}

// differences replaces the bodies that contain differences by ordinary ones.
func (r *resolver) differences() {
	changed := make(map[*grammar.Rule]*grammar.Expr) // applied at the end: automata are built from the bodies as written
	for _, rule := range r.rules {
		if !holdsDiff(r.body(rule)) {
			continue
		}
		if body, ok := r.replaceDiffs(rule, r.body(rule)); ok {
			changed[rule] = body
		}
	}
	maps.Copy(r.bodies, changed)
}

// redirect makes the references of lexical rules to token and skip rules mean the whole
// body of the rule. Otherwise they would mean only the texts that remain in competition,
// and for layout the empty text.
func (r *resolver) redirect() {
	whole := make(map[*grammar.Rule]*grammar.Rule) // the helper with the original body
	redirected := func(rule *grammar.Rule) *grammar.Rule {
		if rule == nil || rule.Kind != grammar.Skip && r.rewritten[rule] == nil {
			return rule
		}
		if whole[rule] == nil && !rule.Recursive {
			whole[rule] = r.helper(rule)(clone(r.body(rule)))
		}
		return cmp.Or(whole[rule], rule)
	}
	for i := 0; i < len(r.rules)+len(r.helpers); i++ {
		rule := r.ruleAt(i)
		if !rule.Kind.Lexical() || r.rewritten[rule] != nil {
			continue
		}
		changed := false
		r.body(rule).Walk(func(e *grammar.Expr) {
			changed = changed || e.Op == grammar.Ref && redirected(e.Rule) != e.Rule
		})
		if !changed {
			continue
		}
		body := clone(r.body(rule))
		body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Ref && e.Rule != nil {
				e.Rule = redirected(e.Rule)
				e.Name = e.Rule.Name
			}
		})
		if i < len(r.rules) {
			r.bodies[rule] = body
		} else {
			rule.Body = body
		}
	}
}

// ruleAt returns rule i of the sequence of the grammar's rules and the helpers.
func (r *resolver) ruleAt(i int) *grammar.Rule {
	if i < len(r.rules) {
		return r.rules[i]
	}
	return r.helpers[i-len(r.rules)]
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

// named returns the characters that e names explicitly: those of its literals and of its
// non-negated classes. It follows references.
func (r *resolver) named(e *grammar.Expr) grammar.Set {
	var ranges []grammar.Range
	seen := make(map[*grammar.Rule]bool)
	work := []*grammar.Expr{e}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		switch e.Op {
		case grammar.Lit:
			ranges = append(ranges, charsOf(e.Text).Ranges()...)
		case grammar.Class:
			if !e.Negated {
				ranges = append(ranges, e.Ranges...)
			}
		case grammar.Ref:
			if e.Rule != nil && !seen[e.Rule] {
				seen[e.Rule] = true
				work = append(work, r.body(e.Rule))
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
