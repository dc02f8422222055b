package load

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// joinCharacters makes one class of alternatives that are single characters, where one of them is a
// range beyond ASCII: the alphabet restricts ranges by what else the class has. So [a-z] | [à-ÿ]
// generates what [a-zà-ÿ] does. In grammars with tokens it leaves syntax rules as they are, whose
// literals are tokens.
func joinCharacters(g *syntax.Grammar) {
	tokens := slices.ContainsFunc(g.Rules, func(r *syntax.Rule) bool { return r.Kind.Lexical() })
	for _, r := range g.Rules {
		if !tokens || r.Kind.Lexical() {
			joinAlternatives(r.Body)
		}
	}
}

func joinAlternatives(e *syntax.Expr) {
	for _, k := range e.Children {
		joinAlternatives(k)
	}
	if e.Op != grammar.Choice || e.Weights != nil || slices.ContainsFunc(e.Labels, func(l string) bool { return l != "" }) {
		return
	}
	var rest []*syntax.Expr
	var joined *syntax.Expr
	beyond, n := false, 0
	for _, k := range e.Children {
		ranges := characters(k)
		if ranges == nil {
			rest = append(rest, k)
			continue
		}
		n++
		if joined == nil {
			joined = syntax.NewClass(k.Pos, false)
			rest = append(rest, joined)
		}
		joined.Ranges = append(joined.Ranges, ranges...)
		beyond = beyond || slices.ContainsFunc(ranges, func(r grammar.Range) bool { return r.Lo < r.Hi && r.Hi > unicode.MaxASCII && r.Lo <= unicode.MaxRune })
	}
	switch {
	case n < 2 || !beyond:
	case len(rest) == 1:
		joined.Annotations = e.Annotations
		*e = *joined
	default:
		e.Children, e.Labels = rest, nil
	}
}

// characters returns the ranges of a class, or the character of a literal; nil if e is neither.
func characters(e *syntax.Expr) []grammar.Range {
	switch {
	case len(e.Annotations) > 0:
	case e.Op == grammar.Class && !e.Negated && !slices.ContainsFunc(e.Ranges, func(r grammar.Range) bool { return r.Lo == grammar.EndOfText }):
		return e.Ranges
	case e.Op == grammar.Lit && utf8.RuneCountInString(e.Text) == 1 && utf8.ValidString(e.Text):
		r, _ := utf8.DecodeRuneInString(e.Text)
		return []grammar.Range{{Lo: r, Hi: r}}
	}
	return nil
}
