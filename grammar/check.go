package grammar

import (
	"fmt"
	"slices"
)

// check runs every check on a grammar with resolved names. No check follows references by
// recursion, so no grammar overflows the stack.
func (g *Grammar) check(lenient bool) Diagnostics {
	c := newChecker(g)
	c.lenient = lenient
	c.productive = c.leastFixedPoint(productive)
	c.nullable = c.leastFixedPoint(nullable)
	c.reached = c.reach()
	c.undefined()
	c.unproductive()
	c.unreachable()
	c.cyclic()
	c.leftRecursive()
	c.duplicates()
	for _, e := range g.Exprs {
		if r := c.owner[e.ID]; r != nil {
			c.misplaced(r, e)
			if !r.Inline && r.Written == nil {
				c.suspicious(r, e)
			}
		}
	}
	c.emptyTokens()
	return c.ds
}

// checker holds the shared data of the checks.
type checker struct {
	g          *Grammar
	ds         Diagnostics
	lenient    bool    // an undefined rule may be a warning
	owner      []*Rule // by expression: the rule it is in, nil for the root
	links      *links  // uses of the values of expressions
	productive []bool  // by expression: has a derivation, assuming undefined rules have one
	nullable   []bool  // by expression: derives the empty text
	reached    []bool  // by rule
}

func newChecker(g *Grammar) *checker {
	return &checker{g: g, owner: g.owners(), links: g.links()}
}

