package reduce

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// certified alternates passes until none of them and no detour finds anything more. Then it goes
// beyond their edits: to all small sentences of the grammar, and to texts with lesser bytes, in at most
// Options.Certify calls.
func (s *search) certified(ps []pass, ends ...func(*search) error) error {
	for {
		if err := s.fixpoint(ps, !s.o.FewCalls); err != nil {
			return err
		}
		before := s.best
		if err := everyRun(s); err != nil {
			return err
		}
		if s.best == before {
			if err := s.detour(); err != nil {
				return err
			}
		}
		if s.best != before {
			continue
		}
		if s.o.Certify == 0 {
			return nil
		}
		s.certifying = true
		for _, end := range ends {
			s.countAs(certifyName)
			if err := end(s); err != nil {
				return err
			}
			if s.best != before {
				break
			}
		}
		s.certifying = false
		if s.best == before {
			return nil
		}
	}
}

// certify notes that candidates were tried in full, unless some had no answer.
func (s *search) certify(c Certificate) {
	if len(s.unanswered) == 0 && !slices.Contains(s.stats.Certified, c) {
		s.stats.Certified = append(s.stats.Certified, c)
	}
}

const certifyName = "certify"

// certifyCalls returns the remaining calls for certify.
func (s *search) certifyCalls() int { return max(s.o.Certify-s.counters().Calls, 0) }

// slackOfSmallest bounds the size of enumerated sentences above that of the least sentence, in
// its unit.
const slackOfSmallest = 24

// smallestSentences tries the smallest sentences of the grammar, in the order of
// their terminals. Each is tried with the least tokens, and with those of the best.
func smallestSentences(s *search) error {
	return s.enumerate(grammar.Terminals, grammar.Structure, nil, s.certifyCalls()/4)
}

// smallestTexts tries the shortest sentences of the grammar that consist of characters of the
// best and of the least tokens.
func smallestTexts(s *search) error {
	if s.best.tree == nil {
		return nil
	}
	return s.enumerate(grammar.Bytes, grammar.Exact, s.alphabetOfBest(), s.certifyCalls()/2)
}

// shortestTexts tries the shortest sentences of the grammar.
func shortestTexts(s *search) error {
	return s.enumerate(grammar.Bytes, grammar.Exact, nil, s.certifyCalls()/2)
}

// enumerate tries all sentences of the least sizes, at most n of them.
func (s *search) enumerate(u grammar.Unit, measure grammar.Measure, mask *grammar.Mask, n int) error {
	if s.best.tree == nil || s.o.Derive.Hooks != nil || n == 0 {
		return nil
	}
	g := s.best.tree.Grammar
	least := g.Facts(mask, measure).Size(g.Root, u, grammar.Any)
	most := least + slackOfSmallest
	if u == grammar.Bytes {
		most = min(most, len(s.best.text))
	}
	if most < least {
		return nil
	}
	table, err := count.New(s.ctx, g, count.Sizes(least, most, u), count.Options{Mask: mask, Measure: measure, Names: s.o.Names, MaxMemory: 64 << 20})
	if err != nil {
		return s.ctx.Err() // infinitely many, or too many to count
	}
	total, whole := new(big.Int), least-1 // the greatest size that is completely tried
	for k := least; k <= most; k++ {
		total.Add(total, table.At(k))
		if total.Cmp(big.NewInt(int64(n))) > 0 {
			total.Sub(total, table.At(k))
			break
		}
		whole = k
	}
	pool := s.tokensOfBest()
	variants := 1
	if measure == grammar.Structure && len(pool) > 0 {
		variants = 2
	}
	before := s.best
	_, err = s.tryAll(variants*int(total.Int64()), func(_ []int, i int) (*candidate, error) {
		choices, err := table.UnrankChoices(big.NewInt(int64(i / variants)))
		if err != nil {
			return nil, err
		}
		c, err := s.replay(choices)
		if c == nil || err != nil || i%variants == 0 {
			return c, err
		}
		return s.withTokens(c, pool)
	}, nil)
	if err != nil || s.best != before || total.Sign() == 0 || mask != nil {
		return err
	}
	claim := fmt.Sprintf("smaller sentences of at most %d %v", whole, u)
	if measure == grammar.Structure {
		claim += " with the least tokens"
	}
	s.certify(Certificate{Claim: claim, Tried: int(total.Int64())})
	return nil
}

