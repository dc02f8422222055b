package grammar

// WithWeights returns a copy of g with other weights of choices: by the Expr.ID of the choice,
// one weight for each alternative. Choices without an entry keep their weights. IDs and numbers
// of alternatives are those of g.
func (g *Grammar) WithWeights(weights map[int][]int) *Grammar {
	c := *g
	rules := make(map[*Rule]*Rule, len(g.Rules))
	c.Rules = make([]*Rule, len(g.Rules))
	for i, r := range g.Rules {
		copied := *r
		c.Rules[i], rules[r] = &copied, &copied
	}
	c.Exprs = make([]*Expr, len(g.Exprs))
	var clone func(e *Expr) *Expr
	clone = func(e *Expr) *Expr {
		c := *e
		c.Rule = rules[e.Rule]
		c.Children = make([]*Expr, len(e.Children))
		for i, k := range e.Children {
			c.Children[i] = clone(k)
		}
		return &c
	}
	for _, r := range c.Rules {
		r.Body = clone(r.Body)
		r.Body.Walk(func(e *Expr) {
			c.Exprs[e.ID] = e
			if ws, ok := weights[e.ID]; ok && e.Op == Choice && len(ws) == len(e.Children) {
				e.Weights = ws
			}
		})
		if r.Written != nil {
			r.Written = clone(r.Written)
		}
	}
	c.Root = clone(g.Root)
	c.Exprs[c.Root.ID] = c.Root
	c.Start = rules[g.Start]
	c.names = make(map[string]*Rule, len(g.names))
	for name, r := range g.names {
		c.names[name] = rules[r]
	}
	c.findUsers()
	return &c
}
