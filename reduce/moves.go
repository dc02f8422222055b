package reduce

import "github.com/gramfuzz/gramfuzz/grammar"

// movedNodes bounds the trees whose parts are moved: the number of edits is about that of pairs
// of nodes.
const movedNodes = 300

// movesPass moves a part to an empty place or to that of a least derivation, in the shortest
// context, and deletes one of the parts around its old place. So it removes a definition of which
// only a part is needed.
func movesPass(s *search) error {
	if s.best.tree == nil {
		return nil
	}
	v := s.bestView()
	return s.tryEdits(byGain(v.moveEdits()), s.treeBuilder(v))
}

// moveEdits returns the edits of movesPass.
func (v *treeView) moveEdits() (es []edit) {
	visible := 0
	for i := range v.visible {
		if v.visible[i] {
			visible++
		}
	}
	if visible > movedNodes {
		return nil
	}
	gone := v.deletions()
	for y := range v.tree.Nodes() {
		r := v.rule(y)
		if r == nil || r.Inline || !v.visible[y] || v.from[y] == v.to[y] {
			continue
		}
		var out []edit // edits that delete parts around y
		for p := v.parent[y]; p >= 0; p = v.parent[p] {
			out = append(out, gone[p]...)
		}
		if out == nil {
			continue
		}
		part := pieceOf(v.tree, y)
		part.choices = v.tree.Choices()[v.tree.Nodes()[y].From:v.tree.Nodes()[y].To]
		d := v.minimal.contextSizes(v.tree.Grammar, r)
		for p := range v.tree.Nodes() {
			n := &v.tree.Nodes()[p]
			if !v.visible[p] || p < y && y < n.End || p >= y && p < v.tree.Nodes()[y].End || d[n.Expr.ID] == unreachable || n.Name || v.to[p]-v.from[p] > v.minimal.bytes(n.Expr) {
				continue
			}
			if n.Expr.Op != grammar.Rep && n.Expr.Op != grammar.Choice && v.rule(p) == nil {
				continue
			}
			before, after := v.minimal.context(n.Expr, r, d)
			in := newEdit(v.put(v.from[p], v.to[p], n.From, n.To, before.add(part, v.gap != nil).add(after, v.gap != nil)))
			for _, o := range out {
				if cuts, ok := merge([]edit{o, in}); ok && len(cuts) == len(o.cuts)+1 && o.gain+in.gain > 0 {
					es = append(es, newEdit(cuts...))
				}
			}
		}
	}
	return es
}

// deletions returns, for every node, the edits that take it out of its list or replace it by its
// least derivation.
func (v *treeView) deletions() map[int][]edit {
	gone := map[int][]edit{}
	for i := range v.tree.Nodes() {
		if !v.visible[i] {
			continue
		}
		for _, e := range v.listEdits(i) {
			for _, node := range e.nodes {
				gone[node] = append(gone[node], e)
			}
		}
		gone[i] = append(gone[i], v.minimalEdits(i)...)
	}
	return gone
}
