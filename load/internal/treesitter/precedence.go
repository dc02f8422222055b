package treesitter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// level is an entry of a file's precedence lists: a rule, or a named precedence.
type level struct {
	rule bool
	name string
}

// levelsOf numbers the entries of the precedence lists. A list begins with its highest precedence.
// The numbers start at 1, and each is the least that all lists allow.
func (b *builder) levelsOf(lists []jsonvalue.Value) {
	b.levels = make(map[level]int)
	below := make(map[level][]level)
	var all []level
	for _, list := range lists {
		var last *level
		for _, v := range list.Items {
			l := level{rule: describe(v) == "SYMBOL"}
			if name, ok := get(v, map[bool]string{true: "name", false: "value"}[l.rule]); ok && name.Kind == jsonvalue.Text {
				l.name = name.Text
			} else {
				b.fail(v.At, "write a name, or a rule", "a precedence is %s", describe(v))
				continue
			}
			if l.rule {
				b.known(jsonvalue.Value{Kind: jsonvalue.Text, At: v.At, Text: l.name}, "precedences")
			}
			if !slices.Contains(all, l) {
				all = append(all, l)
			}
			if last != nil {
				below[*last] = append(below[*last], l)
			}
			last = &l
		}
	}
	left := all
	for n := 1; len(left) > 0; n++ {
		var now, rest []level
		for _, l := range left {
			if slices.ContainsFunc(below[l], func(o level) bool { _, done := b.levels[o]; return !done }) {
				rest = append(rest, l)
			} else {
				now = append(now, l)
			}
		}
		if now == nil {
			b.report(grammar.Warning, lists[0].At, "precedence", "put them into one order", "the precedences of %q contradict each other", left[0].name)
			return
		}
		for _, l := range now {
			b.levels[l] = n
		}
		left = rest
	}
}

// preferred reads a part with a precedence. how is the kind of precedence: _LEFT, _RIGHT, _DYNAMIC
// or none. Of directly nested ones the outermost counts, as in tree-sitter: the outermost level,
// associativity and dynamic precedence.
func (b *builder) preferred(v jsonvalue.Value, how string) *syntax.Expr {
	e := b.content(v, b.expr)
	value, ok := get(v, "value")
	if e == nil || !ok {
		return e
	}
	n := 0
	switch value.Kind {
	case jsonvalue.Text:
		var known bool
		n, known = b.levels[level{false, value.Text}]
		if !known {
			b.report(grammar.Warning, value.At, "precedence", `name it in "precedences"`, "the precedence %q has no place among the others", value.Text)
		}
	default:
		var err error
		if n, err = strconv.Atoi(value.Text); err != nil {
			b.fail(value.At, "write a whole number", "%s is not a precedence", b.s.Source(value))
			return e
		}
	}
	a := grammar.Annotation{Name: "prec", Args: []string{strconv.Itoa(n)}, Pos: b.s.Pos(v.At)}
	switch how {
	case "_LEFT", "_RIGHT":
		a.Args = append(a.Args, strings.ToLower(how[1:]))
	case "_DYNAMIC":
		a.Name = "prefer"
	}
	content, _ := get(v, "content")
	annotate(e, a, wraps(describe(content)))
	return e
}

// wraps reports whether a kind of part is joined with a precedence directly around it.
func wraps(kind string) bool {
	return strings.HasPrefix(kind, "PREC") || kind == "FIELD" || kind == "ALIAS"
}

// annotate adds an annotation to an expression. If the expression has one of the same name, it
// keeps that, or, with replace, only its associativity where a has none.
func annotate(e *syntax.Expr, a grammar.Annotation, replace bool) {
	i := slices.IndexFunc(e.Annotations, func(o grammar.Annotation) bool { return o.Name == a.Name })
	switch {
	case i < 0:
		e.Annotations = append(e.Annotations, a)
	case replace:
		if inner := e.Annotations[i].Args; len(a.Args) == 1 && len(inner) == 2 {
			a.Args = append(a.Args, inner[1])
		}
		e.Annotations[i] = a
	}
}
