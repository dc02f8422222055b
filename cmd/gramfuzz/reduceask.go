package main

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/target"
)

// asker asks the predicate and counts. It passes on that an answer took too long
// as it is: for a reduction that is "no", for the sentence itself an error.
type asker struct {
	pred  *target.Predicate
	calls atomic.Int64
	late  atomic.Int64
	hung  atomic.Pointer[target.TimeoutError] // while there was no answer at all
	once  atomic.Bool                         // it has answered yes or no
}

// test is the predicate of a reduction.
func (a *asker) test(ctx context.Context, text []byte) (bool, error) {
	a.calls.Add(1)
	holds, err := a.pred.Test(ctx, text)
	var late *target.TimeoutError
	switch {
	case errors.As(err, &late):
		a.late.Add(1)
		if !a.once.Load() {
			a.hung.Store(late)
		}
	case err == nil:
		a.once.Store(true)
	}
	return holds, err
}
