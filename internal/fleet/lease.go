package fleet

import (
	"context"
	"slices"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/campaign"
)

// The sizes of blocks, in places: of the first one, and of those that are measured.
const (
	firstBlock = 256
	leastBlock = 64
	mostBlock  = 1 << 18
)

// Take implements campaign.Coordinator.
func (w *Worker) Take(ctx context.Context) (from uint64, n int, err error) {
	for {
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
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		case <-w.ctx.Done():
			return 0, 0, w.ctx.Err()
		case <-ready:
		}
	}
}

// hand hands out some places.
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
		if s.From += uint64(n); s.From == s.To {
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
	done := h.active == 0 && len(h.todo) == 0
	if done {
		w.measure(h)
		w.held = slices.DeleteFunc(w.held, func(x *held) bool { return x == h })
		if h.own {
			w.failed = w.saveOwn()
		} else if h.token != 0 {
			w.finished = append(w.finished, h)
		}
	}
	w.mu.Unlock()
	if done {
		signal(w.wake.lease)
	}
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

// size is how many places the next block has: about half a lease of work.
func (w *Worker) size() uint64 {
	switch {
	case w.o.Block > 0:
		return uint64(w.o.Block)
	case w.rate == 0:
		return firstBlock
	}
	n := uint64(min(w.rate*w.def.Lease.Seconds()/2, mostBlock))
	return max(n/campaign.Chunk*campaign.Chunk, leastBlock)
}

// measure learns from a block that was run how fast this worker is. The time in which it
// waited for blocks does not count: else it would ask for ever smaller ones.
func (w *Worker) measure(h *held) {
	now := float64(h.size) / max(time.Since(h.begun).Seconds(), 1e-6)
	if w.rate == 0 {
		w.rate = now
	}
	w.rate = (w.rate + now) / 2
}

// low reports whether another block should be got: there is less than a quarter of one.
func (w *Worker) low() bool {
	todo := uint64(0)
	for _, h := range w.held {
		for _, s := range h.todo {
			todo += s.To - s.From
		}
	}
	return todo < w.size()/4
}

// leasing completes blocks and gets new ones.
func (w *Worker) leasing() {
	var alone time.Time // when the hub was asked in vain
	w.loop(w.wake.lease, w.def.Lease/3, func() {
		w.mu.Lock()
		low, reach := w.low(), w.online && w.token != 0
		w.mu.Unlock()
		var err error
		if reach && time.Since(alone) > w.def.Lease/3 {
			if err = w.leaseOnce(low); err == nil {
				alone = time.Time{}
				return
			}
			if w.ctx.Err() != nil {
				return
			}
			alone = time.Now()
			w.noteError(err)
			signal(w.wake.renew)
		}
		if low {
			w.takeOwn()
		}
	})
}

// leaseOnce tells the ledger what is complete, and gets a block from it if more is set.
func (w *Worker) leaseOnce(more bool) error {
	w.mu.Lock()
	token, size := w.token, w.size()
	done := slices.Clone(w.finished)
	holds := map[uint64]bool{}
	for _, h := range append(slices.Clone(w.held), done...) {
		if !h.own {
			holds[h.id] = true
		}
	}
	runs := w.report.Runs
	told := w.told
	w.mu.Unlock()
	if len(done) == 0 && !more {
		return nil
	}
	var got block
	var ok bool
	var lost, high uint64
	err := w.store.change(w.ctx, func(l *ledger) bool {
		lost, ok = 0, false
		for _, h := range done {
			if !l.complete(h.id, w.own.ID, h.token) {
				lost++
			}
		}
		if more {
			w.mu.Lock()
			got, ok = l.take(w.own.ID, token, size, func(id uint64) bool { return holds[id] }, w.dead)
			w.mu.Unlock()
		}
		if runs > told {
			l.Runs += runs - told
		}
		high = l.Next
		return true
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.high, w.told = max(w.high, high), runs
	w.report.Lost += lost
	w.finished = slices.DeleteFunc(w.finished, func(h *held) bool { return slices.Contains(done, h) })
	if ok {
		w.add(&held{id: got.ID, token: token, todo: got.Spans})
	}
	return nil
}

// takeOwn begins a block of the worker's own places.
func (w *Worker) takeOwn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own.Slot == 0 {
		return // it has none before the hub gave it a number
	}
	n := w.size()
	first := w.own.Slot*ownPlaces + w.own.Next
	w.own.Next += n
	w.add(&held{own: true, todo: []span{{first, first + n}}})
	w.failed = w.saveOwn()
}

// add adds a block and tells those who wait for it.
func (w *Worker) add(h *held) {
	for _, s := range h.todo {
		h.size += s.To - s.From
	}
	w.held = append(w.held, h)
	close(w.ready)
	w.ready = make(chan struct{})
}
