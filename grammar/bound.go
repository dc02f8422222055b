package grammar

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// Bound is a grammar between reading and use: its references are resolved to rules, but nothing
// is numbered or checked yet. Package load makes it; programs load a [Grammar].
type Bound struct {
	Name, Notation, SHA256 string // as in [Grammar]

	// Rules are the nodes of the future graph: bodies, and in them the Rule of each reference.
	// IDs of rules are set; IDs of expressions and sets of classes are not.
	Rules []*Rule
	Names map[string]*Rule // the first rule of each name

	Entry            string // start rule set by the notation; "" is the first syntax rule
	LenientUndefined bool   // an undefined rule is a warning as long as the start stays productive
	ContextLexing    bool   // as in [Grammar]

	// Unicode lets classes generate all their characters. Without it, a class with characters
	// in ASCII generates none of its ranges beyond ASCII. A negated class then generates
	// printable ASCII and the characters that the grammar names.
	Unicode bool

	// Case is the letter case of generated words that the grammar accepts in either case, such
	// as [sS] [eE] [tT]: one of [Cases], or "".
	Case string
}

// Freeze makes the graph: it replaces the bodies of rules by those in bodies, adds helper
// rules, numbers everything, computes the sets of classes and runs all checks. The grammar may
// be used if the diagnostics' Err is nil.
//
// The start rule is the one named start. If start is "", it is the Entry, or the first syntax
// rule, or else the first rule that is not layout.
//
// Freeze takes ownership of the nodes: b is empty afterwards. It takes time linear in the
// grammar, except for the search for duplicate alternatives (n log n).
func (b *Bound) Freeze(bodies map[*Rule]*Expr, helpers []*Rule, start string) (*Grammar, Diagnostics) {
	from := *b
	*b = Bound{}
	g := &Grammar{Name: from.Name, Notation: from.Notation, SHA256: from.SHA256, ContextLexing: from.ContextLexing,
		Rules: append(from.Rules, helpers...), names: from.Names}
	for r, body := range bodies {
		r.Written, r.Body = r.Body, body
	}
	for _, r := range helpers {
		if g.names[r.Name] == nil {
			g.names[r.Name] = r
		}
	}
	g.number()
	if d := g.pickStart(start, from.Entry); d != nil {
		return g, Diagnostics{*d}
	}
	g.Root = &Expr{Op: Ref, Pos: g.Start.Pos, Name: g.Start.Name, Rule: g.Start, ID: len(g.Exprs)}
	g.Exprs = append(g.Exprs, g.Root)
	if g.Binary {
		g.findPlain()
	}
	g.computeSets(from.Unicode, from.Case)
	g.facts = new([2]atomic.Pointer[Facts])
	ds := g.check(from.LenientUndefined)
	ds.Sort()
	return g, ds
}

// number numbers rules, expressions and alternatives.
func (g *Grammar) number() {
	for i, r := range g.Rules {
		r.ID = i
		r.Body.Silent = slices.ContainsFunc(r.Commands, func(c Command) bool { return c.Name == "indent" || c.Name == "dedent" })
		r.Body.Walk(func(e *Expr) {
			e.ID = len(g.Exprs)
			g.Compresses = g.Compresses || e.Resize.Encodes() && e.Resize.Code.Compresses()
			g.Binary = g.Binary || e.Field != nil || e.Resize != nil || e.Op == Class && slices.ContainsFunc(e.Ranges, func(r Range) bool { return r.Hi >= rawbyte.First })
			g.Exprs = append(g.Exprs, e)
			if e.Op == Choice {
				e.FirstAlt = g.Alts
				g.Alts += len(e.Children)
			}
		})
	}
	g.findUsers()
}

// findPlain sets Plain in all expressions.
func (g *Grammar) findPlain() {
	own := func(e *Expr) bool { return e.Field != nil || e.Part != 0 || e.Resize != nil }
	computes := make([]bool, len(g.Rules))
	var queue []*Rule
	note := func(r *Rule) {
		if !computes[r.ID] {
			computes[r.ID] = true
			queue = append(queue, r)
		}
	}
	for _, r := range g.Rules {
		if slices.ContainsFunc(g.bodyExprs(r), own) {
			note(r)
		}
	}
	for at := 0; at < len(queue); at++ {
		for _, user := range g.users[queue[at].ID] {
			note(user)
		}
	}
	for _, e := range slices.Backward(g.Exprs) { // children come after their parents
		e.Plain = !own(e) && !(e.Op == Ref && e.Rule != nil && computes[e.Rule.ID]) &&
			!slices.ContainsFunc(e.Children, func(k *Expr) bool { return !k.Plain })
	}
}

// pickStart sets the start: the rule called name, or entry, or the first syntax
// rule, or the first one that is not layout.
func (g *Grammar) pickStart(name, entry string) *Diagnostic {
	if len(g.Rules) == 0 {
		return &Diagnostic{Error, Pos{File: g.Name}, "empty-grammar", "", "the grammar has no rules", "write at least one, as in: start = \"x\" ;"}
	}
	if name != "" {
		g.Start = g.names[name]
		if g.Start == nil {
			return &Diagnostic{Error, Pos{File: g.Rules[0].Pos.File}, "no-start", name,
				fmt.Sprintf("unknown start rule %q", name), cmp.Or(g.suggest(name), fmt.Sprintf("name one of its rules, such as %q", g.Rules[0].Name))}
		}
		return nil
	}
	g.Start = g.names[entry]
	for _, fits := range []func(r *Rule) bool{
		func(r *Rule) bool { return r.Kind == Syntax },
		func(r *Rule) bool { return r.Kind != Skip },
	} {
		for _, r := range g.Rules {
			if g.Start == nil && fits(r) {
				g.Start = r
			}
		}
	}
	if g.Start == nil {
		return &Diagnostic{Error, g.Rules[0].Pos, "no-start", "", "every rule is @skip: there is nothing to generate", "add a rule without @skip"}
	}
	return nil
}
