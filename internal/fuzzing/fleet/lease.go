package fleet

import (
	"context"
	"slices"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// The sizes of blocks, in places: of those before the first is run, and the limits of those after
// it.
const (
	firstBlock = 256
	leastBlock = 64
	mostBlock  = 1 << 24
)

// Take implements campaign.Coordinator. A panic of a worker's loop becomes one of Take, with a
// [*campaign.Panic].
func (w *Worker) Take(ctx context.Context) (from uint64, n int, err error) {
	for {
		select {
		case p := <-w.broken:
			panic(p)
		default:
		}
		w.mu.Lock()
		from, n = w.hand()
		low, ready, failed := w.low(), w.ready, w.failed
		w.mu.Unlock()
		if low {
			signal(w.wake.lease)
		}
		if n > 0 || failed != nil {
			return from, n, failed
		}
		select {
		case p := <-w.broken:
			panic(p)
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		case <-w.ctx.Done():
			return 0, 0, w.ctx.Err()
		case <-ready:
		}
	}
}

// hand returns the next places of the blocks, and notes them as running. The lock must be held.
func (w *Worker) hand() (from uint64, n int) {
	for _, h := range w.held {
		if len(h.todo) == 0 {
			continue
		}
		if h.begun.IsZero() {
			h.begun = time.Now()
		}
		s := &h.todo[0]
		from, n = s.From, int(min(campaign.Chunk, s.To-s.From))
		s.From += uint64(n)
		if s.From == s.To {
			h.todo = h.todo[1:]
		}
		for i := range n {
			w.running[from+uint64(i)] = h
		}
		h.active += n
		return from, n
	}
	return 0, 0
}

// Ran implements campaign.Coordinator.
func (w *Worker) Ran(i uint64) {
	w.mu.Lock()
	h := w.running[i]
	if h == nil {
		w.mu.Unlock()
		return
	}
	delete(w.running, i)
	if h.own {
		w.report.Offline++
	}
	h.active--
	if h.active == 0 && len(h.todo) == 0 {
		w.measure(h)
		w.held = slices.DeleteFunc(w.held, func(x *held) bool { return x == h })
		if h.own {
			w.failed = w.saveOwn()
		} else if h.token != 0 {
			w.finished = append(w.finished, h)
		}
	}
	w.mu.Unlock()
}

// left lists the places of a block that were not run. The lock must be held.
func (w *Worker) left(h *held) []span {
	spans := slices.Clone(h.todo)
	for i, of := range w.running {
		if of == h {
			spans = append(spans, span{i, i + 1})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return int(int64(a.From) - int64(b.From)) })
	joined := spans[:0]
	for _, s := range spans {
		if n := len(joined); n > 0 && joined[n-1].To == s.From {
			joined[n-1].To = s.To
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// size is the number of places of the next block: about a lease of work.
func (w *Worker) size() uint64 {
	switch {
	case w.o.Block > 0:
		return uint64(w.o.Block)
	case w.rate == 0:
		return firstBlock
	}
	n := uint64(min(w.rate*w.def.Lease.Seconds(), mostBlock))
	return max(n/campaign.Chunk*campaign.Chunk, leastBlock)
}

// measure updates the worker's rate after a block was run. Time spent waiting for blocks does not
// count; otherwise the worker would request ever smaller ones.
func (w *Worker) measure(h *held) {
	now := float64(h.size) / max(time.Since(h.begun).Seconds(), 1e-6)
	if w.rate == 0 {
		w.rate = now
	}
	w.rate = (w.rate + now) / 2
}

// low reports whether another block is needed: less than a quarter of one is left.
func (w *Worker) low() bool {
	todo := uint64(0)
	for _, h := range w.held {
		for _, s := range h.todo {
			todo += s.To - s.From
		}
	}
	return todo < w.size()/4
}

// leasing gets a new block whenever little is left to run.
func (w *Worker) leasing() {
	var alone time.Time // the time of the last failed request
	w.loop(w.wake.lease, w.def.Lease/3, func() {
		w.mu.Lock()
		low, reach := w.low(), w.online && w.token != 0
		w.mu.Unlock()
		if !low {
			return
		}
		if reach && time.Since(alone) > w.def.Lease/3 {
			ok, err := w.leaseOnce()
			if ok || w.ctx.Err() != nil {
				return
			}
			if err != nil { // otherwise the ledger is full
				alone = time.Now()
				w.noteError(err)
				signal(w.wake.renew)
			}
		}
		w.takeOwn()
	})
}

// leaseOnce gets a block from the ledger, false if it has none to give. The same change reports
// complete blocks and the progress of the others. So a block costs one change in all, and about
// one block of a worker that dies is run again.
func (w *Worker) leaseOnce() (ok bool, err error) {
	w.changing.Lock()
	defer w.changing.Unlock()
	w.mu.Lock()
	token, size, runs, told := w.token, w.size(), w.report.Runs, w.told
	left := map[uint64][]span{}
	mine := slices.Clone(w.finished)
	for _, h := range w.held {
		if !h.own {
			mine = append(mine, h)
		}
	}
	for _, h := range mine {
		left[h.id] = w.left(h)
	}
	w.mu.Unlock()
	var got block
	var high uint64
	var lost map[uint64]bool
	holds := func(id uint64) bool { _, ok := left[id]; return ok }
	err = w.store.change(w.ctx, func(l *ledger) bool {
		lost = l.progress(w.own.ID, token, left)
		w.mu.Lock()
		got, ok = l.take(w.own.ID, token, size, holds, w.dead)
		w.mu.Unlock()
		l.Runs += runs - min(told, runs)
		high = l.Next
		return true
	})
	if err != nil {
		return false, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.high, w.told = max(w.high, high), runs
	w.drop(lost)
	w.finished = slices.DeleteFunc(w.finished, func(h *held) bool { return holds(h.id) && len(left[h.id]) == 0 })
	if ok {
		w.add(&held{id: got.ID, token: token, todo: got.Spans})
	}
	return ok, nil
}

// drop forgets blocks that now belong to other workers. The lock must be held.
func (w *Worker) drop(lost map[uint64]bool) {
	gone := func(h *held) bool {
		if h.own || !lost[h.id] {
			return false
		}
		w.report.Lost++
		h.token = 0 // so that it is not reported when its last places were run
		return true
	}
	w.held = slices.DeleteFunc(w.held, gone)
	w.finished = slices.DeleteFunc(w.finished, gone)
}

// takeOwn begins a block of the worker's own places.
func (w *Worker) takeOwn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own.Slot == 0 {
		return // the hub must give it a number first
	}
	n := w.size()
	first := w.own.Slot*ownPlaces + w.own.Next
	w.own.Next += n
	w.add(&held{own: true, todo: []span{{first, first + n}}})
	w.failed = w.saveOwn()
}

// add adds a block and wakes the goroutines that wait for one. The lock must be held.
func (w *Worker) add(h *held) {
	for _, s := range h.todo {
		h.size += s.To - s.From
	}
	w.held = append(w.held, h)
	close(w.ready)
	w.ready = make(chan struct{})
}
