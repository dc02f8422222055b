package reduce

import (
	"crypto/sha256"
	"errors"
	"fmt"
)

// recheckEvery is the number of accepted steps between two rechecks. After maxFlaky wrong answers
// only the end is rechecked, so that a random predicate cannot delay a run.
const (
	recheckEvery = keptSteps / 2
	maxFlaky     = 10
)

// ErrFlaky is the error of a predicate that held for the input and the steps of
// the run, and then for none of them.
var ErrFlaky = errors.New("the predicate is flaky")

// runRechecked runs a plan and rechecks its result. If that does not hold, the plan continues
// from the last step that does.
func (s *search) runRechecked(plan func(*search) error) error {
	for {
		if err := s.retryTimeouts(plan); err != nil || !s.o.Recheck {
			return err
		}
		before := s.best
		if err := s.recheck(); err != nil || s.best == before || s.stats.Flaky >= maxFlaky {
			return err
		}
	}
}

// recheckIfDue rechecks the best, between passes, unless on a detour.
func (s *search) recheckIfDue() error {
	if !s.o.Recheck || s.aside != nil || s.stats.Accepted-s.atCheck < recheckEvery || s.stats.Flaky >= maxFlaky {
		return nil
	}
	err := s.recheck()
	s.atCheck = s.stats.Accepted
	return err
}

// recheck asks for the best again, without the cache, and goes back through the
// accepted steps to one that still holds. The others will not be accepted again.
func (s *search) recheck() error {
	s.countAs("recheck")
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
			s.best, s.stats.Certified = c, nil
			return s.publish(c)
		}
		s.stats.Flaky++
		key := sha256.Sum256(c.text)
		s.known[key] = false
		if s.o.Cache != nil {
			s.o.Cache.Put(key, false)
		}
	}
	return fmt.Errorf("%w: it held for %d steps and now holds for none of them, the input included; let it run several times and say yes only if all agree", ErrFlaky, len(s.steps))
}
