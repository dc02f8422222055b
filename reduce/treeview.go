package reduce

import (
	"bytes"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// treeView is a tree with the facts that tree passes need: the bytes and the parent of every
// node, and the layout bytes.
type treeView struct {
	tree *derive.Tree
	text []byte
	gap  []bool // by byte of text: whether it is layout; nil if the tree has none

	from, to []int // by node: its bytes, without layout around it
	parent   []int
	depth    []int
	visible  []bool // not inside a token

	minimal *minimalDeriver
}

// bestView returns the view of the best tree, in time linear in the tree.
func (s *search) bestView() *treeView {
	t := s.best.tree
	if s.minimal == nil || s.minimal.spaced != (t.Gaps() != nil) {
		s.minimal = newMinimalDeriver(s.machine.Facts(), t.Gaps() != nil)
	}
	return newTreeView(t, s.best.text, s.minimal)
}

// newTreeView returns the view of a tree with the given text.
func newTreeView(t *derive.Tree, text []byte, minimal *minimalDeriver) *treeView {
	n := len(t.Nodes())
	v := &treeView{tree: t, text: text, minimal: minimal, from: make([]int, n), to: make([]int, n), parent: make([]int, n), depth: make([]int, n), visible: make([]bool, n)}
	if t.Gaps() != nil {
		v.gap = make([]bool, len(v.text))
	}
	at := 0 // the end of the last leaf
	next := 0
	var leaf []byte
	open := []int{}
	for i := range t.Nodes() {
		v.parent[i], v.visible[i] = -1, true
		for len(open) > 0 && t.Nodes()[open[len(open)-1]].End <= i {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			p := open[len(open)-1]
			v.parent[i], v.depth[i] = p, len(open)
			v.visible[i] = v.visible[p] && !isToken(&t.Nodes()[p])
		}
		open = append(open, i)
		if t.Gaps() != nil {
			for k := range t.Gaps()[i] {
				v.gap[next+k] = true
			}
			next += len(t.Gaps()[i])
		}
		v.from[i], v.to[i] = -1, at
		leaf = t.Nodes()[i].AppendText(leaf[:0])
		if len(leaf) > 0 {
			v.from[i] = next
			next += len(leaf)
			at = next
			v.to[i] = at
			for k := len(open) - 1; k >= 0; k-- {
				if v.from[open[k]] < 0 {
					v.from[open[k]] = v.from[i]
				}
				v.to[open[k]] = at
			}
		}
	}
	if t.Gaps() != nil {
		for k := next; k < len(v.text); k++ {
			v.gap[k] = true
		}
	}
	for i := range v.from {
		if v.from[i] < 0 {
			v.from[i] = v.to[i]
		}
	}
	return v
}

// isToken reports whether a node is a token, which tree passes keep whole.
func isToken(n *derive.Node) bool {
	return n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind.Lexical() && !n.Expr.Rule.Inline
}

// rule returns the rule that node i is a reference to; nil if it is not one.
func (v *treeView) rule(i int) *grammar.Rule {
	if n := &v.tree.Nodes()[i]; n.Expr.Op == grammar.Ref && !n.Name {
		return n.Expr.Rule
	}
	return nil
}

// gapBefore and gapAfter report whether the byte on one side of an offset is
// layout.
func (v *treeView) gapBefore(at int) bool { return v.gap != nil && at > 0 && v.gap[at-1] }
func (v *treeView) gapAfter(at int) bool  { return v.gap != nil && at < len(v.gap) && v.gap[at] }

// del returns the cut of a range of choices and of its bytes, with one of the gaps
// beside them as in lexedText.del.
func (v *treeView) del(from, to, cfrom, cto int) cut {
	if from < to {
		before, after := from, to
		for v.gapBefore(before) {
			before--
		}
		for v.gapAfter(after) {
			after++
		}
		begins := before == 0 || bytes.IndexByte(v.text[before:from], '\n') >= 0
		if before == 0 && v.gap != nil || begins && after < len(v.text) && bytes.IndexByte(v.text[to:after], '\n') < 0 {
			to = after
		} else {
			from = before
		}
	}
	return cut{from: from, to: to, cfrom: cfrom, cto: cto}
}

// put returns the cut that replaces a range by a piece.
func (v *treeView) put(from, to, cfrom, cto int, p piece) cut {
	return cut{from: from, to: to, with: p.text, gaps: p.gaps, cfrom: cfrom, cto: cto, cwith: p.choices}
}
