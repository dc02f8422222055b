package campaign

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// drawer draws the sentences of the stream for a worker, on a goroutine of its own: while
// the program runs one, others are drawn on another processor.
type drawer struct {
	c      *Campaign
	stream *inputs
	drawn  chan batch

	at    atomic.Uint64 // the first place of the stream that was taken and not run
	mu    sync.Mutex
	taken []uint64 // where the places begin that were taken and not all run, in order
	floor uint64   // no place being taken is below it
}

// batch is some sentences, or the error after the last.
type batch struct {
	inputs []*input
	err    error
	panic  *Panic
}

// A drawer is so many batches ahead, and hands over what it has drawn in so much time:
// handing over one by one takes longer than drawing.
const (
	aheadBatches = 4
	batchTime    = 5 * time.Millisecond
)

const nowhere = ^uint64(0)

func newDrawer(c *Campaign) *drawer {
	d := &drawer{c: c, drawn: make(chan batch, aheadBatches), floor: nowhere}
	d.at.Store(nowhere)
	return d
}

// start begins to draw, with the tree of every sentence or of some. The function that it
// returns ends that.
func (d *drawer) start(ctx context.Context, trees bool) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	d.stream = d.c.inputs()
	go func() {
		defer close(d.drawn)
		defer func() {
			if v := recover(); v != nil {
				d.send(ctx, batch{panic: &Panic{v, debug.Stack()}})
			}
		}()
		for ctx.Err() == nil {
			if err := d.chunk(ctx, trees); err != nil {
				d.send(ctx, batch{err: err})
				return
			}
		}
	}()
	return func() {
		cancel()
		for range d.drawn {
		}
	}
}

func (d *drawer) send(ctx context.Context, b batch) {
	select {
	case d.drawn <- b:
	case <-ctx.Done():
	}
}

// chunk takes some places of the stream and draws their sentences.
func (d *drawer) chunk(ctx context.Context, trees bool) error {
	from, n, err := d.take(ctx)
	if err != nil {
		return err
	}
	var ins []*input
	begun := time.Now()
	for i := from; i < from+uint64(n); i++ {
		in, err := d.stream.at(ctx, i, trees || i%treeEvery == 0)
		if err != nil {
			return err
		}
		in.last = i+1 == from+uint64(n)
		ins = append(ins, in)
		if now := time.Now(); in.last || now.Sub(begun) > batchTime {
			d.send(ctx, batch{inputs: ins})
			ins, begun = nil, now
		}
	}
	return nil
}

// take takes places. Until they are known, at is at most the first of them: nobody is to
// save more as done meanwhile.
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

// ran says that a sentence, and all before it, have been run.
func (d *drawer) ran(in *input) {
	if !in.last {
		d.at.Store(in.index + 1)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.taken = d.taken[1:]; len(d.taken) > 0 {
		d.at.Store(d.taken[0])
	} else {
		d.at.Store(d.floor)
	}
}

// next returns the next sentences, at least one.
func (d *drawer) next(ctx context.Context) ([]*input, error) {
	select {
	case b, ok := <-d.drawn:
		if b.panic != nil {
			panic(b.panic)
		}
		if !ok {
			return nil, context.Cause(ctx)
		}
		return b.inputs, b.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
