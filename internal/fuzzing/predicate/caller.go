// Package predicate runs a user's program on candidates: it counts, remembers answers, and
// distinguishes a broken program from one that says no.
//
//	ask := &predicate.Caller{Predicate: p}
//	result, err := reduce.Run(ctx, in, ask.Test, reduce.Options{})
//	err = ask.Explain(err)
package predicate

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// Caller calls a predicate and counts. It passes timeouts on: for a candidate of a reduction they
// mean "no", for the sentence itself an error. It is safe for concurrent use.
//
// A script that has said yes once works. If it breaks on a later candidate, for example because
// that does not compile, the answer is "no". The rechecks of the reduction detect a script that
// is broken for good.
type Caller struct {
	Predicate *target.Predicate
	Cache     *reduce.FileCache // nil: no cache

	// Keep, unless nil, is called with each uninteresting text for which the predicate ended with
	// the exit code Also, which means another outcome. The order depends on the workers.
	Also int
	Keep func(text []byte) error

	calls atomic.Int64
	also  atomic.Int64
	late  atomic.Int64
	hung  atomic.Pointer[target.TimeoutError] // the last timeout before any answer
	once  atomic.Bool                         // there was an answer, yes or no
	yes   atomic.Bool                         // there was a yes

	breaks atomic.Int64                       // after the first yes
	broken atomic.Pointer[target.BrokenError] // the last one; nil after any answer
}

// Counts are numbers of runs of the predicate.
type Counts struct {
	Calls  int64
	Late   int64 // timed out
	Broken int64 // ended without an answer, after the first yes
	Also   int64 // ended with the other outcome
}

// Counts returns the numbers so far.
func (c *Caller) Counts() Counts {
	return Counts{c.calls.Load(), c.late.Load(), c.breaks.Load(), c.also.Load()}
}

// Test is the predicate of a reduction.
func (c *Caller) Test(ctx context.Context, text []byte) (bool, error) {
	c.calls.Add(1)
	holds, run, err := c.Predicate.Ask(ctx, text)
	if c.Keep != nil && err == nil && !holds && run.Kind == target.Exited && run.Code == c.Also {
		c.also.Add(1)
		if err := c.Keep(text); err != nil {
			return false, err
		}
	}
	var late *target.TimeoutError
	var broken *target.BrokenError
	switch {
	case errors.As(err, &late):
		c.late.Add(1)
		if !c.once.Load() {
			c.hung.Store(late)
		}
	case errors.As(err, &broken) && c.yes.Load():
		c.breaks.Add(1)
		c.broken.Store(broken)
		return false, nil
	case err == nil:
		c.once.Store(true)
		if holds {
			c.yes.Store(true)
		}
		c.broken.Store(nil)
	}
	return holds, err
}

// cached calls the predicate unless the cache has the answer.
func (c *Caller) cached(ctx context.Context, text []byte) (bool, error) {
	if c.Cache == nil {
		return c.Test(ctx, text)
	}
	key := sha256.Sum256(text)
	if holds, known := c.Cache.Get(key); known {
		return holds, nil
	}
	holds, err := c.Test(ctx, text)
	if err == nil {
		c.Cache.Put(key, holds)
	}
	return holds, err
}

// Explain replaces the error of a flaky predicate by the reason if the script is broken. It
// replaces the error of an uninteresting input by the timeout if there was no answer in time.
func (c *Caller) Explain(err error) error {
	if broken := c.broken.Load(); broken != nil && errors.Is(err, reduce.ErrFlaky) {
		return broken
	}
	if late := c.hung.Load(); late != nil && !c.once.Load() && errors.Is(err, reduce.ErrNotInteresting) {
		return late
	}
	return err
}

// First returns the index of the first of n texts for which the predicate holds, -1 if there is
// none. It asks about jobs texts concurrently, never twice about the same, and calls tried with
// the number of texts so far.
func (c *Caller) First(ctx context.Context, jobs, n int, text func(i int) ([]byte, error), tried func(n int)) (int, error) {
	seen := map[[sha256.Size]byte]bool{}
	type question struct {
		i     int
		text  []byte
		holds bool
		err   error
		panic *ahead.Panic
	}
	for i := 0; i < n; {
		var round []*question
		for ; i < n && len(round) < jobs; i++ {
			t, err := text(i)
			if err != nil {
				return 0, err
			}
			if key := sha256.Sum256(t); !seen[key] {
				seen[key] = true
				round = append(round, &question{i: i, text: t})
			}
		}
		var wg sync.WaitGroup
		for _, q := range round {
			wg.Go(func() {
				defer ahead.Catch(func(p *ahead.Panic) { q.panic = p })
				q.holds, q.err = c.cached(ctx, q.text)
			})
		}
		wg.Wait()
		for _, q := range round {
			if q.panic != nil {
				panic(q.panic)
			}
		}
		tried(i)
		for _, q := range round {
			if errors.As(q.err, new(*target.TimeoutError)) && c.once.Load() {
				continue // a timeout is a no, as for any candidate
			}
			if q.err != nil || q.holds {
				return q.i, q.err
			}
		}
	}
	return -1, nil
}
