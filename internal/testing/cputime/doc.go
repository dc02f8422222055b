// Package cputime measures the CPU time of this process, which says more than elapsed time on a
// busy machine.
//
//	before := cputime.Used()
//	work()
//	took := cputime.Used() - before
//	ctx, cancel := cputime.WithLimit(ctx, time.Second) // ends ctx after a second of work
package cputime

import (
	"context"
	"time"
)

// tick is the interval between two checks of a limit.
const tick = 20 * time.Millisecond

// WithLimit returns a context that ends once the process has computed for d from now on. The
// caller calls cancel when it no longer needs the context.
func WithLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	end := Used() + d
	go func() {
		t := time.NewTicker(tick)
		defer t.Stop()
		for Used() < end {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
		}
		cancel()
	}()
	return ctx, cancel
}
