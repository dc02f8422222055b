package describe

import (
	"fmt"
	"io"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Node is a node of a tree as shown to people: a rule, a token with its text, or a terminal.
type Node struct {
	Depth int    `json:"depth"`
	Name  string `json:"rule,omitempty"`   // of a rule or token
	Text  string `json:"-"`                // of a token or terminal, quoted; "" for a rule
	Raw   []byte `json:"text64,omitempty"` // the same, as it is
	Gap   string `json:"gap,omitempty"`    // the layout before it
}

// Nodes calls do with the shown nodes of a tree, in pre-order: neither those inside tokens nor
// helper rules.
func Nodes(t *derive.Tree, do func(Node)) {
	var ends []int // the ends of the rules around the node
	gaps := t.Gaps()
	for i := 0; i < len(t.Nodes()); i++ {
		n := &t.Nodes()[i]
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		s := Node{Depth: len(ends)}
		from := i
		switch {
		case n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind.Lexical() && !n.Expr.Rule.Inline:
			s.Name, s.Raw = n.Expr.Name, []byte(t.SubText(i))
			i = n.End - 1
		case n.Name, n.Expr.Op == grammar.Class, n.Expr.Op == grammar.Lit && n.Expr.Text != "":
			s.Raw = n.AppendText(nil)
		case n.Expr.Op != grammar.Ref || n.Expr.Rule.Inline || n.Expr.Rule.Kind == grammar.Skip:
			continue
		default:
			s.Name = n.Expr.Name
			ends = append(ends, n.End)
			do(s)
			continue
		}
		s.Text = fmt.Sprintf("%q", s.Raw)
		if gaps != nil {
			s.Gap = strings.Join(gaps[from:i+1], "")
		}
		do(s)
	}
}

// maxIndent is the greatest indentation, in levels: a deeper tree would be mostly spaces.
const maxIndent = 60

// Tree writes a tree, each node on a line, two spaces further right than its parent. Beyond
// maxIndent, the line begins with the level of the node.
func Tree(w io.Writer, t *derive.Tree) {
	Nodes(t, func(s Node) {
		level := ""
		if s.Depth > maxIndent {
			level = fmt.Sprintf("[%d] ", s.Depth)
		}
		fmt.Fprintf(w, "%s%s%s\n", strings.Repeat("  ", min(s.Depth, maxIndent)), level, strings.TrimSpace(s.Name+" "+s.Text))
	})
}

// Dot writes a tree for Graphviz.
func Dot(w io.Writer, t *derive.Tree) {
	fmt.Fprint(w, "digraph tree {\n  node [shape=plaintext, height=0, width=0];\n  edge [arrowhead=none];\n")
	var parents []int // by depth: the number of the node
	n := 0
	Nodes(t, func(s Node) {
		label := strings.TrimSpace(s.Name + "\n" + s.Text)
		label = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(label)
		shape := ""
		if s.Text != "" {
			shape = ", fontname=monospace"
		}
		fmt.Fprintf(w, "  n%d [label=\"%s\"%s];\n", n, label, shape)
		if s.Depth > 0 {
			fmt.Fprintf(w, "  n%d -> n%d;\n", parents[s.Depth-1], n)
		}
		parents = append(parents[:s.Depth], n)
		n++
	})
	fmt.Fprint(w, "}\n")
}
