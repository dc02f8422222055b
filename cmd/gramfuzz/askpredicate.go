package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/target"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// predicateCaller calls the predicate and counts. It passes timeouts on: to a
// reduction they are a "no", to the sentence itself an error.
//
// A script that has said yes once can be run. If it breaks on a later candidate,
// say because that does not compile, the answer is "no". The rechecks of the
// reduction notice a script that is broken for good.
type predicateCaller struct {
	pred  *target.Predicate
	cache *reduce.FileCache // nil: none
	known int               // answers in the cache at the start
	calls atomic.Int64
	late  atomic.Int64
	hung  atomic.Pointer[target.TimeoutError] // the last timeout before any answer
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

// cached calls the predicate unless the cache has the answer.
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

// explain replaces the error of a flaky predicate by the reason if the script is
// broken.
func (a *predicateCaller) explain(err error) error {
	if broken := a.broken.Load(); broken != nil && errors.Is(err, reduce.ErrFlaky) {
		return broken
	}
	return err
}
