// Package cputime says how long this process has computed: on a busy machine that
// tells more than the time of day.
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

// tick is how often a limit is looked at.
const tick = 20 * time.Millisecond

// WithLimit returns a context that ends once the process has computed for d from
// now on. The caller calls cancel when it needs the context no more.
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
