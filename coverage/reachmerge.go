package coverage

import (
	"context"
	"errors"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// made is a sentence with the alternatives that it takes and the answers that made it.
type made struct {
	tree  *derive.Tree
	took  []int
	trail []int // the answers to all decisions
	stops []int // positions in trail where a repetition ended
}

const (
	mergeStops    = 8   // ends of repetitions at which a sentence is tried to be continued
	mergeVariants = 12  // tries at each; all but the first have random tokens
	mergeTries    = 300 // per set
)

// merged returns the set with fewer sentences, if one sentence can continue at the end of a
// repetition and take the alternatives that only another takes.
func (r *reacher) merged(ctx context.Context, set []made) ([]made, error) {
	tries := mergeTries
	for j := len(set) - 1; j > 0; j-- {
		for i := 0; i < j && tries > 0; i++ {
			others := map[int]bool{} // taken by all other sentences
			for k, m := range set {
				for _, n := range m.took {
					others[n] = others[n] || k != i && k != j
				}
			}
			wanted := func(of made) []int {
				return slices.DeleteFunc(slices.Clone(of.took), func(n int) bool { return others[n] })
			}
			both, err := r.goOn(ctx, set[i], wanted(set[j]), wanted(set[i]), &tries)
			if err != nil {
				return nil, err
			}
			if both != nil {
				set[i] = *both
				set = slices.Delete(set, j, j+1)
				break
			}
		}
	}
	return set, nil
}

// goOn returns a sentence that begins as of, continues at the end of a repetition, and takes
// the alternatives more besides its own; it returns nil if none was found.
func (r *reacher) goOn(ctx context.Context, of made, more, own []int, tries *int) (*made, error) {
	more = slices.DeleteFunc(slices.Clone(more), func(n int) bool { return slices.Contains(of.took, n) })
	for k := len(of.stops) - 1; k >= max(0, len(of.stops)-mergeStops); k-- {
		r.forget()
		r.random = nothingRandom
		goals := more
		for again := 0; again < mergeVariants && *tries > 0; again++ {
			*tries--
			t, err := r.draft(ctx, of.trail[:of.stops[k]], goals, len(goals))
			if errors.As(err, new(*lex.JoinError)) {
				r.random = tokensRandom
				continue
			}
			if errors.Is(err, derive.ErrTooLarge) {
				break
			}
			if err != nil {
				return nil, err
			}
			took := r.takenBy(t)
			taken := func(n int) bool { return slices.Contains(took, n) }
			lost := slices.DeleteFunc(slices.Clone(own), taken) // some were after the repetition
			if len(lost) == 0 && !slices.ContainsFunc(more, func(n int) bool { return !taken(n) }) {
				return r.made(t, took), nil
			}
			if len(lost) == 0 {
				break
			}
			if len(goals) == len(more) {
				again = 0
			}
			r.random = tokensRandom
			goals = append(lost, more...)
			for _, n := range more {
				r.later[n] = 1
			}
		}
	}
	return nil, nil
}

// made returns the sentence of the last draft.
func (r *reacher) made(t *derive.Tree, took []int) *made {
	return &made{t.Clone(), took, slices.Clone(r.trail), slices.Clone(r.stops)}
}

// Choose repeats the earlier answers up to the point of continuation and chooses from there.
// It records the answers.
func (r *reacher) Choose(d *derive.Decision) (v int, err error) {
	at := len(r.trail)
	if at < len(r.before) {
		v = r.before[at]
	} else if v, err = r.choose(d); err != nil {
		return 0, err
	}
	r.trail = append(r.trail, v)
	if d.Kind == derive.GoOn && (v == 0 || v == derive.Default) {
		r.stops = append(r.stops, at)
	}
	return v, nil
}
