package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/target"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// predicateCaller asks the predicate and counts. It passes on that an answer took too long
// as it is: for a reduction that is "no", for the sentence itself an error.
//
// A script that has said yes can be run. When it breaks on a candidate after
// that (it runs what the candidate was to be compiled to, say) it says no, and
// the rechecks of the reduction find out whether it is broken for good.
type predicateCaller struct {
	pred  *target.Predicate
	cache *reduce.FileCache // nil: none
	known int               // answers that were in the cache at first
	calls atomic.Int64
	late  atomic.Int64
	hung  atomic.Pointer[target.TimeoutError] // while there was no answer at all
	once  atomic.Bool                         // it has answered yes or no
	yes   atomic.Bool                         // it has answered yes

	breaks atomic.Int64                       // after the first yes
	broken atomic.Pointer[target.BrokenError] // the last one; nil once there was an answer
}

// test is the predicate of a reduction.
func (a *predicateCaller) test(ctx context.Context, text []byte) (bool, error) {
	a.calls.Add(1)
	holds, err := a.pred.Test(ctx, text)
	var late *target.TimeoutError
	var broken *target.BrokenError
	switch {
	case errors.As(err, &late):
		a.late.Add(1)
		if !a.once.Load() {
			a.hung.Store(late)
		}
	case errors.As(err, &broken) && a.yes.Load():
		a.breaks.Add(1)
		a.broken.Store(broken)
		return false, nil
	case err == nil:
		a.once.Store(true)
		if holds {
			a.yes.Store(true)
		}
		a.broken.Store(nil)
	}
	return holds, err
}

// cached asks only for what the cache does not know.
func (a *predicateCaller) cached(ctx context.Context, text []byte) (bool, error) {
	if a.cache == nil {
		return a.test(ctx, text)
	}
	key := sha256.Sum256(text)
	if holds, known := a.cache.Get(key); known {
		return holds, nil
	}
	holds, err := a.test(ctx, text)
	if err == nil {
		a.cache.Put(key, holds)
	}
	return holds, err
}

// explain replaces the error of a predicate that held and now never does by why
// that is, where it has broken.
func (a *predicateCaller) explain(err error) error {
	if broken := a.broken.Load(); broken != nil && errors.Is(err, reduce.ErrFlaky) {
		return broken
	}
	return err
}
