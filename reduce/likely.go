package reduce

import (
	"math"
	"slices"
)

// needs has an estimate for every byte of a text: the expected number of parts that begin there
// and that the property needs. A failed deletion raises the estimates of its bytes. The idea is that
// of ProbDD (Wang and others, ESEC/FSE 2021); here edits are of all kinds, and overlap.
type needs struct {
	of   []float64 // the estimates; 0 for a byte that is gone
	left []bool    // false for a byte that is gone

	// Sums over the bytes before each; the last is that over all.
	sum  []float64 // of estimates
	size []int     // of bytes that are left
}

// expectedParts is the number of parts that a text is expected to need before any question.
const expectedParts = 8

// mostNeeded bounds the estimate of one byte. An edit that deletes such a byte counts as one that
// saves a fiftieth.
const mostNeeded = 4

func newNeeds(size int) *needs {
	n := &needs{make([]float64, size), make([]bool, size), make([]float64, size+1), make([]int, size+1)}
	for i := range size {
		n.of[i], n.left[i] = expectedParts/float64(size), true
	}
	n.add(0)
	return n
}

// add computes the sums behind byte from.
func (n *needs) add(from int) {
	for i := from; i < len(n.of); i++ {
		n.sum[i+1], n.size[i+1] = n.sum[i]+n.of[i], n.size[i]
		if n.left[i] {
			n.size[i+1]++
		}
	}
}

// each calls f for the ranges of bytes that e cuts. The ranges do not overlap.
func (e *edit) each(f func(from, to int)) {
	at := 0
	for _, c := range e.cuts {
		if from := max(c.from, at); from < c.to {
			f(from, c.to)
			at = c.to
		}
	}
}

// cut returns the number of needed parts that e is expected to delete, and the bytes that it saves.
func (n *needs) cut(e *edit) (parts float64, saves int) {
	e.each(func(from, to int) {
		parts += n.sum[to] - n.sum[from]
		saves += n.size[to] - n.size[from]
	})
	for _, c := range e.cuts {
		saves -= len(c.with)
	}
	return parts, saves
}

// failed records the answer no for e. By Bayes' rule the estimates of all its bytes grow by the same
// factor.
func (n *needs) failed(e *edit) {
	parts, _ := n.cut(e)
	if parts == 0 {
		return
	}
	factor := 1 / -math.Expm1(-parts)
	e.each(func(from, to int) {
		for i := from; i < to; i++ {
			n.of[i] = min(n.of[i]*factor, mostNeeded)
		}
	})
	n.add(e.cuts[0].from)
}

// gone records the answer yes for e.
func (n *needs) gone(e *edit) {
	e.each(func(from, to int) {
		clear(n.of[from:to])
		clear(n.left[from:to])
	})
	n.add(e.cuts[0].from)
}

// batch is the number of edits that are chosen at once, as if all of them failed. Workers ask ahead
// within it.
const batch = 8

// choose returns the next batch: the edits that are expected to save most bytes, and at least worth.
// It records a failure of each in n. The values of expected are upper bounds of the bytes that each edit
// will save, and choose lowers them; -1 marks an edit that was chosen or given up. The values of rates
// belong to the kinds of edits.
func (n *needs) choose(es []edit, expected []float64, rates *[len(editKinds)]float64, worth float64) (chosen []edit) {
	for len(chosen) < batch {
		best := -1
		for i, bound := range expected {
			if bound < worth || best >= 0 && bound <= expected[best] {
				continue
			}
			if rates[es[i].kind] == 0 { // given up
				expected[i] = -1
				continue
			}
			parts, saves := n.cut(&es[i])
			expected[i] = float64(max(saves, 1)) * rates[es[i].kind] * math.Exp(-parts)
			if expected[i] >= worth && (best < 0 || expected[i] > expected[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		chosen, expected[best] = append(chosen, es[best]), -1
		n.failed(&es[best])
	}
	return chosen
}

// clone returns a copy for edits that may fail.
func (n *needs) clone() *needs {
	return &needs{slices.Clone(n.of), n.left, slices.Clone(n.sum), n.size}
}

// tryLikely tries edits of the best text. The next edits are always those that are expected to save
// most bytes; it ends when none is expected to save worth. It ends earlier once half of the text is
// gone, and reports that the edits must be listed again.
func (s *search) tryLikely(es []edit, worth float64, build editBuilder) (again bool, err error) {
	before := len(s.best.text)
	es = byGain(es)
	n := newNeeds(before)
	expected := make([]float64, len(es))
	for i := range expected {
		expected[i] = math.Inf(1)
	}
	var held []edit
	for {
		var rates [len(editKinds)]float64
		for k := range rates {
			if !s.givenUp(editKind(k)) {
				rates[k] = s.rate(editKind(k))
			}
		}
		failing := n.clone()
		round := failing.choose(es, expected, &rates, worth)
		if len(round) == 0 {
			return false, nil
		}
		in, err := s.tryOn(held, round, build)
		if err != nil {
			return false, err
		}
		if len(in) == 0 {
			n = failing
			continue
		}
		yes := pick(round, in)
		held = slices.Concat(held, yes)
		for _, e := range yes {
			n.gone(&e)
		}
		// Bytes that are gone were not needed, so they come before the failures.
		for i := range round {
			if !slices.Contains(in, i) {
				n.failed(&round[i])
			}
		}
		// An edit that lost needed bytes is likelier now, so the old bounds do not hold.
		for i := range expected {
			if expected[i] >= 0 {
				expected[i] = math.Inf(1)
			}
		}
		if len(s.best.text) < before/2 {
			return true, nil
		}
	}
}
