package reduce

import (
	"context"
	"crypto/sha256"
	"slices"
)

// builder makes the candidate of edit i on top of the accepted edits in, which are ascending. It
// returns nil if edit i conflicts with them.
type builder func(in []int, i int) (*candidate, error)

// tryAll asks about the edits 0 … n-1, each on top of the accepted ones before it,
// and returns the accepted ones. The edits must not depend on the best sentence,
// which changes meanwhile. kind returns the kind of an edit; nil means that no rates are
// learnt.
//
// Several workers ask ahead along the likeliest path. The guess for an answer is
// no, unless the same edit was just accepted on top of fewer others: so edits
// found at the same time are merged. A wrong guess discards the questions behind
// it. Answers are taken in order, so the outcome is that of one worker.
func (s *search) tryAll(n int, build builder, kind func(i int) editKind) ([]int, error) {
	w := &trial{s: s, n: n, build: build, kind: kind, answered: map[int]bool{}}
	defer w.dropQueue()
	for {
		if err := w.askAhead(); err != nil {
			return w.in, err
		}
		if len(w.queue) == 0 {
			return w.in, s.makeTree()
		}
		if err := w.take(); err != nil {
			return w.in, err
		}
	}
}

// trial is the state of tryAll.
type trial struct {
	s     *search
	n     int
	build builder
	kind  func(i int) editKind
	in    []int // accepted edits

	queue    []*question // along the guessed path
	path     []int       // edits accepted at the end of the queue if the guesses are right
	best     *candidate
	next     int          // the edit after the queue
	answered map[int]bool // answers to discarded questions
}

// question is a candidate that waits for its turn.
type question struct {
	i     int
	c     *candidate
	key   [sha256.Size]byte
	does  change
	known bool
	guess bool
	later bool // likely to be postponed when its turn comes
	call  *future
}

// askAhead fills the queue with as many open questions as there are workers.
func (w *trial) askAhead() error {
	if w.best == nil {
		w.best = w.s.best
	}
	open := 0
	for _, q := range w.queue {
		if !q.known && !q.later {
			open++
		}
	}
	for ; open < w.s.o.Jobs && w.next < w.n; w.next++ {
		c, err := w.build(w.path, w.next)
		if err != nil {
			return err
		}
		if c == nil || !c.smaller(w.best) || w.s.o.Valid != nil && !w.s.o.Valid(c.text) {
			continue
		}
		q := &question{i: w.next, c: c, key: sha256.Sum256(c.text), does: changeOf(w.best.text, c.text)}
		q.later = w.s.mustWait(q, w.best)
		if q.later {
			// no guess: it is looked up should its turn come
		} else {
			q.guess, q.known = w.s.lookup(q.key)
			if !q.known {
				open++
				q.guess = w.answered[q.i]
				if w.s.o.Jobs > 1 {
					q.call = w.s.start(c.text)
				}
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
func (w *trial) take() error {
	q := w.queue[0]
	w.queue = w.queue[1:]
	holds := q.guess
	if w.s.mustWait(q, w.s.best) {
		w.postpone(q)
		return nil
	}
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

// mustWait reports whether a question is postponed. Only answers of this run count as
// known: a run that goes on from a cache takes the same steps as one that does not.
func (s *search) mustWait(q *question, best *candidate) bool {
	_, known := s.known[q.key]
	return !known && s.postponed(q.does, best)
}

// postpone leaves a question for the last round.
func (w *trial) postpone(q *question) {
	if len(w.s.best.text)-len(q.c.text) <= postponedBytes {
		w.s.skipped = true
	}
	if q.call != nil {
		w.s.stats.Ahead++
		q.call.cancel()
	}
	if q.guess {
		w.restart(q.i + 1)
	}
}

// settle takes the answer of a question and accepts its candidate if it holds.
func (w *trial) settle(q *question, holds bool) error {
	holds, err := w.s.settle(q.c, q.key, holds, q.known, q.call)
	if err != nil {
		return err
	}
	w.s.counters().Tries++
	if w.kind != nil {
		w.s.learn(w.kind(q.i), !q.known, holds && !w.s.onDetour(q.c), len(w.s.leastSoFar().text)-len(q.c.text))
	}
	if !holds {
		w.s.failed[q.does] = w.s.best
	}
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

// restart asks ahead anew from edit next on.
func (w *trial) restart(next int) {
	w.dropQueue()
	w.path, w.best, w.next = slices.Clone(w.in), w.s.best, next
}

// dropQueue discards the questions asked ahead, and keeps the answers that have
// come.
func (w *trial) dropQueue() {
	for _, q := range w.queue {
		if q.call == nil {
			continue
		}
		w.s.stats.Ahead++
		select {
		case <-q.call.done:
			if q.call.panic != nil {
				panic(q.call.panic)
			}
			if q.call.err == nil {
				w.answered[q.i] = q.call.holds
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
	panic  any // of the predicate
	cancel context.CancelFunc
}

// start calls the predicate in a goroutine of its own.
func (s *search) start(text []byte) *future {
	ctx, cancel := context.WithCancel(s.ctx)
	f := &future{done: make(chan struct{}), cancel: cancel}
	s.asking.Go(func() {
		defer close(f.done)
		defer func() { f.panic = recover() }()
		f.holds, f.err = s.call(ctx, text)
	})
	return f
}

// wait returns the answer and frees the call's context. It panics if the predicate did.
func (f *future) wait() (bool, error) {
	<-f.done
	f.cancel()
	if f.panic != nil {
		panic(f.panic)
	}
	return f.holds, f.err
}
