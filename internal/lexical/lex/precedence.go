package lex

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// candidate is a competitor for the next token in a mode: a literal of the syntax rules,
// their classes, or a lexical rule.
type candidate struct {
	rule       *grammar.Rule // nil for a literal and for the characters of classes
	text       string        // a literal's text; else ""
	d          *dfa          // its texts without regard to other candidates
	lazy       bool          // non-greedy preference changes its texts
	shadowedBy []int         // earlier candidates that match one of its texts too
}

func (v *candidate) String() string {
	switch {
	case v.rule != nil:
		return v.rule.Name
	case v.text == "":
		return "a class in the syntax rules"
	}
	return fmt.Sprintf("%q", v.text)
}

// precedence resolves non-greedy loops and shadowing, mode by mode.
func (r *resolver) precedence() {
	readers := make(map[string]*combined)
	for _, mode := range modes(r.rules) {
		candidates := r.candidates(mode)
		rd, err := r.combine(candidates)
		if err != nil {
			pos := r.rules[0].Pos
			for _, v := range candidates {
				if v.rule != nil {
					pos = v.rule.Pos
					break
				}
			}
			r.report(grammar.Warning, pos, "large-lexer", "",
				fmt.Sprintf("not all that earlier rules of mode %q take from later ones is taken away: %v", modeName(mode), err),
				"tokens may be generated that an earlier rule matches too")
		} else {
			readers[mode] = rd
		}
		for i := range candidates {
			r.rewrite(candidates, i, rd)
		}
	}
	r.chains(readers)
}

// lazies resolves only non-greedy loops.
func (r *resolver) lazies() {
	for _, rule := range r.rules {
		lazy := false
		r.body(rule).Walk(func(e *grammar.Expr) { lazy = lazy || e.Lazy })
		if !lazy || !competes(rule) || r.atEnd[rule] {
			continue
		}
		if v := r.candidate(rule); v != nil {
			r.rewrite([]*candidate{v}, 0, nil)
		}
	}
}

// modes returns the modes of the competing rules in the order of the file.
func modes(rules []*grammar.Rule) []string {
	var out []string
	for _, r := range rules {
		if competes(r) && !slices.Contains(out, r.Mode) {
			out = append(out, r.Mode)
		}
	}
	return out
}

func modeName(mode string) string {
	if mode == "" {
		return "DEFAULT_MODE"
	}
	return mode
}

func competes(r *grammar.Rule) bool { return r.Kind == grammar.Token || r.Kind == grammar.Skip }

// literals returns the texts of the syntax rules' literals in the order of their first
// use. Literals with a token rule of exactly that text are left out, unless it is glued.
func literals(rules []*grammar.Rule, bodies map[*grammar.Rule]*grammar.Expr) []string {
	alias := make(map[string]bool)
	tokens := false
	for _, r := range rules {
		tokens = tokens || competes(r)
		if isLiteral(r) && !r.Glued {
			alias[source(r).Text] = true
		}
	}
	if !tokens {
		return nil
	}
	var out []string
	for _, r := range rules {
		if r.Kind != grammar.Syntax {
			continue
		}
		bodyOf(bodies, r).Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Lit && e.Text != "" && !alias[e.Text] {
				alias[e.Text] = true
				out = append(out, e.Text)
			}
		})
	}
	return out
}

// isLiteral reports whether r is a token with one text. A literal of the syntax rules with
// this text is r, unless r is glued.
func isLiteral(r *grammar.Rule) bool {
	return r.Kind == grammar.Token && source(r).Op == grammar.Lit && !isTurn(r)
}

// source returns the body of a rule as written in the file.
func source(r *grammar.Rule) *grammar.Expr {
	if r.Written != nil {
		return r.Written
	}
	return r.Body
}

