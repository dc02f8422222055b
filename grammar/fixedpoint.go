package grammar

// links lead from expressions to what their value is used for.
type links struct {
	parent []int32 // by expression: the one above it, or -1
	first  []int32 // by rule: the first reference to it, or -1
	next   []int32 // by reference: the next one to the same rule, or -1
}

func (g *Grammar) links() *links {
	l := &links{parent: minusOnes(len(g.Exprs)), first: minusOnes(len(g.Rules)), next: minusOnes(len(g.Exprs))}
	for id := len(g.Exprs) - 1; id >= 0; id-- {
		e := g.Exprs[id]
		for _, k := range e.Children {
			l.parent[k.ID] = int32(id)
		}
		if e.Op == Ref && e.Rule != nil {
			l.next[id] = l.first[e.Rule.ID]
			l.first[e.Rule.ID] = int32(id)
		}
	}
	return l
}

func minusOnes(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// leastFixedPoint returns for each expression whether a condition holds, where
// holds says whether it does for e given what is known of others. It has to be
// monotone: knowing more never makes it false. Every expression is looked at
// once, and again when one it depends on directly became true.
func (c *checker) leastFixedPoint(holds func(e *Expr, at []bool) bool) []bool {
	at := make([]bool, len(c.g.Exprs))
	var work []*Rule // whose bodies became true
	look := func(id int32) bool {
		if at[id] || !holds(c.g.Exprs[id], at) {
			return false
		}
		at[id] = true
		if r := c.owner[id]; r != nil && r.Body.ID == int(id) {
			work = append(work, r)
		}
		return true
	}
	// Children stand behind their parents, so going backwards settles whole bodies
	// but for the references in them.
	for id := len(at) - 1; id >= 0; id-- {
		look(int32(id))
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for ref := c.links.first[r.ID]; ref >= 0; ref = c.links.next[ref] {
			for id := ref; id >= 0 && look(id); {
				id = c.links.parent[id]
			}
		}
	}
	return at
}
