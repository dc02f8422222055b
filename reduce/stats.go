package reduce

import "slices"

// Stats say what a run did. Numbers are those of a run with one worker, however
// many there were.
type Stats struct {
	From, To int // bytes before and after
	Calls    int // answers asked of the predicate
	Cached   int // answers that were known already
	Accepted int // steps that became the best
	Ahead    int // calls made ahead and not needed; 0 with one worker
	TimedOut int // calls that the predicate had no answer to in time
	Flaky    int // accepted steps that did not hold when they were asked again

	Stopped  bool // a budget ended the run before its fixed point
	LostTree bool // the input's tree renders to a text without the property, or to a larger one

	// Certified are the places at which every smaller derivation was tried.
	Certified []Certificate

	Passes []PassStats // in the order of their first run
}

// PassStats are the counters of one pass.
type PassStats struct {
	Name     string
	Tries    int // candidates made that were smaller than the best
	Calls    int
	Accepted int
	Bytes    int // saved
}

// Certificate says that at a place of the result no smaller derivation keeps
// the property, all others being as they are.
type Certificate struct {
	Rule  string // the rule derived there
	Text  string // what it derives
	Tried int    // how many smaller derivations there are, all of them tried
}

// Event is one answer, in sequential order.
type Event struct {
	Pass     string
	Calls    int    // so far, this one included
	Cached   bool   // no call was needed
	Accepted bool   // it held, and Text is the best now
	Text     []byte // of the candidate; must not be changed
}

// Pass returns the counters of the pass called name.
func (s *Stats) Pass(name string) PassStats {
	if i := slices.IndexFunc(s.Passes, func(p PassStats) bool { return p.Name == name }); i >= 0 {
		return s.Passes[i]
	}
	return PassStats{Name: name}
}

// pass makes name the pass that is counted from here on.
func (s *search) pass(name string) {
	i := slices.IndexFunc(s.stats.Passes, func(p PassStats) bool { return p.Name == name })
	if i < 0 {
		i = len(s.stats.Passes)
		s.stats.Passes = append(s.stats.Passes, PassStats{Name: name})
	}
	s.at = i
}

func (s *search) counters() *PassStats { return &s.stats.Passes[s.at] }