// candidates lists the candidates of a mode, best first, each with its automaton. Rules
// without an automaton are reported and left out.
func (r *resolver) candidates(mode string) []*candidate {
	var out []*candidate
	if mode == "" {
		for _, text := range literals(r.rules, r.bodies) {
			out = r.implicit(out, text, newLit(grammar.Pos{}, text))
		}
		if chars := syntaxClasses(r.rules, r.bodies); chars.Len() > 0 {
			out = r.implicit(out, "", newClass(grammar.Pos{}, false, chars.Ranges()...))
		}
	}
	for _, rule := range r.rules {
		if !competes(rule) || isTurn(rule) || rule.Mode != mode || r.names.rules[rule.Name] != rule || r.atEnd[rule] {
			continue
		}
		if v := r.candidate(rule); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// implicit adds the candidate of a token that the syntax rules define themselves.
func (r *resolver) implicit(out []*candidate, text string, e *grammar.Expr) []*candidate {
	n := r.nfa()
	start, err := n.compile(e, 0)
	if err != nil { // a literal beyond the bounds: it takes no texts from others
		return out
	}
	d, err := n.subsets(start, nil)
	if err != nil {
		return out
	}
	return append(out, &candidate{text: text, d: d})
}

// candidate returns the candidate of one rule, or nil if it has no automaton.
func (r *resolver) candidate(rule *grammar.Rule) *candidate {
	n := r.nfa()
	start, err := n.rule(rule, 0)
	v := &candidate{rule: rule}
	switch {
	case err != nil:
	case n.lazy:
		var plain *dfa
		if v.d, err = n.ordered(start); err != nil {
			break
		}
		if plain, err = n.plain(start); err == nil {
			v.lazy = !plain.equal(v.d)
		}
	default:
		v.d, err = n.subsets(start, nil)
	}
	var recursion *recursionError
	switch {
	case err == nil:
		return v
	case errors.As(err, &recursion):
		r.report(grammar.Note, rule.Pos, "recursive-token", rule.Name,
			fmt.Sprintf("token rule %q is recursive, no regular language: it is kept as written", rule.Name),
			"what earlier rules or non-greedy loops take from it is not taken away")
	default:
		r.report(grammar.Warning, rule.Pos, "large-token", rule.Name,
			fmt.Sprintf("token rule %q is kept as written: %v", rule.Name, err), "lower its counted repetitions")
	}
	return nil
}

func orNoStates(s []int32) []int32 {
	if s == nil {
		return []int32{}
	}
	return s
}

// rewrite replaces the body of the rule of candidate i, if its texts are not those of its
// own body.
func (r *resolver) rewrite(candidates []*candidate, i int, rd *combined) {
	v := candidates[i]
	if v.rule == nil || !v.lazy && len(v.shadowedBy) == 0 {
		return
	}
	d := v.d
	switch {
	case len(v.shadowedBy) == 0:
	case rd != nil:
		d = rd.left(i)
	default:
		var err error
		if d, err = r.without(candidates, v); err != nil {
			r.tooLarge(v.rule, err)
			return
		}
	}
	if d.empty() {
		r.dead(candidates, v)
	}
	body, err := d.expr(v.rule.Pos, r.named(r.body(v.rule)), r.helper(v.rule))
	if err != nil {
		r.tooLarge(v.rule, err)
		return
	}
	r.rewritten[v.rule] = body
}

// without returns the texts of v minus those of the earlier candidates that are known to
// shadow it.
func (r *resolver) without(candidates []*candidate, v *candidate) (*dfa, error) {
	n := r.nfa()
	var starts []int32
	for _, i := range v.shadowedBy {
		s, err := n.embed(candidates[i].d, 0)
		if err != nil {
			return nil, err
		}
		starts = append(starts, s)
	}
	start, err := n.add(nstate{eps: starts})
	if err != nil {
		return nil, err
	}
	earlier, err := n.plain(start)
	if err != nil {
		return nil, err
	}
	d, err := product(v.d, earlier, func(a, b bool) bool { return a && !b })
	if err != nil {
		return nil, err
	}
	return d.minimize(), nil
}

func (r *resolver) tooLarge(rule *grammar.Rule, err error) {
	r.report(grammar.Warning, rule.Pos, "large-token", rule.Name,
		fmt.Sprintf("token rule %q is kept as written: what is left of it cannot be written down: %v", rule.Name, err),
		"texts of it may be read as another token")
}

func (r *resolver) dead(candidates []*candidate, v *candidate) {
	if v.d.empty() {
		r.report(grammar.Warning, v.rule.Pos, "dead-token", v.rule.Name,
			fmt.Sprintf("token rule %q matches nothing", v.rule.Name), "remove it or widen it")
		return
	}
	var by []string
	for _, i := range v.shadowedBy {
		by = append(by, candidates[i].String())
	}
	takes := "is tried before it and takes"
	if len(by) > 1 {
		takes = "are tried before it and take"
	}
	severity := grammar.Note // it harms no sentence
	if r.inSyntax(v.rule) {
		severity = grammar.Warning
	}
	r.report(severity, v.rule.Pos, "dead-token", v.rule.Name,
		fmt.Sprintf("token rule %q can never match: %s %s every text of it", v.rule.Name, quoted(by), takes),
		"move it up or remove it")
}

// inSyntax reports whether a syntax rule refers to the rule token.
func (r *resolver) inSyntax(token *grammar.Rule) bool {
	found := false
	for _, rule := range r.rules {
		if rule.Kind == grammar.Syntax {
			r.body(rule).Walk(func(e *grammar.Expr) { found = found || e.Op == grammar.Ref && e.Rule == token })
		}
	}
	return found
}
