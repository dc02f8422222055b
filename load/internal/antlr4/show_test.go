package antlr4

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// show writes a graph with one line per rule. The notation is special to these tests; it shows
// every decision of the reader.
func show(g *syntax.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		fmt.Fprintf(&b, "%v", r.Kind)
		if r.Inline {
			b.WriteString(" inline")
		}
		if r.Mode != "" {
			fmt.Fprintf(&b, " in %s", r.Mode)
		}
		fmt.Fprintf(&b, " %s = %s", r.Name, showExpr(r.Body))
		for _, c := range r.Commands {
			fmt.Fprintf(&b, " -> %s(%s)", c.Name, c.Arg)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func showExpr(e *syntax.Expr) string {
	var children []string
	for i, k := range e.Children {
		s := showExpr(k)
		if e.Labels != nil && e.Labels[i] != "" {
			s += " #" + e.Labels[i]
		}
		children = append(children, s)
	}
	switch e.Op {
	case grammar.Lit:
		return fmt.Sprintf("%q", e.Text)
	case grammar.Class:
		var parts []string
		for _, r := range e.Ranges {
			if r.Lo == grammar.EndOfText {
				parts = append(parts, "EOF")
			} else if r.Lo == r.Hi {
				parts = append(parts, fmt.Sprintf("%q", r.Lo))
			} else {
				parts = append(parts, fmt.Sprintf("%q-%q", r.Lo, r.Hi))
			}
		}
		neg := ""
		if e.Negated {
			neg = "^"
		}
		return "[" + neg + strings.Join(parts, " ") + "]"
	case grammar.Seq:
		return "(" + strings.Join(children, " ") + ")"
	case grammar.Choice:
		return "(" + strings.Join(children, " | ") + ")"
	case grammar.Rep:
		lazy := ""
		if e.Lazy {
			lazy = "?"
		}
		return fmt.Sprintf("%s{%d,%d}%s", children[0], e.Min, e.Max, lazy)
	}
	return e.Name
}
