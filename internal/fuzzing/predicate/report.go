package predicate

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Report is the account of a reduction: versions as in a record, and its counters.
type Report struct {
	V         int                  `json:"v"`
	Gramfuzz  string               `json:"gramfuzz"`
	Algorithm string               `json:"algorithm"`
	From      int                  `json:"from"`     // size in bytes
	To        int                  `json:"to"`       // size in bytes
	Calls     int                  `json:"calls"`    // questions of the reduction, without speculative ones of -j
	Cached    int                  `json:"cached"`   // answers from the cache
	Runs      int64                `json:"runs"`     // all runs of the predicate
	Accepted  int                  `json:"accepted"` // accepted steps
	TimedOut  int                  `json:"timed_out"`
	Broken    int64                `json:"broken"` // runs without an answer, taken as no
	Flaky     int                  `json:"flaky"`
	FewCalls  bool                 `json:"few_calls,omitempty"` // the plan for few calls
	Stopped   bool                 `json:"stopped"`             // ended before the fixed point
	LostTree  bool                 `json:"lost_tree"`           // the input could not be reduced as a tree
	Seconds   float64              `json:"seconds"`
	Passes    []reduce.PassStats   `json:"passes"`
	Certified []reduce.Certificate `json:"certified,omitempty"`
	Record    json.RawMessage      `json:"record,omitempty"` // of the result, where there is a grammar
}

// Report returns the report of a reduction whose predicate is c; algorithm is its name.
func (c *Caller) Report(version, algorithm string, s *reduce.Stats, took time.Duration) *Report {
	n := c.Counts()
	return &Report{
		V: derive.RecordVersion, Gramfuzz: version, Algorithm: algorithm, From: s.From, To: s.To, Calls: s.Calls, Cached: s.Cached,
		Runs: n.Calls, Accepted: s.Accepted, TimedOut: s.TimedOut, Broken: n.Broken, Flaky: s.Flaky, FewCalls: s.FewCalls, Stopped: s.Stopped, LostTree: s.LostTree,
		Seconds: took.Seconds(), Passes: s.Passes, Certified: s.Certified,
	}
}

// Model returns lines for people that say, for every pass and kind of edit, how often edits
// were expected to hold and did, the bytes that a call saved, and whether the kind was given up.
func (r *Report) Model() (lines []string) {
	if r.FewCalls {
		lines = append(lines, "  the plan is that for few calls")
	}
	for _, p := range r.Passes {
		for _, k := range p.Kinds {
			perCall := "no calls"
			if k.Calls > 0 {
				perCall = fmt.Sprintf("%d calls, %.1f bytes a call", k.Calls, float64(k.Bytes)/float64(k.Calls))
			}
			line := fmt.Sprintf("  %s, %s: %.1f%% expected to hold, %d of %d held, %.1f%% now; %s",
				p.Name, k.Name, 100*k.Usual, k.Accepted, k.Tries, 100*k.Rate, perCall)
			if k.GivenUp {
				line += "; given up"
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// Notes returns lines for people: with certified one for each certificate, with passes one
// for each pass.
func (r *Report) Notes(certified, passes bool) (notes []string) {
	for _, c := range r.Certified {
		if place := ""; certified && c.Tried > 0 {
			if c.Rule != "" {
				place = fmt.Sprintf(" of %s %q", c.Rule, c.Text)
			}
			notes = append(notes, fmt.Sprintf("  none of %d has the property: %s%s", c.Tried, c.Claim, place))
		}
	}
	if passes {
		for _, p := range r.Passes {
			notes = append(notes, fmt.Sprintf("  %s: %d tries, %d calls, %d accepted, %d bytes", p.Name, p.Tries, p.Calls, p.Accepted, p.Bytes))
		}
	}
	return notes
}
