package notationtest

import (
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// Shape writes the rules of a grammar in a plain form for comparisons: one rule per
// line, as S-expressions without positions.
func Shape(g *syntax.Grammar) string {
	var b strings.Builder
	for _, r := range g.Rules {
		if r.Kind != grammar.Syntax {
			fmt.Fprintf(&b, "%v ", r.Kind)
		}
		if r.Inline {
			b.WriteString("inline ")
		}
		fmt.Fprintf(&b, "%s = %s\n", r.Name, shape(r.Body))
	}
	return b.String()
}

func shape(e *syntax.Expr) string {
	children := make([]string, len(e.Children))
	for i, k := range e.Children {
		children[i] = shape(k)
	}
	list := strings.Join(children, " ")
	switch e.Op {
	case grammar.Lit:
		return fmt.Sprintf("%q", e.Text)
	case grammar.Ref:
		return e.Name
	case grammar.Class:
		return class(e)
	case grammar.Seq:
		return "(" + list + ")"
	case grammar.Choice:
		return "(| " + list + ")"
	case grammar.Diff:
		return "(- " + list + ")"
	}
	return fmt.Sprintf("%s{%d,%d}", list, e.Min, e.Max)
}

func class(e *syntax.Expr) string {
	var b strings.Builder
	b.WriteByte('[')
	if e.Negated {
		b.WriteByte('^')
	}
	for _, r := range e.Ranges {
		fmt.Fprintf(&b, "%q", r.Lo)
		if r.Hi != r.Lo {
			fmt.Fprintf(&b, "-%q", r.Hi)
		}
	}
	return b.String() + "]"
}
