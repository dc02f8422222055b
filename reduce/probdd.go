package reduce

import (
	"cmp"
	"slices"
)

// firstGuess is the probability, before any answer, that a part is needed.
const firstGuess = 0.1

// probddPass deletes parts by their probability of being needed. It asks next about
// the set that is expected to save most bytes; a "no" raises the probabilities of
// its members (ProbDD, Wang and others, FSE 2021; weighted by size as in WDD, Zhou
// and others, ICSE 2025). Parts are list elements and nodes of the tree, or lines
// and then tokens of a text without one. Each question depends on the answer
// before, so more workers do not help.
func probddPass(s *search) error {
	if s.best.tree != nil {
		v := s.bestView()
		var parts []edit
		for i := range v.tree.Nodes() {
			if v.visible[i] {
				parts = append(parts, singleElements(v.listEdits(i))...)
				parts = append(parts, v.minimalEdits(i)...)
			}
		}
		return s.probdd(byGain(parts), s.treeBuilder(v))
	}
	l := lexText(s.best.text)
	ls := linesOf(l)
	var lines []edit
	for _, ln := range ls {
		lines = append(lines, newEdit(l.del(ln.from, ln.to)))
	}
	if err := s.probdd(lines, s.textBuilder()); err != nil {
		return err
	}
	l = lexText(s.best.text)
	var words []edit
	for i := range l.tokens {
		words = append(words, newEdit(l.del(i, i+1)))
	}
	return s.probdd(words, s.textBuilder())
}

// singleElements returns the edits that take out one element.
func singleElements(es []edit) []edit {
	var out []edit
	for _, e := range es {
		if e.one {
			out = append(out, e)
		}
	}
	return out
}

// probdd runs the loop on the parts of one base.
func (s *search) probdd(parts []edit, build editBuilder) error {
	type part struct {
		e      edit
		p      float64
		weight float64
	}
	left := make([]part, len(parts))
	for i, e := range parts {
		left[i] = part{e, firstGuess, float64(max(e.gain, 1))}
	}
	var held []edit
	for len(left) > 0 {
		slices.SortStableFunc(left, func(a, b part) int { return cmp.Compare(a.p/a.weight, b.p/b.weight) })
		n, most, gain, all := 0, 0.0, 0.0, 1.0
		for i, x := range left {
			if x.p >= 1 {
				continue
			}
			gain += x.weight
			all *= 1 - x.p
			if gain*all > most {
				n, most = i+1, gain*all
			}
		}
		if n == 0 {
			return nil
		}
		var set []edit
		stay := 1.0
		for _, x := range left[:n] {
			if x.p < 1 {
				set = append(set, x.e)
				stay *= 1 - x.p
			}
		}
		in, err := s.tryAll(1, func([]int, int) (*candidate, error) {
			cuts, ok := merge(set)
			if !ok {
				return nil, nil
			}
			return build(held, edit{cuts: cuts})
		}, nil)
		if err != nil {
			return err
		}
		if len(in) > 0 {
			held = slices.Concat(held, set)
		}
		rest := left[:0:0]
		for i, x := range left {
			switch {
			case i >= n || x.p >= 1:
			case len(in) > 0:
				continue // already deleted
			case len(set) == 1:
				x.p = 1
			default:
				x.p = min(x.p/(1-stay), 1)
			}
			rest = append(rest, x)
		}
		left = rest
	}
	return nil
}
