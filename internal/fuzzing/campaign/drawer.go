package campaign

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
)

// drawer draws the sentences of the stream for a worker, ahead of their runs: while the program
// runs one, another processor draws the next ones.
type drawer struct {
	c     *Campaign
	drawn *ahead.Values[*input]

	at    atomic.Uint64 // the first place of the stream that was taken and not run
	mu    sync.Mutex
	taken []uint64 // the beginnings of the taken ranges that have unrun places, in order
	floor uint64   // a lower bound of the places being taken
}

const nowhere = ^uint64(0)

func newDrawer(c *Campaign) *drawer {
	d := &drawer{c: c, floor: nowhere}
	d.at.Store(nowhere)
	return d
}

// start starts drawing, with the tree of every sentence or of some. The returned function stops
// it.
func (d *drawer) start(ctx context.Context, trees bool) (stop func()) {
	s := d.c.inputs()
	var at, until uint64
	d.drawn = ahead.Start(ctx, func(ctx context.Context) (*input, error) {
		if at == until {
			from, n, err := d.take(ctx)
			if err != nil {
				return nil, err
			}
			at, until = from, from+uint64(n)
		}
		in, err := s.at(ctx, at, trees || at%treeEvery == 0)
		at++
		in.last = at == until
		return in, err
	})
	return d.drawn.Stop
}

// take takes places. Until they are known, at is at most the first of them: meanwhile no later
// place may be saved as done.
func (d *drawer) take(ctx context.Context) (from uint64, n int, err error) {
	d.setFloor(d.c.next.Load())
	from, n, err = d.c.divide.Take(ctx)
	d.mu.Lock()
	if err == nil {
		d.taken = append(d.taken, from)
	}
	d.mu.Unlock()
	d.setFloor(nowhere)
	return from, n, err
}

func (d *drawer) setFloor(floor uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.floor = floor
	if len(d.taken) == 0 {
		d.at.Store(floor)
	}
}

// ran reports that a sentence, and all before it, have been run.
func (d *drawer) ran(in *input) {
	if !in.last {
		d.at.Store(in.index + 1)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken = d.taken[1:]
	if len(d.taken) > 0 {
		d.at.Store(d.taken[0])
	} else {
		d.at.Store(d.floor)
	}
}
