package reduce

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// hypothesisPass edits the choice sequence with the passes of MacIver and Donaldson
// (ECOOP 2020): delete spans, replace a span by a descendant, minimise single
// choices, lower one and delete its dependents, redistribute, sort. A span is the
// choices of one node of the tree.
func hypothesisPass(s *search) error {
	for _, run := range []func(*search) error{deleteSpans, toDescendant, minimiseChoices, lowerAndDelete, redistribute, sortSpans} {
		if s.best.tree == nil {
			return nil
		}
		if err := run(s); err != nil {
			return err
		}
	}
	return nil
}

// span is a range of the choice sequence.
type span struct {
	from, to int
	rule     *grammar.Rule
}

// spans returns the spans of the nodes of the best tree, longest first.
func (s *search) spans() []span {
	var all []span
	t := s.best.tree
	for i := range t.Nodes() {
		n := &t.Nodes()[i]
		if n.From < n.To {
			sp := span{from: n.From, to: n.To}
			if n.Expr.Op == grammar.Ref {
				sp.rule = n.Expr.Rule
			}
			all = append(all, sp)
		}
	}
	slices.SortStableFunc(all, func(a, b span) int { return (b.to - b.from) - (a.to - a.from) })
	return all
}

// tryChoiceEdits tries edits of the best choice sequence.
func (s *search) tryChoiceEdits(es []edit) error {
	base := s.best.choices()
	var m merger
	return s.tryEdits(es, func(held []edit, e edit) (*candidate, error) {
		cuts, ok := m.with(held, e)
		if !ok {
			return nil, nil
		}
		return s.replay(spliceChoices(base, cuts))
	})
}

// choiceCut is a cut of choices only. Its byte range has the same numbers, so that it merges like
// cuts of texts.
func choiceCut(from, to int, with ...int) cut {
	return cut{from: from, to: to, cfrom: from, cto: to, cwith: with, with: string(make([]byte, len(with)))}
}

// deleteSpans deletes spans, or replaces them by the default.
func deleteSpans(s *search) error {
	var es []edit
	for _, sp := range s.spans() {
		es = append(es, edit{cuts: []cut{choiceCut(sp.from, sp.to)}}, edit{cuts: []cut{choiceCut(sp.from, sp.to, derive.Default)}})
		if sp.from > 0 { // with the choice to go on before it
			es = append(es, edit{cuts: []cut{choiceCut(sp.from-1, sp.to)}})
		}
	}
	return s.tryChoiceEdits(es)
}

// maxInner bounds the descendants tried for one span.
const maxInner = 32

// toDescendant replaces a longer span of the same rule by a span inside it.
func toDescendant(s *search) error {
	all := s.spans()
	var es []edit
	for _, outer := range all {
		if outer.rule == nil {
			continue
		}
		near := 0
		for _, inner := range all {
			if near == maxInner {
				break
			}
			if inner.rule == outer.rule && inner.from >= outer.from && inner.to <= outer.to && inner.to-inner.from < outer.to-outer.from {
				es = append(es, edit{cuts: dropEmpty([]cut{choiceCut(outer.from, inner.from), choiceCut(inner.to, outer.to)}), keep: [][2]int{{inner.from, inner.to}}})
				near++
			}
		}
	}
	return s.tryChoiceEdits(es)
}

// minimiseChoices tries smaller values of every choice: 0, then by halves.
func minimiseChoices(s *search) error { return s.tryChoiceEdits(lowered(s.best.choices())) }

// lowered returns the edits that give one choice a smaller value.
func lowered(choices []int) []edit {
	var es []edit
	for i, c := range choices {
		for v := 0; v < c; v += (c - v + 1) / 2 {
			es = append(es, edit{cuts: []cut{choiceCut(i, i+1, v)}})
		}
	}
	return es
}

// lowerAndDelete lowers a choice and deletes some of the next ones, which may
// depend on its value.
func lowerAndDelete(s *search) error {
	base := s.best.choices()
	var es []edit
	for i, c := range base {
		for _, v := range slices.Compact([]int{0, c - 1}) {
			if v < 0 || v >= c {
				continue
			}
			for n := 1; n <= 8 && i+1+n <= len(base); n *= 2 {
				es = append(es, edit{cuts: []cut{choiceCut(i, i+1, v), choiceCut(i+1, i+1+n)}})
			}
		}
	}
	return s.tryChoiceEdits(es)
}

// redistribute moves value from one choice to one of the next three.
func redistribute(s *search) error {
	base := s.best.choices()
	var es []edit
	for i, c := range base {
		for j := i + 1; c > 0 && j < min(i+4, len(base)); j++ {
			es = append(es, edit{cuts: []cut{choiceCut(i, i+1, 0), choiceCut(j, j+1, base[j]+c)}})
			if c > 1 {
				es = append(es, edit{cuts: []cut{choiceCut(i, i+1, c-1), choiceCut(j, j+1, base[j]+1)}})
			}
		}
	}
	return s.tryChoiceEdits(es)
}

// sortSpans swaps neighbouring spans of one rule, the smaller one to the front.
func sortSpans(s *search) error {
	base := s.best.choices()
	all := s.spans()
	slices.SortStableFunc(all, func(a, b span) int { return a.from - b.from })
	var es []edit
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.rule == nil || b.rule != a.rule || b.from < a.to {
				continue
			}
			first, second := base[a.from:a.to], base[b.from:b.to]
			if len(second) < len(first) || len(second) == len(first) && slices.Compare(second, first) < 0 {
				es = append(es, edit{cuts: []cut{choiceCut(a.from, a.to, second...), choiceCut(b.from, b.to, first...)}})
			}
			break
		}
	}
	return s.tryChoiceEdits(es)
}
