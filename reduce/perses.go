package reduce

import (
	"math"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// persesPass replaces nodes by compatible descendants or by least derivations, and takes ever
// smaller runs of elements out of lists (Sun and others, ICSE 2018). The edits with the largest
// savings come first, wherever they are in the tree.
func persesPass(s *search) error { return s.perses(0) }

// perses tries the edits that are expected to save worth bytes, all if that is 0.
func (s *search) perses(worth float64) error {
	for s.best.tree != nil {
		v := s.bestView()
		es := v.nodeEdits()
		es = append(es, v.jointEditsOf(es)...)
		es = append(es, useEdit.mark(v.definitionEdits())...)
		again, err := s.tryLikely(es, worth, s.treeBuilder(v))
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// nodeEdits returns the edits of single nodes, largest savings first.
func (v *treeView) nodeEdits() []edit { return v.nodeEditsOf(0, math.MaxInt) }

// nodeEditsOf returns those that save at least least bytes, and fewer than below. There can be very
// many, mostly hoists, and those outside the range are not made.
func (v *treeView) nodeEditsOf(least, below int) []edit {
	var es []edit
	for i := range v.tree.Nodes() {
		if v.visible[i] {
			es = append(es, listEdit.mark(v.listEdits(i))...)
			es = append(es, minimalEdit.mark(v.minimalEdits(i))...)
			es = append(es, hoistEdit.mark(v.hoistEdits(i, least, below))...)
			es = append(es, hoistEdit.mark(v.alternativeEdits(i))...)
		}
	}
	es = slices.DeleteFunc(es, func(e edit) bool { return e.gain < least || e.gain >= below })
	return byGain(es)
}

// minimalEdits returns the edit that replaces node i by its least derivation.
func (v *treeView) minimalEdits(i int) []edit {
	n := &v.tree.Nodes()[i]
	if n.Name || n.Expr.Op != grammar.Ref && n.Expr.Op != grammar.Choice || n.Expr.Op == grammar.Ref && n.Expr.Rule.Inline {
		return nil
	}
	if v.minimal.bytes(n.Expr) >= v.to[i]-v.from[i] {
		return nil
	}
	p := v.minimal.derive(n.Expr)
	if p.text == "" {
		c := v.del(v.from[i], v.to[i], n.From, n.To)
		c.cwith = p.choices
		return []edit{newEdit(c)}
	}
	return []edit{newEdit(v.put(v.from[i], v.to[i], n.From, n.To, p))}
}

// hoistEdits returns the edits that replace a node above node i by it, alone or in a shorter
// context, and save bytes in a range. Of every rule it takes the nearest such node, and those 2, 4,
// 8 … levels above.
func (v *treeView) hoistEdits(i, least, below int) []edit {
	r := v.rule(i)
	if r == nil || r.Inline || v.from[i] == v.to[i] {
		return nil
	}
	var d []int
	var es []edit
	level := map[*grammar.Expr]int{}
	for p := v.parent[i]; p >= 0; p = v.parent[p] {
		n := &v.tree.Nodes()[p]
		if n.Expr.Op != grammar.Ref && n.Expr.Op != grammar.Choice || n.Expr.Op == grammar.Ref && n.Expr.Rule.Inline {
			continue
		}
		if v.to[p]-v.from[p] == v.to[i]-v.from[i] {
			continue // nothing to save
		}
		if d == nil {
			d = v.minimal.contextSizes(v.tree.Grammar, r)
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
		if gain := v.to[p] - v.from[p] - (v.to[i] - v.from[i]) - cost; gain < least || gain >= below {
			continue
		}
		e := v.hoist(p, i, r, d)
		if k == 1 {
			e.does = transformation{n.Expr, v.tree.Nodes()[i].Expr, -1}
		}
		es = append(es, e)
	}
	return es
}

// hoist replaces node p by node i, of rule r.
func (v *treeView) hoist(p, i int, r *grammar.Rule, d []int) edit {
	outer := &v.tree.Nodes()[p]
	before, after := v.minimal.context(outer.Expr, r, d)
	return v.wrap(p, i, before, after)
}

// wrap replaces node p by node i, between two pieces.
func (v *treeView) wrap(p, i int, before, after piece) edit {
	outer, inner := &v.tree.Nodes()[p], &v.tree.Nodes()[i]
	c1 := v.put(v.from[p], v.from[i], outer.From, inner.From, before)
	c2 := v.put(v.to[i], v.to[p], inner.To, outer.To, after)
	e := newEdit(dropEmpty([]cut{c1, c2})...)
	e.keep = [][2]int{{v.from[i], v.to[i]}}
	return e
}

// alternativeEdits returns the edits that take another alternative at choice p, around the
// largest node below of p's own rule. That exchanges one kind of nesting for a shorter one.
func (v *treeView) alternativeEdits(p int) []edit {
	n := &v.tree.Nodes()[p]
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
		i = v.tree.Nodes()[i].End
	}
	if inner < 0 {
		return nil
	}
	d := v.minimal.contextSizes(v.tree.Grammar, r)
	var es []edit
	for alt, child := range n.Expr.Children {
		saves := v.to[p] - v.from[p] - (v.to[inner] - v.from[inner])
		if alt == n.Val || d[child.ID] == 0 || d[child.ID] >= saves || !v.minimal.facts.Mask.On(n.Expr, alt) {
			continue
		}
		before, after := v.minimal.context(child, r, d)
		before.choices = append([]int{alt}, before.choices...)
		e := v.wrap(p, inner, before, after)
		e.does = transformation{n.Expr, v.tree.Nodes()[inner].Expr, alt}
		es = append(es, e)
	}
	return es
}

// maxParts bounds the number of runs into which edits of one kind are joined. Shorter runs cost
// more to list than they save over single edits.
const maxParts = 16

// jointEditsOf joins the edits that do the same to different nodes: all at once,
// then in halves, and so on. A property of the depth or the number of nodes can
// survive only a joint edit.
func (v *treeView) jointEditsOf(es []edit) []edit {
	kinds := map[transformation][]edit{}
	var order []transformation
	for _, e := range es {
		if e.does == (transformation{}) {
			continue
		}
		if kinds[e.does] == nil {
			order = append(order, e.does)
		}
		kinds[e.does] = append(kinds[e.does], e)
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
			e.kind = jointEdit
			if b-a == len(same) {
				e.kind = allEdit
			}
			for _, one := range same[a:b] {
				e.keep = append(e.keep, one.keep...)
			}
			return e, true
		}
		for size, parts := len(same), 1; size > 1 && parts <= maxParts; size, parts = half(size), 2*parts {
			joint = append(joint, chunksOf(len(same), size, join)...)
		}
	}
	return joint
}
