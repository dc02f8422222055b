package scope

import (
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Coarse states have a partial order: more visible names, fewer names in play, and a bound text
// allow everything that less allows, and lead to greater states again. So the states in which
// something is possible are those above some minimal ones.

// order is the partial order of the coarse states of a space. A state has a level in each
// dimension.
type order struct {
	sp         *States
	dimensions []dimension
	least      State            // allows least; no name is pending, since that could be used
	early      uint64           // the components of names that may be used early
	free       State            // in which all of these may be
	known      map[State]string // levels
}

// dimension is a chain of values in the state of one component.
type dimension struct {
	component  int
	unit, size State   // the state is a sum of values, less than size, times units
	chain      []State // the values, the one that allows least first
}

func newOrder(sp *States) *order {
	o := &order{sp: sp, known: map[State]string{}}
	for i := range sp.ns {
		c := &sp.ns[i]
		add := func(unit, size State, chain ...State) {
			if c.size > unit {
				o.dimensions = append(o.dimensions, dimension{i, unit, size, chain})
			}
		}
		number := func(unit, size State) { // fewer names allow more
			var chain []State
			for n := size - 1; n >= 0; n-- {
				chain = append(chain, n)
			}
			add(unit, size, chain...)
		}
		switch one := State(len(c.Texts) + 1); {
		case c.hides:
			var chain []State // more names allow more
			for n := range one {
				chain = append(chain, n)
			}
			add(1, one, chain...)
			add(one, one, chain...)
			number(one*one, one)
		case c.total && c.forward > 0:
			o.early |= 1 << i
			fallthrough
		case c.total:
			number(1, c.size)
		case c.forward > 0:
			add(1, 2, 0, 1)
			number(2, c.unit()/2)
			number(c.unit(), c.size/c.unit()) // the last state is another
			o.early |= 1 << i
		case c.binds || !c.commit:
			add(1, 4, 0, 1)
			number(4, c.size/4)
		default:
			add(1, 4, 0, 2, 1)
			number(4, c.size/4)
		}
	}
	o.least = o.state(make([]int, len(o.dimensions)))
	for i := range sp.ns {
		if c := &sp.ns[i]; c.forward > 0 && !c.total {
			part := sp.space.Part(o.least, i)
			o.least = sp.space.With(o.least, i, part-2*c.pending(part))
			o.free = sp.space.With(o.free, i, c.size-1)
		}
	}
	return o
}

// levels returns those of a state, two bytes for each dimension.
func (o *order) levels(s State) string {
	if text, ok := o.known[s]; ok {
		return text
	}
	levels := make([]byte, 0, 2*len(o.dimensions))
	for _, d := range o.dimensions {
		at := slices.Index(d.chain, o.sp.space.Part(s, d.component)/d.unit%d.size)
		levels = append(levels, byte(at>>8), byte(at))
	}
	text := string(levels)
	o.known[s] = text
	return text
}

// state returns the state with these levels.
func (o *order) state(levels []int) State {
	s := State(0)
	for i, d := range o.dimensions {
		part := o.sp.space.Part(s, d.component)
		s = o.sp.space.With(s, d.component, part+d.chain[levels[i]]*d.unit)
	}
	return s
}

// atLeast reports whether state s allows everything that t allows.
func (o *order) atLeast(s, t State) bool { return s == t || above(o.levels(s), o.levels(t)) }

func above(a, b string) bool {
	for i := 0; i < len(a); i += 2 {
		if a[i] < b[i] || a[i] == b[i] && a[i+1] < b[i+1] {
			return false
		}
	}
	return true
}

// statesFrom is an upward closed set of states, represented by the levels of its minimal
// elements.
type statesFrom string

// has reports whether s is in a set.
func (o *order) has(set statesFrom, s State) bool {
	levels, n := o.levels(s), 2*len(o.dimensions)
	for at := 0; at < len(set); at += n + 1 {
		if above(levels, string(set[at:at+n])) {
			return true
		}
	}
	return false
}

// from returns the set of all states at or above s.
func (o *order) from(s State) statesFrom { return statesFrom(o.levels(s) + ";") }

// minimal returns the set of the states that a test allows, which must be upward closed. It tests
// few more states than the set has minimal ones, for each dimension.
func (o *order) minimal(allows func(State) bool) statesFrom {
	var least []string
	seen := map[string]bool{}
	var search func(top []int)
	search = func(top []int) {
		key := o.levels(o.state(top))
		if seen[key] || !allows(o.state(top)) {
			return
		}
		seen[key] = true
		low := o.lower(top, allows)
		if text := o.levels(o.state(low)); !slices.Contains(least, text) {
			least = append(least, text)
		}
		for i, level := range low { // the other minimal states are lower in some dimension
			if level > 0 {
				below := slices.Clone(top)
				below[i] = level - 1
				search(below)
			}
		}
	}
	if bottom := make([]int, len(o.dimensions)); allows(o.state(bottom)) {
		return o.from(o.state(bottom))
	}
	search(o.most())
	slices.Sort(least)
	var b strings.Builder
	for _, text := range least {
		b.WriteString(text + ";")
	}
	return statesFrom(b.String())
}

// most returns the levels of the state that allows most, and top that state.
func (o *order) most() []int {
	levels := make([]int, len(o.dimensions))
	for i, d := range o.dimensions {
		levels[i] = len(d.chain) - 1
	}
	return levels
}

func (o *order) top() State { return o.state(o.most()) }

// lower returns a minimal state that a test allows, at or below one that it allows. It tries to
// lower many dimensions at once, since few matter.
func (o *order) lower(top []int, allows func(State) bool) []int {
	low := slices.Clone(top)
	var lower func(from, to int)
	lower = func(from, to int) {
		before := slices.Clone(low[from:to])
		clear(low[from:to])
		if from == to || allows(o.state(low)) {
			return
		}
		copy(low[from:to], before)
		if to-from > 1 {
			middle := (from + to) / 2
			lower(from, middle)
			lower(middle, to)
			return
		}
		least, most := 1, low[from] // the greatest allowed level
		for least < most {
			low[from] = (least + most) / 2
			if allows(o.state(low)) {
				most = low[from]
			} else {
				least = low[from] + 1
			}
		}
		low[from] = most
	}
	lower(0, len(low))
	return low
}

var _ core.Ordered = (*ordered)(nil)

// ordered has coarse states with their order.
type ordered struct {
	*States
	*order
}

// AtLeast implements [core.Ordered], as do Bottom and Constant.
func (o ordered) AtLeast(s, t State) bool { return o.atLeast(s, t) }

func (o ordered) Bottom() State { return o.least }

// Early implements [core.Ordered]: the components of names that may be used before they are defined.
func (o ordered) Early() (components uint64, least, free State) { return o.early, o.least, o.free }

func (o ordered) Constant() uint64 { return o.constant }
