package grammar

// leastFixedPoint returns for each expression whether a condition holds, where
// holds says whether it does for e given what is known of others. It has to be
// monotone: knowing more never makes it false. Every expression is looked at
// once, and again when one it depends on directly became true.
func (g *Grammar) leastFixedPoint(holds func(e *Expr, at []bool) bool) []bool {
	at := make([]bool, len(g.Exprs))
	parent := make([]*Expr, len(g.Exprs))
	uses := make([][]*Expr, len(g.Exprs)) // by body: the references to its rule
	for _, e := range g.Exprs {
		for _, k := range e.Kids {
			parent[k.ID] = e
		}
		if e.Op == Ref && e.Rule != nil {
			uses[e.Rule.Body.ID] = append(uses[e.Rule.Body.ID], e)
		}
	}
	var work []*Expr
	look := func(e *Expr) {
		if !at[e.ID] && holds(e, at) {
			at[e.ID] = true
			work = append(work, e)
		}
	}
	// Kids stand behind their parents, so this settles whole bodies at once.
	for i := len(g.Exprs) - 1; i >= 0; i-- {
		look(g.Exprs[i])
	}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		if p := parent[e.ID]; p != nil {
			look(p)
		}
		for _, ref := range uses[e.ID] {
			look(ref)
		}
	}
	return at
}
