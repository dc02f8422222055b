package reduce

import (
	"math/bits"
	"slices"
)

// editKind says where an edit comes from; edits of one kind that save about as
// much tend to hold or fail together.
type editKind uint8

const (
	plainEdit editKind = iota
	listEdit
	leastEdit
	hoistEdit
	jointEdit
	allEdit // a joint edit of all nodes that are alike
	useEdit
)

// of marks edits as of a kind.
func (k editKind) of(es []edit) []edit {
	for i := range es {
		es[i].kind = k
	}
	return es
}

// firstOfClass is how many edits of a class are in the first round; of runs of
// list elements, which hold most often, and of the few that change all nodes
// that are alike, there are more.
const (
	firstOfClass = 2
	firstOfLists = 5
)

// tinyPart is the part of the text that an edit has to save to be in the first
// round; each halving of that puts it a round later.
const tinyPart = 64

// schedule puts edits into rounds. A class is the edits of one kind that save
// about as much: the first round has a few of every class, spread over it, and
// each further round as many again as all before. Within a round what saves
// most comes first. So a kind of edit that is hopeless here, of which there may
// be hundreds, costs a few questions before others get theirs.
// Size is that of the text. At most most rounds are returned, all with 0.
func schedule(es []edit, size, most int) [][]edit {
	type class struct {
		kind  editKind
		saves int
	}
	classes := map[class][]int{}
	es = byGain(es)
	for i, e := range es {
		c := class{e.kind, bits.Len(uint(e.gain))}
		classes[c] = append(classes[c], i)
	}
	round := make([]int, len(es))
	last := 0
	for c, members := range classes {
		first := firstOfClass
		if c.kind == listEdit || c.kind == allEdit {
			first = firstOfLists
		}
		late := max(bits.Len(uint(size/tinyPart))-c.saves, 0)
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
	if most > 0 {
		rounds = rounds[:min(most, len(rounds))]
	}
	return rounds
}

// spread orders 0 … n-1 so that every beginning of the order is spread over the
// whole: by the bits of the number reversed.
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

// editBuilder makes the candidate of an edit on top of those that held.
type editBuilder func(held []edit, e edit) (*candidate, error)

// rounds sweeps over rounds of edits of one base. It ends early, for the edits
// to be listed anew, once half of the text is gone; it reports whether it did.
func (s *search) rounds(rounds [][]edit, build editBuilder) (again bool, err error) {
	var held []edit
	before := len(s.best.text)
	for _, es := range rounds {
		var last []int // edits of this round, and with them all that held
		with := held
		in, err := s.sweep(len(es), func(in []int, i int) (*candidate, error) {
			if !slices.Equal(in, last) {
				last = slices.Clone(in)
				with = slices.Concat(held, pick(es, in))
			}
			return build(with, es[i])
		})
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
