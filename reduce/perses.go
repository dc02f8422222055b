package reduce

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// persesPass replaces nodes by descendants that can stand in their place, takes
// elements out of lists in ever smaller runs, and puts the least derivation in a
// node's place (after Sun and others, ICSE 2018). What saves most is asked
// first, wherever it is in the tree.
func persesPass(s *search) error { return s.perses(0) }

// perses asks at most so many rounds of edits, all with 0.
func (s *search) perses(most int) error {
	for s.best.tree != nil {
		v := s.viewOf()
		es := v.nodeEdits()
		es = append(es, v.together(es)...)
		es = append(es, useEdit.of(v.treeUses())...)
		again, err := s.rounds(schedule(es, len(v.text), most), s.treeBuilder(v))
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// nodeEdits returns what the pass does to single nodes, what saves most first.
func (v *view) nodeEdits() []edit {
	es := make([]edit, 0, 2*len(v.tree.Nodes)) // mostly enough
	for i := range v.tree.Nodes {
		if v.shown[i] {
			es = append(es, listEdit.of(v.listEdits(i))...)
			es = append(es, leastEdit.of(v.leastEdits(i))...)
			es = append(es, hoistEdit.of(v.hoists(i))...)
			es = append(es, hoistEdit.of(v.swaps(i))...)
		}
	}
	return byGain(es)
}

// leastEdits puts the least derivation in the place of node i.
func (v *view) leastEdits(i int) []edit {
	n := &v.tree.Nodes[i]
	if n.Name || n.Expr.Op != grammar.Ref && n.Expr.Op != grammar.Choice || n.Expr.Op == grammar.Ref && n.Expr.Rule.Inline {
		return nil
	}
	if v.least.bytes(n.Expr) >= v.to[i]-v.from[i] {
		return nil
	}
	p := v.least.of(n.Expr)
	if p.text == "" {
		c := v.del(v.from[i], v.to[i], n.From, n.To)
		c.cwith = p.choices
		return []edit{newEdit(c)}
	}
	return []edit{newEdit(v.put(v.from[i], v.to[i], n.From, n.To, p))}
}

// hoists puts node i in the place of nodes above it that its rule can stand in
// for, alone or in a context that is shorter than what it replaces: of every
// rule the nearest such node, and others 2, 4, 8 … levels above.
func (v *view) hoists(i int) []edit {
	r := v.rule(i)
	if r == nil || r.Inline || v.from[i] == v.to[i] {
		return nil
	}
	var d []int
	var es []edit
	level := map[*grammar.Expr]int{}
	for p := v.parent[i]; p >= 0; p = v.parent[p] {
		n := &v.tree.Nodes[p]
		if n.Expr.Op != grammar.Ref && n.Expr.Op != grammar.Choice || n.Expr.Op == grammar.Ref && n.Expr.Rule.Inline {
			continue
		}
		if v.to[p]-v.from[p] == v.to[i]-v.from[i] {
			continue // nothing to save
		}
		if d == nil {
			d = v.least.contextSizes(v.tree.Grammar, r)
		}
		cost := d[n.Expr.ID]
		if cost == unreachable || cost >= v.to[p]-v.from[p]-(v.to[i]-v.from[i]) {
			continue
		}
		level[n.Expr]++
		k := level[n.Expr]
		if k&(k-1) != 0 || k > 1 && v.depth[i]%k != 0 {
			continue
		}
		e := v.hoist(p, i, r, d)
		if k == 1 {
			e.like = likeness{n.Expr, v.tree.Nodes[i].Expr, -1}
		}
		es = append(es, e)
	}
	return es
}

// hoist puts node i, of rule r, in the place of node p.
func (v *view) hoist(p, i int, r *grammar.Rule, d []int) edit {
	outer := &v.tree.Nodes[p]
	before, after := v.least.context(outer.Expr, r, d)
	return v.wrap(p, i, before, after)
}

// wrap puts node i, between two pieces, in the place of node p.
func (v *view) wrap(p, i int, before, after piece) edit {
	outer, inner := &v.tree.Nodes[p], &v.tree.Nodes[i]
	c1 := v.put(v.from[p], v.from[i], outer.From, inner.From, before)
	c2 := v.put(v.to[i], v.to[p], inner.To, outer.To, after)
	e := newEdit(dropEmpty([]cut{c1, c2})...)
	e.keep = [][2]int{{v.from[i], v.to[i]}}
	return e
}

// swaps takes another alternative at choice p, round the largest node below
// that is of the rule p is in: one kind of nesting for another, less wordy one.
func (v *view) swaps(p int) []edit {
	n := &v.tree.Nodes[p]
	above := v.parent[p]
	for above >= 0 && v.rule(above) == nil {
		above = v.parent[above]
	}
	if n.Expr.Op != grammar.Choice || above < 0 || v.to[p]-v.from[p] < 3 {
		return nil
	}
	r, inner := v.rule(above), -1
	for i := p + 1; i < n.End; {
		if v.rule(i) != r {
			i++
			continue
		}
		if inner < 0 || v.to[i]-v.from[i] > v.to[inner]-v.from[inner] {
			inner = i
		}
		i = v.tree.Nodes[i].End
	}
	if inner < 0 {
		return nil
	}
	d := v.least.contextSizes(v.tree.Grammar, r)
	var es []edit
	for alt, child := range n.Expr.Children {
		saves := v.to[p] - v.from[p] - (v.to[inner] - v.from[inner])
		if alt == n.Val || d[child.ID] == 0 || d[child.ID] >= saves || !v.least.facts.Mask.On(n.Expr, alt) {
			continue
		}
		before, after := v.least.context(child, r, d)
		before.choices = append([]int{alt}, before.choices...)
		e := v.wrap(p, inner, before, after)
		e.like = likeness{n.Expr, v.tree.Nodes[inner].Expr, alt}
		es = append(es, e)
	}
	return es
}

// mostParts bounds into how many runs alike edits are joined; shorter runs cost
// more to list than they save over single edits.
const mostParts = 16

// together joins the edits that do the same to different nodes of one kind: all
// of them at once, then half of them, and so on. What must keep its depth, or
// its number, changes in one question.
func (v *view) together(es []edit) []edit {
	kinds := map[likeness][]edit{}
	var order []likeness
	for _, e := range es {
		if e.like == (likeness{}) {
			continue
		}
		if kinds[e.like] == nil {
			order = append(order, e.like)
		}
		kinds[e.like] = append(kinds[e.like], e)
	}
	var joint []edit
	for _, k := range order {
		same := kinds[k]
		slices.SortStableFunc(same, func(a, b edit) int { return a.cuts[0].from - b.cuts[0].from })
		join := func(a, b int) (edit, bool) {
			cuts, ok := merge(same[a:b])
			if !ok || b-a < 2 {
				return edit{}, false
			}
			e := newEdit(slices.Clone(cuts)...)
			if e.kind = jointEdit; b-a == len(same) {
				e.kind = allEdit
			}
			for _, one := range same[a:b] {
				e.keep = append(e.keep, one.keep...)
			}
			return e, true
		}
		for size, parts := len(same), 1; size > 1 && parts <= mostParts; size, parts = half(size), 2*parts {
			joint = append(joint, chunksOf(len(same), size, join)...)
		}
	}
	return joint
}

// hddPass goes down the tree level by level and, by delta debugging on each
// level's nodes, replaces them by their least derivations or takes them out of
// their lists (hierarchical delta debugging, Misherghi and Su, ICSE 2006).
func hddPass(s *search) error {
	for level := 0; s.best.tree != nil; level++ {
		v := s.viewOf()
		var nodes []edit
		deepest := 0
		for i := range v.tree.Nodes {
			if !v.shown[i] {
				continue
			}
			deepest = max(deepest, v.depth[i])
			if v.depth[i] != level {
				continue
			}
			if es := v.listEdits(i); len(es) > 0 {
				nodes = append(nodes, es...)
				continue
			}
			nodes = append(nodes, v.leastEdits(i)...)
		}
		if level > deepest {
			return nil
		}
		es := chunkEdits(len(nodes), func(a, b int) (edit, bool) {
			cuts, ok := merge(nodes[a:b])
			return newEdit(slices.Clone(cuts)...), ok
		})
		if _, err := s.rounds([][]edit{byGain(es)}, s.treeBuilder(v)); err != nil {
			return err
		}
	}
	return nil
}
