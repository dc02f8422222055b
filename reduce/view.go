package reduce

import (
	"bytes"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// view is the tree of the best with what tree passes ask of it: where every
// node stands in the text, which bytes are layout, which node is above.
type view struct {
	tree *derive.Tree
	text []byte
	gap  []bool // by byte of text: it is layout; nil: the tree has none

	from, to []int // by node: its bytes, layout round it left out
	parent   []int
	depth    []int
	shown    []bool // not inside a token

	least *leastMaker
}

// viewOf lays the best's tree out. It costs time linear in the tree.
func (s *search) viewOf() *view {
	t := s.best.tree
	if s.least == nil || s.least.spaced != (t.Gaps != nil) {
		s.least = newLeastMaker(s.machine.Facts(), t.Gaps != nil)
	}
	return newView(t, s.best.text, s.least)
}

// newView lays a tree out whose text is given.
func newView(t *derive.Tree, text []byte, least *leastMaker) *view {
	n := len(t.Nodes)
	v := &view{tree: t, text: text, least: least, from: make([]int, n), to: make([]int, n), parent: make([]int, n), depth: make([]int, n), shown: make([]bool, n)}
	if t.Gaps != nil {
		v.gap = make([]bool, len(v.text))
	}
	at := 0 // the end of the last leaf
	next := 0
	var leaf []byte
	open := []int{}
	for i := range t.Nodes {
		v.parent[i], v.shown[i] = -1, true
		for len(open) > 0 && t.Nodes[open[len(open)-1]].End <= i {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			p := open[len(open)-1]
			v.parent[i], v.depth[i] = p, len(open)
			v.shown[i] = v.shown[p] && !isToken(&t.Nodes[p])
		}
		open = append(open, i)
		if t.Gaps != nil {
			for k := range t.Gaps[i] {
				v.gap[next+k] = true
			}
			next += len(t.Gaps[i])
		}
		v.from[i], v.to[i] = -1, at
		if leaf = t.Nodes[i].AppendText(leaf[:0]); len(leaf) > 0 {
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
	if t.Gaps != nil {
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

// isToken reports whether a node is a token, which tree passes leave whole.
func isToken(n *derive.Node) bool {
	return n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind.Lexical() && !n.Expr.Rule.Inline
}

// rule returns the rule that node i is a reference to; nil if it is not one.
func (v *view) rule(i int) *grammar.Rule {
	if n := &v.tree.Nodes[i]; n.Expr.Op == grammar.Ref && !n.Name {
		return n.Expr.Rule
	}
	return nil
}

// hasGap reports whether the byte before or after an offset is layout.
func (v *view) gapBefore(at int) bool { return v.gap != nil && at > 0 && v.gap[at-1] }
func (v *view) gapAfter(at int) bool  { return v.gap != nil && at < len(v.gap) && v.gap[at] }

// del returns the cut of a byte range with one of the gaps beside it, as
// layout.del does, and of a range of choices.
func (v *view) del(from, to, cfrom, cto int) cut {
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

// put returns the cut that puts a piece in the place of a range.
func (v *view) put(from, to, cfrom, cto int, p piece) cut {
	return cut{from: from, to: to, with: p.text, gaps: p.gaps, cfrom: cfrom, cto: cto, cwith: p.choices}
}
