package treesitter

import (
	"slices"
	"strconv"

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
// or none. The innermost precedence counts.
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
		if n, known = b.levels[level{false, value.Text}]; !known {
			b.report(grammar.Warning, value.At, "precedence", `name it in "precedences"`, "the precedence %q has no place among the others", value.Text)
		}
	default:
		var err error
		if n, err = strconv.Atoi(value.Text); err != nil {
			b.fail(value.At, "write a whole number", "%s is not a precedence", b.s.Source(value))
			return e
		}
	}
	pos := b.s.Pos(v.At)
	switch how {
	case "_LEFT":
		annotate(e, "prec", pos, strconv.Itoa(n), "left")
	case "_RIGHT":
		annotate(e, "prec", pos, strconv.Itoa(n), "right")
	case "_DYNAMIC":
		annotate(e, "prefer", pos, strconv.Itoa(n))
	default:
		annotate(e, "prec", pos, strconv.Itoa(n))
	}
	return e
}

// annotate adds an annotation to an expression, unless it has one of the same name.
func annotate(e *syntax.Expr, name string, pos grammar.Pos, args ...string) {
	if !slices.ContainsFunc(e.Annotations, func(a grammar.Annotation) bool { return a.Name == name }) {
		e.Annotations = append(e.Annotations, grammar.Annotation{Name: name, Args: args, Pos: pos})
	}
}
