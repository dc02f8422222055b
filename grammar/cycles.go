package grammar

import (
	"slices"
	"strings"
)

// cyclic reports rules that derive exactly themselves: A ⇒ … ⇒ A. Their sentences have
// infinitely many derivations, which cannot be counted.
func (c *checker) cyclic() {
	if !c.anyCycle() {
		return
	}
	for _, component := range cycles(len(c.g.Exprs), c.units) {
		c.reportCycle(component)
	}
}

// anyCycle reports whether some rule derives exactly itself. It looks only at rules, which are
// far fewer than the expressions that name a cycle.
func (c *checker) anyCycle() bool {
	becomes := make([][]int, len(c.g.Rules))
	var work []int
	for _, r := range c.g.Rules {
		if !r.Recursive {
			continue
		}
		work = append(work[:0], r.Body.ID)
		for len(work) > 0 {
			id := work[len(work)-1]
			work = work[:len(work)-1]
			if e := c.g.Exprs[id]; e.Op != Ref {
				work = c.appendUnits(work, id)
			} else if e.Rule != nil && c.productive[id] && !e.Rule.generatesNothing() {
				becomes[r.ID] = append(becomes[r.ID], e.Rule.ID)
			}
		}
	}
	return len(cycles(len(c.g.Rules), func(v int) []int { return becomes[v] })) > 0
}

// units returns the expressions that e can become when everything around them is empty, as by
// unit productions.
func (c *checker) units(id int) []int { return c.appendUnits(nil, id) }

func (c *checker) appendUnits(out []int, id int) []int {
	e := c.g.Exprs[id]
	if !c.productive[id] {
		return out
	}
	add := func(k *Expr) {
		if c.productive[k.ID] {
			out = append(out, k.ID)
		}
	}
	switch e.Op {
	case Seq:
		full := 0 // number of elements that cannot be empty
		for _, k := range e.Children {
			if !c.nullable[k.ID] {
				full++
			}
		}
		for _, k := range e.Children {
			if full == 0 || full == 1 && !c.nullable[k.ID] {
				add(k)
			}
		}
	case Choice:
		for _, k := range e.Children {
			add(k)
		}
	case Rep:
		if e.Max != 0 && (e.Min <= 1 || c.nullable[e.Children[0].ID]) {
			add(e.Children[0])
		}
	case Diff:
		add(e.Children[0])
	case Ref:
		if e.Rule != nil && !e.Rule.generatesNothing() {
			add(e.Rule.Body)
		}
	}
	return out
}

// reportCycle reports a shortest cycle through the first rule of a component.
func (c *checker) reportCycle(component []int) {
	first := -1
	for _, id := range component {
		if r := c.owner[id]; r != nil && !r.Inline && r.Body.ID == id && (first < 0 || id < first) {
			first = id
		}
	}
	if first < 0 {
		return // only the root: no reference leads to it
	}
	r := c.owner[first]
	names := []string{r.Name}
	path := shortestCycle(first, component, c.units)
	for _, id := range path[:len(path)-1] { // the last node repeats the first
		if e := c.g.Exprs[id]; e.Op == Ref && !e.Rule.Inline {
			names = append(names, e.Name)
		}
	}
	severity := Error
	if !c.reached[r.ID] {
		severity = Warning
	}
	c.add(severity, r.Pos, "cyclic-rule", r, "remove one of these steps, or let it add some text",
		"rule %q derives itself without adding any text (%s): its sentences have infinitely many derivations", r.Name, arrows(names))
}

// leftRecursive reports the rules that can begin with themselves. Rules that lead to one
// another share one note.
func (c *checker) leftRecursive() {
	edges := make([][]int, len(c.g.Rules))
	seen := make([]int, len(c.g.Rules)) // by rule: the last rule found to begin with it, from 1
	for _, r := range c.g.Rules {
		if r.Recursive {
			edges[r.ID] = c.begins(r, seen)
		}
	}
	of := func(id int) []int { return edges[id] }
	for _, component := range cycles(len(c.g.Rules), of) {
		written := slices.DeleteFunc(slices.Clone(component), func(id int) bool { return c.g.Rules[id].Inline })
		if len(written) == 0 {
			continue // helpers alone are never recursive
		}
		first := c.g.Rules[slices.Min(written)]
		var names []string
		for _, id := range shortestCycle(first.ID, component, of) {
			if r := c.g.Rules[id]; !r.Inline {
				names = append(names, r.Name)
			}
		}
		c.add(Note, first.Pos, "left-recursive", first, "nothing to do: left recursion is no trouble here",
			"rule %q is left-recursive (%s)", first.Name, arrows(names))
	}
}

// begins returns the rules with which a derivation of r can begin.
func (c *checker) begins(r *Rule, seen []int) []int {
	var out []int
	work := []*Expr{r.Body}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case !c.productive[e.ID]:
		case e.Op == Ref && e.Rule != nil && !e.Rule.generatesNothing() && seen[e.Rule.ID] != r.ID+1:
			seen[e.Rule.ID] = r.ID + 1
			out = append(out, e.Rule.ID)
		case e.Op == Seq:
			for _, k := range e.Children {
				work = append(work, k)
				if !c.nullable[k.ID] {
					break
				}
			}
		case e.Op == Choice:
			work = append(work, e.Children...)
		case e.Op == Rep && e.Max != 0, e.Op == Diff:
			work = append(work, e.Children[0])
		}
	}
	return out
}

// arrows formats a path for a message; the middle of a long path is left out.
func arrows(names []string) string {
	const most = 12
	if len(names) > most {
		names = slices.Concat(names[:most/2], []string{"…"}, names[len(names)-most/2:])
	}
	return strings.Join(names, " → ")
}
