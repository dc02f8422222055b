package treesitter

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// indentation turns the externals newline, indent and dedent into indentation if rules need all
// three, and returns their names. In tree-sitter an indent also ends its line, so it becomes a
// newline and an indent.
func (b *builder) indentation(list []jsonvalue.Value) []string {
	names := make([]string, 3)
	for _, v := range list {
		name, _ := get(v, "name")
		if i := slices.Index([]string{"newline", "indent", "dedent"}, strings.TrimLeft(name.Text, "_")); i >= 0 && b.rules[name.Text].Kind != jsonvalue.Object {
			names[i] = name.Text
		}
	}
	used := make(map[string]bool)
	for _, r := range b.g.Rules {
		r.Body.Walk(func(e *syntax.Expr) {
			used[e.Name] = true
			for i, k := range e.Children {
				if k.Op == grammar.Ref && k.Name == names[1] && k.Name != "" && (i == 0 || e.Op != grammar.Seq || e.Children[i-1].Name != names[0]) {
					e.Children[i] = syntax.NewSeq(k.Pos, syntax.NewRef(k.Pos, names[0]), k)
				}
			}
		})
	}
	if slices.ContainsFunc(names, func(n string) bool { return n == "" || !used[n] }) {
		return nil
	}
	first := 0
	for _, t := range b.tokens {
		first = max(first, t.prec+1)
	}
	pos := b.s.Pos(list[0].At)
	newline := &syntax.Rule{Name: names[0], Pos: pos, Body: syntax.NewLit(pos, "\n"), Priority: first}
	b.g.Rules = append(append(b.g.Rules, newline), syntax.Indentation(newline, names[1], names[2], syntax.Brackets...)...)
	return names
}
