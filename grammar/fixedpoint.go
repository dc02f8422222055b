package grammar

// links lead from expressions to the users of their values.
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

// leastFixedPoint returns for each expression whether a condition holds. holds evaluates the
// condition for e, given the results so far. It has to be monotone: more true results never
// make it false. Every expression is visited once, and again when one that it directly depends
// on becomes true.
func (c *checker) leastFixedPoint(holds func(e *Expr, at []bool) bool) []bool {
	at := make([]bool, len(c.g.Exprs))
	var work []*Rule // rules whose bodies became true
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
	// Children come after their parents, so a backward pass settles whole bodies except for
	// their references.
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
