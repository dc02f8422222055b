package reduce

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

// editKinds are the names of kinds, for statistics.
var editKinds = [...]string{"plain", "list", "least", "hoist", "joint", "all alike", "uses", "join"}

// usual has the rate at which edits of a kind keep the property, measured over the tasks of
// bench/reduce. A run starts with it and learns its own.
var usual = [len(editKinds)]float64{plainEdit: 0.04, listEdit: 0.09, minimalEdit: 0.08, hoistEdit: 0.03, jointEdit: 0.01, allEdit: 0.03, useEdit: 0.12, joinEdit: 0.04}

// usualWeight is the number of answers with the weight of the usual rate.
const usualWeight = 40

// rate returns the expected rate at which edits of a kind keep the property in the present pass.
func (s *search) rate(k editKind) float64 {
	held, calls := usual[k]*usualWeight, float64(usualWeight)
	for i := range s.stats.Passes[s.passNow].Kinds {
		// Cached answers count too, so that a run from a cache is the same.
		if n := &s.stats.Passes[s.passNow].Kinds[i]; n.Name == editKinds[k] {
			held, calls = held+float64(n.Accepted), calls+float64(n.Tries)
		}
	}
	return held / calls
}

// Bounds of the kinds that are given up.
const (
	unlikely = 0.03 // of the usual rate
	tooRare  = 0.4  // of the rate in the present pass, as a part of the usual one
)

// givenUp reports whether a kind of edits is tried no more: one that seldom holds, and in the
// present pass still less often. The kinds that delete one part hold more often and are never given up.
// Nothing is given up by a plan that does not try all again at its end.
func (s *search) givenUp(k editKind) bool {
	return s.givesUp && usual[k] <= unlikely && s.rate(k) < tooRare*usual[k]
}

// learn counts an answer for an edit of the present pass.
func (s *search) learn(k editKind, called, holds bool, saved int) {
	n := s.counters()
	i := 0
	for ; i < len(n.Kinds) && n.Kinds[i].Name != editKinds[k]; i++ {
	}
	if i == len(n.Kinds) {
		n.Kinds = append(n.Kinds, PassStats{Name: editKinds[k]})
	}
	kind := &n.Kinds[i]
	kind.Tries++
	if called {
		kind.Calls++
	}
	if holds {
		kind.Accepted++
		kind.Bytes += saved
	}
	kind.Usual, kind.Rate, kind.GivenUp = usual[k], s.rate(k), s.givenUp(k)
}