// withoutParts tries to delete every part of the best, and every two: list elements and parts
// that a shorter derivation can replace, or the tokens of a text.
func withoutParts(s *search) error {
	var parts []edit
	build, what := s.textBuilder(), "tokens"
	if s.best.tree != nil {
		v := s.bestView()
		build, what = s.treeBuilder(v), "parts"
		for i := range v.tree.Nodes() {
			if v.visible[i] {
				parts = append(append(parts, singleElements(v.listEdits(i))...), v.minimalEdits(i)...)
			}
		}
	} else {
		l := lexText(s.best.text)
		for i := range l.tokens {
			parts = append(parts, newEdit(l.del(i, i+1)))
		}
	}
	parts = byGain(parts)
	var pairs []edit
	if n := len(parts); n*(n-1)/2 <= s.certifyCalls()/2 {
		for i, a := range parts {
			for _, b := range parts[i+1:] {
				if cuts, ok := merge([]edit{a, b}); ok && len(cuts) > 1 {
					pairs = append(pairs, newEdit(slices.Clone(cuts)...))
				}
			}
		}
	}
	before := s.best
	for i, es := range [][]edit{parts, pairs} {
		if len(es) == 0 || len(es) > s.certifyCalls() {
			return nil
		}
		if err := s.tryEdits(es, build); err != nil || s.best != before {
			return err
		}
		s.certify(Certificate{Claim: "the result without " + []string{"one of its ", "two of its "}[i] + what, Tried: len(es)})
	}
	return nil
}

// tokensOfBest returns the choices of the tokens of the best that are no names, by rule.
func (s *search) tokensOfBest() map[*grammar.Rule][][]int {
	pool := map[*grammar.Rule][][]int{}
	v := s.bestView()
	for i := range v.tree.Nodes() {
		if n := &v.tree.Nodes()[i]; v.visible[i] && isToken(n) && !n.Name && n.From < n.To {
			pool[n.Expr.Rule] = append(pool[n.Expr.Rule], v.tree.Choices()[n.From:n.To])
		}
	}
	return pool
}

// withTokens replaces tokens by those of a pool for their rules, in turn.
func (s *search) withTokens(c *candidate, pool map[*grammar.Rule][][]int) (*candidate, error) {
	var cuts []cut
	next := map[*grammar.Rule]int{}
	for i := 0; i < len(c.tree.Nodes()); i++ {
		n := &c.tree.Nodes()[i]
		if !isToken(n) {
			continue
		}
		if all := pool[n.Expr.Rule]; all != nil && !n.Name {
			cuts = append(cuts, choiceCut(n.From, n.To, all[next[n.Expr.Rule]%len(all)]...))
			next[n.Expr.Rule]++
		}
		i = n.End - 1
	}
	if cuts == nil {
		return nil, nil
	}
	return s.replay(spliceChoices(c.choices(), cuts))
}

// alphabetOfBest returns a mask: classes keep only the characters of the best, and the least one;
// choices inside tokens keep only the alternatives of the best, and the least one.
func (s *search) alphabetOfBest() *grammar.Mask {
	t := s.best.tree
	used := map[*grammar.Expr][]int{}
	for i := range t.Nodes() {
		if n := &t.Nodes()[i]; n.Expr.Op == grammar.Class || n.Expr.Op == grammar.Choice {
			used[n.Expr] = append(used[n.Expr], n.Val)
		}
	}
	m := s.bestView().minimal
	mask := grammar.NewMask(t.Grammar)
	var visit func(e *grammar.Expr, token bool)
	visit = func(e *grammar.Expr, token bool) {
		switch {
		case e.Op == grammar.Class && e.Gen.Len() > 0:
			ranges := []grammar.Range{{Lo: e.Gen.At(0), Hi: e.Gen.At(0)}}
			for _, r := range used[e] {
				ranges = append(ranges, grammar.Range{Lo: rune(r), Hi: rune(r)})
			}
			mask.SetClass(e.ID, grammar.NewSet(ranges...))
		case e.Op == grammar.Choice && token:
			for alt := range e.Children {
				mask.Set(e, alt, alt == m.minimalAlternative(e) || slices.Contains(used[e], alt))
			}
		}
		for _, child := range e.Children {
			visit(child, token)
		}
	}
	for _, r := range t.Grammar.Rules {
		visit(r.Body, r.Kind.Lexical())
	}
	return mask
}
