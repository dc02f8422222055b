package reduce

import "slices"

// editKind is the origin of an edit. Edits of one kind that save about as much
// tend to hold or fail together.
type editKind uint8

const (
	plainEdit editKind = iota
	listEdit
	minimalEdit
	hoistEdit
	jointEdit
	allEdit // a joint edit of all nodes of one kind
	useEdit
	joinEdit // tried late only
)

// mark sets the kind of edits.
func (k editKind) mark(es []edit) []edit {
	for i := range es {
		es[i].kind = k
	}
	return es
}

// editBuilder makes the candidate of an edit on top of the accepted ones.
type editBuilder func(held []edit, e edit) (*candidate, error)

// tryRounds tries rounds of edits of one base. It ends early once half of the text is gone, and
// then reports that the edits must be listed again.
func (s *search) tryRounds(rounds [][]edit, build editBuilder) (again bool, err error) {
	var held []edit
	before := len(s.best.text)
	for _, es := range rounds {
		in, err := s.tryRound(held, es, build)
		if err != nil {
			return false, err
		}
		held = slices.Concat(held, pick(es, in))
		if len(s.best.text) < before/2 {
			return true, nil
		}
	}
	return false, nil
}

// tryRound tries edits on top of accepted ones, and returns the indices of those that hold.
func (s *search) tryRound(held, es []edit, build editBuilder) ([]int, error) {
	var last []int // accepted edits of this round; with has all accepted ones
	with := held
	return s.tryAll(len(es), func(in []int, i int) (*candidate, error) {
		if !slices.Equal(in, last) {
			last = slices.Clone(in)
			with = slices.Concat(held, pick(es, in))
		}
		return build(with, es[i])
	}, func(i int) editKind { return es[i].kind })
}

// pick returns the edits with the given numbers.
func pick(es []edit, in []int) []edit {
	out := make([]edit, 0, len(in))
	for _, i := range in {
		out = append(out, es[i])
	}
	return out
}
