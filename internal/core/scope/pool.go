package scope

import (
	"cmp"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// firstTexts finds the first texts of expressions: shortest first, those of one length in the
// order of their bytes. The first k texts of a sequence consist of first k texts of its elements,
// so finite lists suffice. Lists only improve from round to round, and there are finitely many
// better ones.
type firstTexts struct {
	g     *grammar.Grammar
	most  int // the number of texts to find, not counting ""
	known [][]string
}

func newFirstTexts(g *grammar.Grammar, most int) *firstTexts {
	return &firstTexts{g: g, most: most, known: make([][]string, len(g.Exprs))}
}

// of returns the first texts of e that are not empty.
func (f *firstTexts) of(e *grammar.Expr) []string {
	exprs := f.below(e)
	for changed := true; changed; {
		changed = false
		for _, x := range exprs {
			if texts := f.texts(x); !slices.Equal(texts, f.known[x.ID]) {
				f.known[x.ID], changed = texts, true
			}
		}
	}
	texts := f.known[e.ID]
	if len(texts) > 0 && texts[0] == "" {
		texts = texts[1:]
	}
	return slices.Clone(texts[:min(len(texts), f.most)])
}

// below lists the expressions below e. Parts come before the whole, as far as recursion allows.
func (f *firstTexts) below(e *grammar.Expr) []*grammar.Expr {
	seen := map[*grammar.Expr]bool{e: true}
	list := []*grammar.Expr{e}
	add := func(x *grammar.Expr) {
		if !seen[x] {
			seen[x] = true
			list = append(list, x)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, k := range list[i].Children {
			add(k)
		}
		if r := list[i].Rule; r != nil && (r.Kind != grammar.Skip || r.Inline) {
			add(r.Body)
		}
	}
	slices.Reverse(list)
	return list
}

// texts computes the first texts of e from those of its parts.
func (f *firstTexts) texts(e *grammar.Expr) []string {
	switch e.Op {
	case grammar.Lit:
		return []string{e.Text}
	case grammar.Class:
		var out []string
		for i := range min(e.Gen.Len(), f.most+1) {
			out = append(out, string(e.Gen.At(i)))
		}
		return out
	case grammar.Choice:
		var out []string
		for _, k := range e.Children {
			out = append(out, f.known[k.ID]...)
		}
		return f.first(out)
	case grammar.Rep:
		return f.repeated(e)
	case grammar.Ref:
		switch {
		case e.Rule == nil:
			return nil
		case e.Rule.Kind == grammar.Skip && !e.Rule.Inline:
			return []string{""}
		}
		return f.known[e.Rule.Body.ID]
	case grammar.Diff:
		return f.known[e.Children[0].ID]
	}
	out := []string{""}
	for _, k := range e.Children {
		out = f.pairs(out, f.known[k.ID])
	}
	return out
}

func (f *firstTexts) repeated(e *grammar.Expr) []string {
	element := f.known[e.Children[0].ID]
	power := []string{""}
	for range e.Min {
		next := f.pairs(power, element)
		if slices.Equal(next, power) {
			break
		}
		power = next
	}
	all := power
	for i := e.Min; i != e.Max; i++ {
		power = f.pairs(power, element)
		next := f.first(append(slices.Clone(all), power...))
		if slices.Equal(next, all) {
			break
		}
		all = next
	}
	return all
}

// pairs returns the first texts that begin with one of as and end with one of bs.
func (f *firstTexts) pairs(as, bs []string) []string {
	var out []string
	for _, a := range as {
		for _, b := range bs {
			out = append(out, a+b)
		}
	}
	return f.first(out)
}

// first sorts texts and keeps the first ones, each once.
func (f *firstTexts) first(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	texts = slices.Compact(texts)
	return texts[:min(len(texts), f.most+1)]
}
