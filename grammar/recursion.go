package grammar

// Recursive returns the rules that can occur inside themselves in a derivation of the start, in
// the order of the file. Expressions without a derivation are ignored. It takes time linear in
// the grammar.
func (g *Grammar) Recursive() []*Rule {
	uses, _ := g.used()
	in := make([]bool, len(g.Rules))
	for _, component := range cycles(len(g.Rules), func(v int) []int { return uses[v] }) {
		for _, id := range component {
			in[id] = true
		}
	}
	var out []*Rule
	for _, r := range g.Rules {
		if in[r.ID] && !r.Inline {
			out = append(out, r)
		}
	}
	return out
}

// Finite reports whether the start has finitely many derivations: there is no recursive rule,
// and every unbounded repetition has an element that is always empty.
func (g *Grammar) Finite() bool {
	_, unbounded := g.used()
	return !unbounded && len(g.Recursive()) == 0
}

// used follows the rules that derivations of the start can use. It returns, for every rule
// reached, the rules that its body derives. It also reports whether one of them repeats without
// bound an element that need not be empty.
func (g *Grammar) used() (uses [][]int, unbounded bool) {
	f := g.Facts(nil, Exact)
	uses = make([][]int, len(g.Rules))
	seen := make([]bool, len(g.Rules))
	todo := []*Rule{g.Start}
	seen[g.Start.ID] = true
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		exprs := []*Expr{r.Body}
		for len(exprs) > 0 {
			e := exprs[len(exprs)-1]
			exprs = exprs[:len(exprs)-1]
			if !f.Productive(e) {
				continue
			}
			switch {
			case e.Op == Rep && e.Max == Unbounded && f.CanBeNonEmpty(e.Children[0]):
				unbounded = true
			case e.Op == Ref && e.Rule.generatesNothing():
				continue
			case e.Op == Ref:
				uses[r.ID] = append(uses[r.ID], e.Rule.ID)
				if !seen[e.Rule.ID] {
					seen[e.Rule.ID] = true
					todo = append(todo, e.Rule)
				}
			}
			exprs = append(exprs, e.Children...)
		}
	}
	return uses, unbounded
}
