package reduce

import (
	"crypto/sha256"
	"fmt"
)

// RecheckEvery is after how many accepted steps the best is asked for again;
// mostFlaky is how many answers may turn out to be wrong before that happens at
// the end only, so that a predicate that tosses a coin cannot hold up a run.
const (
	RecheckEvery = keptSteps / 2
	mostFlaky    = 10
)

// FlakyError says that the predicate held for steps of the run, the input among
// them, and now holds for none of them.
type FlakyError struct{ Steps int }

// Error is "what; what to do".
func (e *FlakyError) Error() string {
	return fmt.Sprintf("the predicate is flaky: it held for %d steps and now holds for none of them, the input included; let it run several times and say yes only if all agree", e.Steps)
}

// checked runs a plan and rechecks what it ends with; where that does not hold
// the plan goes on from what does.
func (s *search) checked(plan func(*search) error) error {
	for {
		if err := s.stubborn(plan); err != nil || !s.o.Recheck {
			return err
		}
		before := s.best
		if err := s.recheck(); err != nil || s.best == before || s.stats.Flaky >= mostFlaky {
			return err
		}
	}
}

// nowAndThen rechecks the best, between passes.
func (s *search) nowAndThen() error {
	if !s.o.Recheck || s.stats.Accepted-s.atCheck < RecheckEvery || s.stats.Flaky >= mostFlaky {
		return nil
	}
	err := s.recheck()
	s.atCheck = s.stats.Accepted
	return err
}

// recheck asks for the best again, past the cache, and goes back through the
// accepted steps to one that still holds. What does not hold any more will not
// be accepted again.
func (s *search) recheck() error {
	s.pass("recheck")
	n := s.counters()
	for i := len(s.steps) - 1; i >= 0; i-- {
		c := s.steps[i]
		if s.o.MaxCalls > 0 && s.stats.Calls >= s.o.MaxCalls {
			return nil
		}
		ok, err := s.call(s.ctx, c.text)
		if err != nil && !timedOut(err) {
			return err
		}
		s.stats.Calls++
		n.Calls++
		if s.o.Trace != nil {
			s.o.Trace(Event{Pass: n.Name, Calls: s.stats.Calls, Accepted: ok, Text: c.text})
		}
		if ok {
			s.steps = s.steps[:i+1]
			if c == s.best {
				return nil
			}
			s.best = c
			return s.keep(c)
		}
		s.stats.Flaky++
		key := sha256.Sum256(c.text)
		s.known[key] = false
		if s.o.Cache != nil {
			s.o.Cache.Put(key, false)
		}
	}
	return &FlakyError{len(s.steps)}
}
