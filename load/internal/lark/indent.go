package lark

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// indentation gives declared terminals …INDENT and …DEDENT their meaning in Lark's Indenter, if a
// terminal …NEWLINE or …NL ends lines.
func (b *builder) indentation() {
	defined := make(map[string]bool)
	for _, r := range b.g.Rules {
		defined[r.Name] = true
	}
	named := func(end string) (name string) {
		b.g.EachRef(func(e *syntax.Expr) {
			if name == "" && !defined[e.Name] && strings.HasSuffix(e.Name, end) {
				name = e.Name
			}
		})
		return name
	}
	indent, dedent := named("INDENT"), named("DEDENT")
	at := slices.IndexFunc(b.g.Rules, func(r *syntax.Rule) bool {
		return r.Kind == grammar.Token && (strings.HasSuffix(r.Name, "NEWLINE") || strings.HasSuffix(r.Name, "NL"))
	})
	if indent == "" || dedent == "" || at < 0 {
		return
	}
	newline := b.g.Rules[at]
	for _, r := range b.g.Rules {
		r.Body.Walk(func(e *syntax.Expr) { b.dropBlank(r, e, newline.Name) })
	}
	b.g.Rules = append(b.g.Rules, syntax.Indentation(newline, indent, dedent, syntax.Brackets...)...)
}

// dropBlank removes the alternative for lines without tokens from a repetition such as
// (_NEWLINE | stmt)*. Such lines are layout.
func (b *builder) dropBlank(r *syntax.Rule, e *syntax.Expr, newline string) {
	if e.Op != grammar.Rep || e.Max >= 0 || e.Children[0].Op != grammar.Choice {
		return
	}
	c := e.Children[0]
	at := slices.IndexFunc(c.Children, func(k *syntax.Expr) bool { return k.Op == grammar.Ref && k.Name == newline })
	if at < 0 || c.Labels != nil {
		return
	}
	b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: c.Children[at].Pos, Code: "blank-line", Rule: r.Name,
		Message: fmt.Sprintf("the alternative %s of rule %q is left out: a line without tokens is layout", newline, r.Name)})
	c.Children = slices.Delete(c.Children, at, at+1)
	if len(c.Children) == 1 {
		e.Children[0] = c.Children[0]
	}
}
