package reduce

import (
	"math/bits"
	"slices"
)

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

// smallFraction says that an edit in the first round saves at least 1/64 of the
// text. Each halving of that puts it a round later.
const smallFraction = 64

// schedule puts edits into rounds. A class is the edits of one kind with similar savings. The
// first round has a few of every class, spread over it, more of the kinds that hold more often,
// and each further round doubles their number. Within a round, edits that save most come first.
// So hundreds of edits of a hopeless kind cost only a few questions before the others are tried; a
// kind that is given up has no edits in any round. size is that of the text. It returns at most maxRounds rounds, all if that is 0.
func (s *search) schedule(es []edit, size, maxRounds int) [][]edit {
	type class struct {
		kind  editKind
		saves int
	}
	classes := map[class][]int{}
	es = slices.DeleteFunc(byGain(es), func(e edit) bool { return s.firstOf(e.kind) == 0 })
	for i, e := range es {
		c := class{e.kind, bits.Len(uint(e.gain))}
		classes[c] = append(classes[c], i)
	}
	round := make([]int, len(es))
	last := 0
	for c, members := range classes {
		first := s.firstOf(c.kind)
		late := max(bits.Len(uint(size/smallFraction))-c.saves, 0)
		for turn, at := range spread(len(members)) {
			r := bits.Len(uint(turn/first)) + late
			round[members[at]] = r
			last = max(last, r)
		}
	}
	rounds := make([][]edit, last+1)
	for i, e := range es {
		rounds[round[i]] = append(rounds[round[i]], e)
	}
	rounds = slices.DeleteFunc(rounds, func(r []edit) bool { return len(r) == 0 })
	if maxRounds > 0 {
		rounds = rounds[:min(maxRounds, len(rounds))]
	}
	return rounds
}

// spread orders 0 … n-1 by their reversed bits, so that every prefix of the order
// is spread over the whole range.
func spread(n int) []int {
	order := make([]int, 0, n)
	width := bits.Len(uint(max(n-1, 0)))
	for i := range 1 << width {
		if at := int(bits.Reverse(uint(i)) >> (bits.UintSize - width)); at < n {
			order = append(order, at)
		}
	}
	return order
}

// editBuilder makes the candidate of an edit on top of the accepted ones.
type editBuilder func(held []edit, e edit) (*candidate, error)

// tryRounds tries rounds of edits of one base. It ends early once half of the text is gone, and
// then reports that the edits must be listed again.
func (s *search) tryRounds(rounds [][]edit, build editBuilder) (again bool, err error) {
	var held []edit
	before := len(s.best.text)
	for _, es := range rounds {
		var last []int // accepted edits of this round; with has all accepted ones
		with := held
		in, err := s.tryAll(len(es), func(in []int, i int) (*candidate, error) {
			if !slices.Equal(in, last) {
				last = slices.Clone(in)
				with = slices.Concat(held, pick(es, in))
			}
			return build(with, es[i])
		}, func(i int) editKind { return es[i].kind })
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

// pick returns the edits with the given numbers.
func pick(es []edit, in []int) []edit {
	out := make([]edit, 0, len(in))
	for _, i := range in {
		out = append(out, es[i])
	}
	return out
}
