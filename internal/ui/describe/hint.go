package describe

import (
	"context"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
)

// hintMemory bounds the tables of a hint, in bytes, and so its time, to some tenths of a second.
// Grammars that need more get no hint.
const hintMemory = 8 << 20

// MissedParts returns the number of alternatives that n sentences of strategy uniform are expected to
// miss, and the number of all. Both are 0 for other strategies and where the answer would cost
// too much.
func MissedParts(ctx context.Context, g *grammar.Grammar, o sample.Options, n int) (missed, all int) {
	if o.Strategy != sample.Uniform {
		return 0, 0
	}
	x := Uniform(ctx, g, o)
	if x == nil {
		return 0, 0
	}
	for _, ok := range x.Possible {
		if ok {
			all++
		}
	}
	return len(x.Missed(n)), all
}

// Uniform returns the averages of strategy uniform, nil where they would cost too much.
func Uniform(ctx context.Context, g *grammar.Grammar, o sample.Options) *sample.Explanation {
	o.MaxMemory, o.Progress = hintMemory, nil
	x, err := sample.Explain(ctx, g, o, -1, nil)
	if err != nil {
		return nil
	}
	return x
}

const (
	drawn   = 200 // the number of sentences whose terminals are counted
	manyOf  = 8   // a class with fewer characters drowns little
	maxSize = 5000
)

// Spelled returns the rules that spell a word or a number character by character, such as int =
// [1-9] digits, and are no tokens, in the order of the grammar. It also returns their share of
// all terminals in uniform sentences of the default bound. The share is 0 where there are no such
// rules, and where the answer would cost too much.
func Spelled(ctx context.Context, g *grammar.Grammar) (rules []*grammar.Rule, share float64) {
	if len(g.Exprs) > maxSize {
		return nil, 0
	}
	spells := spelling(g)
	if !slices.ContainsFunc(g.Rules, func(r *grammar.Rule) bool { return spells[r.ID] }) {
		return nil, 0
	}
	s, err := sample.New(ctx, g, sample.Options{Seed: 1, MaxMemory: hintMemory})
	if err != nil {
		return nil, 0
	}
	src, of, total := s.Source(), make([]int, len(g.Rules)), 0
	for i := range uint64(drawn) {
		t, err := src.Tree(ctx, i)
		if err != nil {
			return nil, 0
		}
		outer, end := -1, 0 // the outermost such rule around a node, and its end
		for j := range t.Nodes() {
			node := &t.Nodes()[j]
			if j >= end {
				outer = -1
			}
			switch e := node.Expr; {
			case e.Op == grammar.Ref && e.Rule != nil && spells[e.Rule.ID] && outer < 0:
				outer, end = e.Rule.ID, node.End
			case e.Op == grammar.Class, e.Op == grammar.Lit && e.Text != "", e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind == grammar.Token:
				total++
				if outer >= 0 {
					of[outer]++
				}
			}
		}
	}
	for _, r := range g.Rules {
		if of[r.ID] > 0 {
			rules, share = append(rules, r), share+float64(of[r.ID])/float64(total)
		}
	}
	slices.SortStableFunc(rules, func(a, b *grammar.Rule) int { return of[b.ID] - of[a.ID] })
	return rules, share
}

// spelling marks the syntax rules, except the start, whose text is a run of characters of any
// length. Such a rule consists of classes, literals of one character, and rules of the same kind;
// at least one class has many characters.
func spelling(g *grammar.Grammar) []bool {
	chars, many, long := make([]bool, len(g.Rules)), make([]bool, len(g.Rules)), make([]bool, len(g.Rules))
	for _, r := range g.Rules {
		chars[r.ID] = !r.Inline && (r.Kind == grammar.Syntax || r.Kind == grammar.Fragment) && r != g.Start
	}
	for changed := true; changed; { // rules with other parts are removed until none is left
		changed = false
		for _, r := range g.Rules {
			if chars[r.ID] && !plain(r.Body, chars, r.Recursive) {
				chars[r.ID], changed = false, true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, r := range g.Rules {
			if !chars[r.ID] {
				continue
			}
			m, l := many[r.ID], long[r.ID] || r.Recursive
			r.Body.Walk(func(e *grammar.Expr) {
				m = m || e.Op == grammar.Class && e.Gen.Len() >= manyOf || e.Op == grammar.Choice && len(e.Children) >= manyOf || e.Rule != nil && many[e.Rule.ID]
				l = l || e.Op == grammar.Rep && e.Max < 0 || e.Rule != nil && long[e.Rule.ID]
			})
			changed = changed || m != many[r.ID] || l != long[r.ID]
			many[r.ID], long[r.ID] = m, l
		}
	}
	for i := range chars {
		chars[i] = chars[i] && many[i] && long[i] && g.Rules[i].Kind == grammar.Syntax
	}
	return chars
}

// plain reports whether an expression consists of letters, digits and rules of them. In a
// recursive rule no sequence has two references, as an operator between two operands would need.
func plain(body *grammar.Expr, chars []bool, recursive bool) bool {
	ok := true
	body.Walk(func(e *grammar.Expr) {
		switch e.Op {
		case grammar.Lit:
			r, size := utf8.DecodeRuneInString(e.Text)
			ok = ok && size == len(e.Text) && (size == 0 || word(r))
		case grammar.Ref:
			ok = ok && e.Rule != nil && chars[e.Rule.ID]
		case grammar.Class:
			for _, span := range e.Gen.Ranges() {
				ok = ok && word(span.Lo) && word(span.Hi)
			}
		case grammar.Diff:
			ok = false
		case grammar.Seq:
			refs := 0
			for _, k := range e.Children {
				if k.Op == grammar.Ref && k.Rule != nil && k.Rule.Recursive {
					refs++
				}
			}
			ok = ok && (!recursive || refs < 2)
		}
	})
	return ok
}

// word reports whether r occurs in words and numbers.
func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// UniformNote returns the remark about the rules that [Spelled] finds; ok says that most terminals are
// theirs.
func UniformNote(ctx context.Context, g *grammar.Grammar) (d grammar.Diagnostic, ok bool) {
	rules, share := Spelled(ctx, g)
	if share <= 0.5 {
		return d, false
	}
	how := "put @token before its name"
	if g.Notation != "ebnf" {
		how = "write %token " + rules[0].Name + " into a companion file"
	}
	others := ""
	if len(rules) > 1 {
		others = " and others like it"
	}
	return grammar.Diagnostic{Severity: grammar.Note, Pos: rules[0].Pos, Code: "spelled", Rule: rules[0].Name,
		Message: fmt.Sprintf("%.0f %% of the terminals of uniform sentences are characters of rule %q%s, which leave little for the rest", 100*share, rules[0].Name, others),
		Hint:    how + ", and each counts as one terminal"}, true
}
