package picture

import (
	"fmt"
	"io"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/describe"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// The dimensions of trees, in pixels, and the limits for large ones.
const (
	mostNodes    = 600 // the rest is folded
	mostChildren = 60  // of one node
	treeCells    = 24  // of a text
	level        = 58.0
	nodeGap      = 10.0
	treeTop      = 44.0
	treeEdge     = 16.0
)

// treeNode is a drawn node.
type treeNode struct {
	describe.Node
	parent   int // index of the parent; -1 for the root
	children []int
	hidden   int     // omitted nodes below it
	w, begin float64 // of its subtree
	x        float64 // the middle of the node
}

// WriteTree draws a tree. It draws only the upper levels of a large tree, and returns the
// number of omitted nodes, which the picture shows as well. Beside the tree, it takes 20 bytes
// of memory per node.
func WriteTree(w io.Writer, t *derive.Tree) (hidden int, err error) {
	nodes := upper(t)
	for i := len(nodes) - 1; i >= 0; i-- { // children before their parents
		n := &nodes[i]
		n.w = max(below(nodes, n), nodeWidth(n))
		hidden += n.hidden
	}
	s := &report.SVG{}
	title := report.Cut(t.Text(), 100)
	s.Text(treeEdge, 22, "", title)
	width := max(nodes[0].w, float64(report.Cells(title))*report.CellWidth) + 2*treeEdge
	if hidden > 0 {
		s.Text(treeEdge, 38, "soft", foldNote(hidden))
		width = max(width, float64(len(foldNote(hidden)))*report.CellWidth+2*treeEdge)
	}
	nodes[0].begin = treeEdge
	levels := 0
	for i := range nodes {
		place(s, nodes, &nodes[i])
		levels = max(levels, nodes[i].Depth+1)
		if nodes[i].hidden > 0 {
			levels = max(levels, nodes[i].Depth+2)
		}
	}
	return hidden, s.WriteTo(w, width, treeTop+float64(levels)*level+treeEdge, title, true)
}

func foldNote(hidden int) string {
	return words.Plural(hidden, "node") + " not drawn; parse --tree prints all"
}

// upper returns the drawn nodes level by level: parents before their children.
func upper(t *derive.Tree) []treeNode {
	var size, first, next []int32 // of each visible node: by child and sibling
	var open []int32              // the ancestors of the last node, and itself
	var last []int32              // last child of each of these
	describe.Nodes(t, func(d describe.Node) {
		n := int32(len(size))
		size, first, next = append(size, 1), append(first, -1), append(next, -1)
		open, last = append(open[:d.Depth], n), append(last[:d.Depth], -1)
		if d.Depth == 0 {
			return
		}
		if before := last[d.Depth-1]; before < 0 {
			first[open[d.Depth-1]] = n
		} else {
			next[before] = n
		}
		last[d.Depth-1] = n
	})
	parent := make([]int32, len(size))
	for n := range parent {
		for k := first[n]; k >= 0; k = next[k] {
			parent[k] = int32(n)
		}
	}
	for n := len(size) - 1; n > 0; n-- {
		size[parent[n]] += size[n]
	}
	nodes, of, at := []treeNode{{parent: -1}}, []int32{0}, map[int32]int{0: 0}
	for i := 0; i < len(nodes); i++ {
		room := min(mostChildren, mostNodes-len(nodes))
		for k := first[of[i]]; k >= 0; k = next[k] {
			if room <= 0 {
				nodes[i].hidden += int(size[k])
				continue
			}
			room--
			at[k] = len(nodes)
			nodes[i].children = append(nodes[i].children, len(nodes))
			nodes, of = append(nodes, treeNode{parent: i}), append(of, k)
		}
	}
	n := int32(-1)
	describe.Nodes(t, func(d describe.Node) {
		n++
		if i, ok := at[n]; ok {
			nodes[i].Node = describe.Node{Depth: d.Depth, Name: report.Cut(d.Name, treeCells), Text: report.Cut(d.Text, treeCells)}
		}
	})
	return nodes
}

// below returns the width of the drawing below a node.
func below(nodes []treeNode, n *treeNode) float64 {
	w := -nodeGap
	for _, k := range n.children {
		w += nodes[k].w + nodeGap
	}
	if n.hidden > 0 {
		w += foldWidth(n.hidden) + nodeGap
	}
	return w
}

func nodeWidth(n *treeNode) float64 {
	return float64(max(report.Cells(n.Name), report.Cells(n.Text)))*report.CellWidth + 14
}

func foldText(hidden int) string { return fmt.Sprintf("… %d", hidden) }

func foldWidth(hidden int) float64 {
	return float64(report.Cells(foldText(hidden)))*report.CellWidth + 14
}

// place draws a node whose parent is drawn, and places its children.
func place(s *report.SVG, nodes []treeNode, n *treeNode) {
	y := treeTop + float64(n.Depth)*level
	x := n.begin + max(n.w-below(nodes, n), 0)/2
	n.x = n.begin + n.w/2
	for _, k := range n.children {
		nodes[k].begin = x
		x += nodes[k].w + nodeGap
	}
	if n.parent >= 0 {
		p := &nodes[n.parent]
		s.Path("line", "M", p.x, treeTop+float64(p.Depth)*level+boxHeight+foot(p), "L", n.x, y)
	}
	if n.hidden > 0 {
		w := foldWidth(n.hidden)
		s.Path("line", "M", n.x, y+boxHeight+foot(n), "L", x+w/2, y+level)
		s.Group("", words.Plural(n.hidden, "node")+" not drawn")
		s.Rect(x, y+level, w, boxHeight, 3, "fold")
		s.Text(x+w/2, y+level+17, "mid soft", foldText(n.hidden))
		s.End("")
	}
	w := nodeWidth(n)
	switch {
	case n.Text == "":
		s.Rect(n.x-w/2, y, w, boxHeight, 3, "rule")
		s.Text(n.x, y+17, "mid", n.Name)
	case n.Name == "":
		s.Rect(n.x-w/2, y, w, boxHeight, boxHeight/2, "word")
		s.Text(n.x, y+17, "mid", n.Text)
	default:
		s.Rect(n.x-w/2, y, w, boxHeight+foot(n), 13, "word")
		s.Text(n.x, y+14, "mid soft", n.Name)
		s.Text(n.x, y+30, "mid", n.Text)
	}
}

// foot returns the additional height of a node with both a name and a text.
func foot(n *treeNode) float64 {
	if n.Name != "" && n.Text != "" {
		return 12
	}
	return 0
}
