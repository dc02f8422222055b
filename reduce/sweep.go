package reduce

import (
	"context"
	"crypto/sha256"
	"slices"
)

// builder makes the candidate of edit i on top of the edits in, which held and
// are ascending. nil: there is none, edit i does not go with them.
type builder func(in []int, i int) (*candidate, error)

// sweep asks about the edits 0 … n-1, each on top of those before it that held,
// and returns which held. What a pass lists as edits must not depend on the
// best changing during the sweep.
//
// With several workers it asks ahead: it guesses how the next answers will be
// (no, unless the same edit held a moment ago on top of fewer others: so
// winners found at the same time are merged), and starts again behind a wrong
// guess. Answers are taken in order, so the outcome is that of one worker.
func (s *search) sweep(n int, build builder) ([]int, error) {
	w := &sweeper{s: s, n: n, build: build, held: map[int]bool{}}
	defer w.drop()
	for {
		if err := w.ahead(); err != nil {
			return w.in, err
		}
		if len(w.queue) == 0 {
			return w.in, s.grow()
		}
		if err := w.take(); err != nil {
			return w.in, err
		}
	}
}

// sweeper is a sweep under way.
type sweeper struct {
	s     *search
	n     int
	build builder
	in    []int // edits that held

	queue []*step // asked or to be asked, along the guessed path
	path  []int   // edits that will have held at the end of the queue
	best  *candidate
	next  int          // the edit after the queue
	held  map[int]bool // what an answer said of an edit that was dropped again
}

// step is a candidate waiting for its turn.
type step struct {
	i     int
	c     *candidate
	key   [sha256.Size]byte
	known bool
	guess bool
	call  *future
}

// ahead fills the queue with as many open questions as there are workers.
func (w *sweeper) ahead() error {
	if w.best == nil {
		w.best = w.s.best
	}
	open := 0
	for _, q := range w.queue {
		if !q.known {
			open++
		}
	}
	for ; open < w.s.o.Jobs && w.next < w.n; w.next++ {
		c, err := w.build(w.path, w.next)
		if err != nil {
			return err
		}
		if c == nil || !c.smaller(w.best) {
			continue
		}
		q := &step{i: w.next, c: c, key: sha256.Sum256(c.text)}
		if q.guess, q.known = w.s.lookup(q.key); !q.known {
			open++
			q.guess = w.held[q.i]
			if w.s.o.Jobs > 1 {
				q.call = w.s.start(c.text)
			}
		}
		w.queue = append(w.queue, q)
		if q.guess {
			w.path = append(slices.Clone(w.path), q.i)
			w.best = c
		}
	}
	return nil
}

// take settles the question at the head of the queue.
func (w *sweeper) take() error {
	q := w.queue[0]
	w.queue = w.queue[1:]
	holds := q.guess
	if !q.known {
		// The same text may have stood in the queue before.
		if h, known := w.s.lookup(q.key); known {
			holds, q.known = h, true
			if q.call != nil {
				q.call.cancel()
			}
		}
	}
	return w.settle(q, holds)
}

func (w *sweeper) settle(q *step, holds bool) error {
	holds, err := w.s.settle(q.c, q.key, holds, q.known, q.call)
	if err != nil {
		return err
	}
	w.s.counters().Tries++
	if holds {
		w.in = append(w.in, q.i)
		if err := w.s.accept(q.c); err != nil {
			return err
		}
	}
	if holds != q.guess {
		w.restart(q.i + 1)
	}
	return nil
}

// restart begins to ask ahead again from edit next on.
func (w *sweeper) restart(next int) {
	w.drop()
	w.path, w.best, w.next = slices.Clone(w.in), w.s.best, next
}

// drop gives up what was asked ahead, remembering the answers that are there.
func (w *sweeper) drop() {
	for _, q := range w.queue {
		if q.call == nil {
			continue
		}
		w.s.stats.Ahead++
		select {
		case <-q.call.done:
			if q.call.err == nil {
				w.held[q.i] = q.call.holds
			}
		default:
		}
		q.call.cancel()
	}
	w.queue = nil
}

// future is a call of the predicate in another goroutine.
type future struct {
	done   chan struct{}
	holds  bool
	err    error
	cancel context.CancelFunc
}

// start calls the predicate in a goroutine of its own.
func (s *search) start(text []byte) *future {
	ctx, cancel := context.WithCancel(s.ctx)
	f := &future{done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(f.done)
		f.holds, f.err = s.call(ctx, text)
	}()
	return f
}

// wait returns the answer and frees the call's context.
func (f *future) wait() (bool, error) {
	<-f.done
	f.cancel()
	return f.holds, f.err
}
