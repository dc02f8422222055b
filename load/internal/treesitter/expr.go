package treesitter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load/internal/jsonvalue"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// expr returns the expression of a part of a syntax rule, or nil if the part is malformed.
func (b *builder) expr(v jsonvalue.Value) *syntax.Expr {
	pos := b.s.Pos(v.At)
	switch kind := describe(v); kind {
	case "SYMBOL":
		name, ok := b.member(v, "name", jsonvalue.Text)
		if !ok {
			return nil
		}
		if t := b.byName[name.Text]; t != nil {
			t.taken = true
		}
		return syntax.NewRef(pos, name.Text)
	case "STRING":
		s, ok := b.member(v, "value", jsonvalue.Text)
		if !ok {
			return nil
		}
		if b.ends(s) {
			return nil
		}
		b.literals = append(b.literals, s.Text)
		return syntax.NewLit(pos, s.Text)
	case "PATTERN", "TOKEN", "IMMEDIATE_TOKEN":
		t := b.tokenOf(v, "")
		if t == nil {
			return nil
		}
		if kind == "TOKEN" && t.name == "" && t.prec == 0 && t.body.Op == grammar.Lit {
			b.literals = append(b.literals, t.body.Text)
			return syntax.NewLit(pos, t.body.Text)
		}
		t.taken = true
		return syntax.NewRef(pos, b.named(t))
	case "BLANK":
		return syntax.NewSeq(pos)
	case "SEQ", "CHOICE":
		return b.members(v, b.expr)
	case "REPEAT", "REPEAT1":
		return b.repeat(v, least(kind))
	case "PREC", "PREC_LEFT", "PREC_RIGHT", "PREC_DYNAMIC":
		return b.preferred(v, strings.TrimPrefix(kind, "PREC"))
	case "FIELD", "ALIAS", "RESERVED":
		return b.content(v, b.expr)
	}
	b.unknown(v)
	return nil
}

// ends reports whether a string stands for the end of the text, which is the character 0 in
// tree-sitter's lexers. Such a string is left out, since no text contains it.
func (b *builder) ends(s jsonvalue.Value) bool {
	if s.Text != "\x00" {
		return false
	}
	b.note(noteEnd, s.At)
	return true
}

// content applies each to the content of v and returns the result.
func (b *builder) content(v jsonvalue.Value, each func(jsonvalue.Value) *syntax.Expr) *syntax.Expr {
	c, ok := b.member(v, "content", jsonvalue.Object)
	if !ok {
		return nil
	}
	return each(c)
}

// members applies each to the members of v and returns the sequence or choice of the results.
func (b *builder) members(v jsonvalue.Value, each func(jsonvalue.Value) *syntax.Expr) *syntax.Expr {
	list, ok := b.member(v, "members", jsonvalue.List)
	if !ok {
		return nil
	}
	pos := b.s.Pos(v.At)
	var out []*syntax.Expr
	for _, m := range list.Items {
		if e := each(m); e != nil {
			out = append(out, e)
		}
	}
	if describe(v) == "SEQ" {
		return syntax.NewSeq(pos, out...)
	}
	if len(out) == 0 && len(list.Items) > 0 {
		return syntax.NewSeq(pos)
	}
	if len(out) == 0 {
		b.fail(v.At, "write at least one member", "the CHOICE has no members")
		return nil
	}
	return syntax.NewChoice(pos, out...)
}

// repeat reads a repetition. In a repeated choice, two adjacent texts of a token may be read as
// one. Then the repetition is written as t? (x t?)*, where t is the token and x the choice of all
// other alternatives, so that no two texts of t are adjacent.
func (b *builder) repeat(v jsonvalue.Value, least int) *syntax.Expr {
	pos := b.s.Pos(v.At)
	e := b.content(v, b.expr)
	if e == nil {
		return nil
	}
	var merging, rest []*syntax.Expr
	alts := []*syntax.Expr{e}
	if e.Op == grammar.Choice {
		alts = e.Children
	}
	for _, a := range alts {
		if b.merges(a) && len(merging) == 0 {
			merging = append(merging, a)
		} else {
			rest = append(rest, a)
		}
	}
	switch {
	case len(merging) == 0:
		return syntax.NewRep(pos, e, least, grammar.Unbounded)
	case len(rest) == 0:
		return syntax.NewRep(pos, e, least, 1)
	}
	opt := func() *syntax.Expr { return syntax.NewRep(pos, merging[0].Clone(), 0, 1) }
	loop := func(least int) *syntax.Expr {
		x := syntax.NewChoice(pos, rest...).Clone()
		return syntax.NewSeq(pos, opt(), syntax.NewRep(pos, syntax.NewSeq(pos, x, opt()), least, grammar.Unbounded))
	}
	if least == 0 {
		return loop(0)
	}
	return syntax.NewChoice(pos, merging[0], loop(1))
}

// merges reports whether e refers to a token of which two adjacent texts are also one text. There
// is no layout between these texts.
func (b *builder) merges(e *syntax.Expr) bool {
	t := b.byName[e.Name]
	return e.Op == grammar.Ref && t != nil && t.immediate && t.body.Op == grammar.Rep && t.body.Min <= 1 && t.body.Max < 0
}

// externals reports the tokens produced by code, with the rules that need them.
func (b *builder) externals(list []jsonvalue.Value) {
	known := b.indentation(list)
	for _, v := range list {
		name, ok := get(v, "name")
		if _, defined := b.rules[name.Text]; !ok || defined || slices.Contains(known, name.Text) {
			continue
		}
		var users []string
		for _, r := range b.g.Rules {
			r.Body.Walk(func(e *syntax.Expr) {
				if e.Op == grammar.Ref && e.Name == name.Text && !slices.Contains(users, r.Name) {
					users = append(users, r.Name)
				}
			})
		}
		if len(users) == 0 {
			continue
		}
		shown := strings.Join(users[:min(len(users), 5)], ", ")
		if len(users) > 5 {
			shown += fmt.Sprintf(" and %d others", len(users)-5)
		}
		b.g.Ignored = append(b.g.Ignored, grammar.Diagnostic{Severity: grammar.Note, Pos: b.s.Pos(v.At), Code: "external", Rule: name.Text,
			Message: fmt.Sprintf("the token %q is made by code, not by the grammar; it is needed by %s", name.Text, shown),
			Hint:    "say in a companion file what its text is, or what stands in the rules without it"})
	}
}
