package reduce

import "slices"

// Stats are the counters of a run. They are the same for any number of workers,
// except Ahead.
type Stats struct {
	From, To int // bytes before and after
	Calls    int // of the predicate
	Cached   int // answers from the cache
	Accepted int // accepted candidates
	Ahead    int // speculative calls that were not needed; 0 with one worker
	TimedOut int // calls that timed out
	Flaky    int // accepted steps that failed a recheck

	FewCalls bool // the plan was that of Options.FewCalls
	Stopped  bool // a budget ended the run before its fixed point
	LostTree bool // the text of the input's tree lacks the property, or is larger

	// Certified lists the sets of candidates around the result that were tried completely.
	Certified []Certificate

	Passes []PassStats // in the order of their first run
}

// PassStats are the counters of one pass.
type PassStats struct {
	Name     string `json:"name"`
	Tries    int    `json:"tries"` // candidates smaller than the best
	Calls    int    `json:"calls"`
	Accepted int    `json:"accepted"`
	Bytes    int    `json:"bytes"` // bytes saved

	// Kinds are the counters of the pass by kinds of edits, which set when edits of
	// a kind are tried.
	Kinds []PassStats `json:"kinds,omitempty"`

	// Of a kind only: the expectation that the counters led to.
	Usual   float64 `json:"usual,omitempty"`    // share that keeps the property, at the start of the run
	Rate    float64 `json:"rate,omitempty"`     // the same at its end
	GivenUp bool    `json:"given_up,omitempty"` // tried no more, at the end
}

// Certificate says that none of some candidates has the property; all of them were tried. They
// are about the result or, with a Rule, about a place of it, the rest unchanged. Sentences have
// the least layout.
type Certificate struct {
	Claim string `json:"claim"`          // a description of the candidates
	Rule  string `json:"rule,omitempty"` // the rule at the place
	Text  string `json:"text,omitempty"` // its text
	Tried int    `json:"tried"`          // number of candidates
}

// Event is one answer of the predicate or the cache.
type Event struct {
	Pass     string
	Calls    int    // so far, this one included
	Cached   bool   // no call was needed
	Accepted bool   // Text has the property and is the best now
	Text     []byte // the candidate; it must not be changed
}

// countAs makes name the pass whose counters the next questions move.
func (s *search) countAs(name string) {
	i := slices.IndexFunc(s.stats.Passes, func(p PassStats) bool { return p.Name == name })
	if i < 0 {
		i = len(s.stats.Passes)
		s.stats.Passes = append(s.stats.Passes, PassStats{Name: name})
	}
	s.passNow = i
}

func (s *search) counters() *PassStats { return &s.stats.Passes[s.passNow] }