func (c *checker) add(s Severity, pos Pos, code string, r *Rule, hint, format string, args ...any) {
	d := Diagnostic{Severity: s, Pos: pos, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	if r != nil {
		d.Rule = r.Name
	}
	c.ds = append(c.ds, d)
}

// owners returns, for every expression, the rule whose body it is in.
func (g *Grammar) owners() []*Rule {
	owner := make([]*Rule, len(g.Exprs))
	for _, r := range g.Rules {
		for _, e := range g.bodyExprs(r) {
			owner[e.ID] = r
		}
	}
	return owner
}

// productive is the condition for [checker.leastFixedPoint] under which e has a derivation,
// given the expressions known to have one. An undefined rule counts as productive here, since
// it is reported separately and one mistake should give one message.
func productive(e *Expr, at []bool) bool {
	switch e.Op {
	case Class:
		return e.Gen.Len() > 0
	case Ref:
		return e.Rule == nil || e.Rule.generatesNothing() || at[e.Rule.Body.ID]
	case Seq:
		return !slices.ContainsFunc(e.Children, func(k *Expr) bool { return !at[k.ID] })
	case Choice:
		return slices.ContainsFunc(e.Children, func(k *Expr) bool { return at[k.ID] })
	case Rep:
		return e.Min == 0 || at[e.Children[0].ID]
	case Diff:
		return at[e.Children[0].ID]
	}
	return true
}

// nullable is the condition under which e derives the empty text.
func nullable(e *Expr, at []bool) bool {
	switch e.Op {
	case Lit:
		return e.Text == ""
	case Class:
		return false
	case Ref:
		return e.Rule != nil && (e.Rule.generatesNothing() || at[e.Rule.Body.ID])
	}
	return productive(e, at)
}

// generatesNothing reports whether a reference to the rule stands for layout.
func (r *Rule) generatesNothing() bool { return r.Kind == Skip && !r.Inline }

// undefined reports each name without a rule once, at its first use.
func (c *checker) undefined() {
	uses := make(map[string][]*Expr)
	var names []string
	for _, e := range c.g.Exprs {
		if e.Op != Ref || e.Rule != nil {
			continue
		}
		if uses[e.Name] == nil {
			names = append(names, e.Name)
		}
		uses[e.Name] = append(uses[e.Name], e)
	}
	if names == nil {
		return
	}
	severity := Error
	if c.lenient {
		defined := c.leastFixedPoint(func(e *Expr, at []bool) bool {
			return !(e.Op == Ref && e.Rule == nil) && productive(e, at)
		})
		if defined[c.g.Root.ID] {
			severity = Warning
		}
	}
	for i, name := range names {
		first := uses[name][0]
		more, hint := "", "define it, or put it in quotes if it stands for itself"
		if severity == Warning {
			hint = "nothing that needs it is generated; define it to have it"
		}
		if n := len(uses[name]); n > 1 {
			more = fmt.Sprintf(" (used in %d places)", n)
		}
		if i < maxSuggestions {
			if s := c.g.suggest(name); s != "" {
				hint = s
			}
		}
		c.add(severity, first.Pos, "undefined-rule", c.owner[first.ID], hint, "rule %q is not defined%s", name, more)
	}
}

// unproductive reports rules that derive no text.
func (c *checker) unproductive() {
	var missing []*Expr
	for _, r := range c.g.Rules {
		if r.Inline || c.productive[r.Body.ID] {
			continue
		}
		if missing == nil {
			missing = c.emptyClasses()
		}
		why, hint := "everything it derives goes on for ever", "give it an alternative that ends"
		if e := missing[r.Body.ID]; e != nil {
			why, hint = fmt.Sprintf("it needs what stands at %v, and nothing matches that", e.Pos), "give it an alternative without that"
		}
		if r == c.g.Start {
			c.add(Error, r.Pos, "unproductive-start", r, hint, "the start rule %q derives no sentence: %s", r.Name, why)
		} else {
			c.add(Warning, r.Pos, "unproductive-rule", r, hint+", or remove it", "rule %q derives no text: %s", r.Name, why)
		}
	}
}

// emptyClasses finds expressions that derive nothing but would if every class had characters.
// For each of them it returns a class without characters that it needs.
func (c *checker) emptyClasses() []*Expr {
	possible := c.leastFixedPoint(func(e *Expr, at []bool) bool { return e.Op == Class || productive(e, at) })
	missing := make([]*Expr, len(c.g.Exprs))
	var queue []*Expr
	visit := func(e, class *Expr) {
		if missing[e.ID] == nil && !c.productive[e.ID] && possible[e.ID] {
			missing[e.ID] = class
			queue = append(queue, e)
		}
	}
	for _, e := range c.g.Exprs {
		if e.Op == Class {
			visit(e, e)
		}
	}
	for i := 0; i < len(queue); i++ {
		e := queue[i]
		if p := c.links.parent[e.ID]; p >= 0 {
			visit(c.g.Exprs[p], missing[e.ID])
		} else if r := c.owner[e.ID]; r != nil {
			for ref := c.links.first[r.ID]; ref >= 0; ref = c.links.next[ref] {
				visit(c.g.Exprs[ref], missing[e.ID])
			}
		}
	}
	return missing
}

// reach marks the rules reachable by generation or by the lexer: from the start, from layout,
// and from lexical rules that act on the lexer.
func (c *checker) reach() []bool {
	reached := make([]bool, len(c.g.Rules))
	var work []*Rule
	visit := func(r *Rule) {
		if r != nil && !reached[r.ID] {
			reached[r.ID] = true
			work = append(work, r)
		}
	}
	visit(c.g.Start)
	for _, r := range c.g.Rules {
		if r.Kind == Skip || len(r.Commands) > 0 {
			visit(r)
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range c.g.bodyExprs(r) {
			visit(e.Rule)
		}
		if r.Written != nil {
			r.Written.Walk(func(e *Expr) {
				if e.Op == Ref {
					visit(e.Rule)
				}
			})
		}
	}
	return reached
}

// unreachable reports rules that nothing refers to. If the user chose the start rule, this is
// expected, and only a note.
func (c *checker) unreachable() {
	severity := Warning
	for _, r := range c.g.Rules {
		if r.Kind == Syntax {
			if r != c.g.Start {
				severity = Note
			}
			break
		}
	}
	for _, r := range c.g.Rules {
		if !r.Inline && !c.reached[r.ID] && c.g.names[r.Name] == r {
			c.add(severity, r.Pos, "unreachable-rule", r, "refer to it, or remove it",
				"%v %q cannot be reached from %q", r.Kind, r.Name, c.g.Start.Name)
		}
	}
}

// misplaced reports expressions in places where they are not allowed.
func (c *checker) misplaced(r *Rule, e *Expr) {
	switch {
	case e.Op == Diff && !r.Kind.Lexical() && !r.Inline:
		c.add(Error, e.Pos, "difference-in-syntax", r, "write it as a rule of its own with @token before its name",
			"a difference stands in rule %q, which is not lexical", r.Name)
	case e.Op != Ref || e.Rule == nil || e.Rule.Inline:
	case e.Rule.Kind == Skip:
		c.add(Warning, e.Pos, "skip-referenced", r, "remove the reference, or take @skip away",
			"rule %q is layout: it generates nothing here", e.Name)
	case e.Rule.Kind == Fragment && r.Kind == Syntax && !r.Inline:
		c.add(Warning, e.Pos, "fragment-referenced", r, "mark it @token instead",
			"rule %q is a fragment, a part of tokens only, but stands in rule %q", e.Name, r.Name)
	}
}

// suspicious reports expressions that are allowed but may be mistakes.
func (c *checker) suspicious(r *Rule, e *Expr) {
	switch {
	case e.Op == Class && e.Set.Len() == 0:
		c.add(Warning, e.Pos, "empty-class", r, "add characters, or remove it", "this class has no characters: nothing matches it")
	case e.Op == Rep && e.Max < 0 && c.nullable[e.Children[0].ID]:
		c.add(Note, e.Pos, "nullable-repetition", r, "nothing to do: the language is the same",
			"what is repeated here can be empty: only elements that are not empty count")
	case e.Op == Choice && len(e.Weights) > 0 && !slices.ContainsFunc(e.Weights, func(w int) bool { return w > 0 }):
		c.add(Error, e.Pos, "zero-weights", r, "give at least one of them a weight above 0", "all alternatives have the weight 0")
	}
}

// emptyTokens reports tokens and layout that can be empty.
func (c *checker) emptyTokens() {
	for _, r := range c.g.Rules {
		if (r.Kind == Token || r.Kind == Skip) && !r.Inline && c.nullable[r.Body.ID] {
			c.add(Warning, r.Pos, "empty-token", r, "make it match at least one character, and let those who use it say ?",
				"%v %q can match the empty text, which no lexer returns", r.Kind, r.Name)
		}
	}
}
