package gramtest

import (
	"context"
	"fmt"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/pace"
	"github.com/gramfuzz/gramfuzz/stream"
)

// property is a check of one sentence.
type property func(t *T, s *Sentence)

// runner checks one property.
type runner struct {
	tb     testing.TB
	g      *grammar.Grammar
	c      *config
	prop   property
	site   string // place of the call of Check, file:line
	stream *stream.Stream
	src    stream.Source // of the test's goroutine

	fallback *derive.Tree // tree of texts that are no sentences, while shrinking

	at      atomic.Uint64         // 1 + the sentence being run
	guided  atomic.Pointer[input] // the sentence being run, if a guide made it
	stop    atomic.Bool
	running *running
	stats   *statistics
}

// found is the outcome of a loop over sentences.
type found struct {
	failure *failure // nil: every sentence passed
	index   uint64
	text    []byte
	input   *input // nil: the sampler's
	err     error
}

// slabSize is the number of bytes allocated at once for the texts of many sentences.
const slabSize = 64 << 10

// loop draws sentences and runs the property on them until one fails, all are done or stop is
// set.
func (r *runner) loop(ctx context.Context, out *found) {
	src := pace.New(r.stream.Source(), r.g, r.c.time == 0, r.c.now)
	t := &T{name: r.tb.Name()}
	s := &Sentence{stats: r.stats, t: t}
	s.tree = func() (*derive.Tree, error) { return src.Tree(ctx, s.index) }
	var slab []byte
	most := uint64(r.c.count)
	for i := uint64(0); (r.c.time > 0 || r.stats.run < int(most)) && !r.stop.Load(); i++ {
		if cap(slab)-len(slab) < 1<<10 {
			slab = make([]byte, 0, slabSize)
		}
		if i%stream.Block == 0 {
			r.at.Store(0) // the time of a new generator is no hang of the property
		}
		whole, err := src.Append(ctx, slab, i)
		if err == pace.ErrLeftOut {
			continue
		}
		if err != nil {
			out.err = err
			return
		}
		place, err := stream.PlaceOf(ctx, src, i)
		if err != nil {
			out.err = err
			return
		}
		n := len(slab)
		s.text = whole[n:len(whole):len(whole)] // appending to it leaves the next text intact
		slab = whole
		s.index, s.damaged, s.labels = i, place.Damaged, s.labels[:0]
		r.running.set(i)
		r.at.Store(i + 1)
		out.index, out.text = i, s.text
		src.Begin()
		if !r.try(t, s, out) {
			return
		}
		src.End(i)
	}
}

// try runs the property on a sentence and reports whether to continue.
func (r *runner) try(t *T, s *Sentence, out *found) bool {
	t.reset()
	if f := call(r.prop, t, s, &out.failure); f != nil {
		out.failure = f
		return false
	}
	if t.skipped {
		r.stats.discarded++
		if r.exhausted() {
			out.err = fmt.Errorf("arguments exhausted: the property left out %d sentences and took %d; weaken what it assumes, or make the grammar say it", r.stats.discarded, r.stats.run)
			return false
		}
		return true
	}
	r.stats.run++
	if len(s.labels) > 0 {
		r.stats.add(s.labels)
	}
	return true
}

// exhausted reports whether too many sentences were left out: ten for each one requested or
// run.
func (r *runner) exhausted() bool {
	return r.stats.discarded > 1000 && r.stats.discarded > 10*max(r.c.count, r.stats.run)
}

// call runs a property on a sentence. goexit is set if the property ends the goroutine, which
// cannot be prevented.
func call(prop property, t *T, s *Sentence, goexit **failure) (f *failure) {
	done := false
	defer func() {
		if done {
			return
		}
		v := recover()
		if _, stopped := v.(stop); !stopped {
			switch {
			case v != nil:
				f = panicked(v)
			case t.failure != nil:
				f = t.failure
			default:
				f = &failure{kind: kindGoexit, message: "the property ended its goroutine, as FailNow of the outer *testing.T does; use its own t"}
			}
			f.text, f.logs = s.text, t.logs.String()
			if v == nil {
				*goexit = f
			}
			return
		}
		f = settled(t, s)
	}()
	prop(t, s)
	done = true
	if t.failure == nil {
		return nil
	}
	return settled(t, s)
}

// settled completes the failure reported to t, if any.
func settled(t *T, s *Sentence) *failure {
	if t.failure != nil {
		t.failure.text, t.failure.logs = s.text, t.logs.String()
	}
	return t.failure
}

// tick is the interval between looks at the sentence being run.
const tick = 100 * time.Millisecond

// watched runs the loop on its own goroutine and watches its progress.
func (r *runner) watched(ctx context.Context) *found {
	out := &found{}
	done := make(chan struct{})
	go func() {
		defer close(done) // also by Goexit
		if r.c.guide != "" {
			r.guidedLoop(ctx, out)
		} else {
			r.loop(ctx, out)
		}
	}()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	began := time.Now()
	w := newWatch(r.c, r.at.Load)
	for {
		select {
		case <-done:
			return out
		case now := <-ticker.C:
			if r.c.time > 0 && now.Sub(began) >= r.c.time {
				r.stop.Store(true)
			}
			if f := w.look(now); f != nil {
				r.stop.Store(true) // in case the property still returns
				return &found{failure: f, index: r.at.Load() - 1, input: r.guided.Load()}
			}
		}
	}
}

// watch detects a sentence that takes too much time or memory.
type watch struct {
	c      *config
	at     func() uint64
	last   uint64
	since  time.Time
	sample []metrics.Sample
}

func newWatch(c *config, at func() uint64) *watch {
	return &watch{c: c, at: at, since: time.Now(), sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
}

func (w *watch) look(now time.Time) *failure {
	if at := w.at(); at != w.last {
		w.last, w.since = at, now
	}
	if w.last == 0 { // a sentence is being drawn
		w.since = now
		return nil
	}
	if w.c.memory > 0 {
		metrics.Read(w.sample)
		if n := w.sample[0].Value.Uint64(); n > w.c.memory {
			return &failure{kind: kindMemory, message: fmt.Sprintf("the heap has grown beyond %d MiB", w.c.memory>>20)}
		}
	}
	if w.c.timeout > 0 && now.Sub(w.since) > w.c.timeout {
		return &failure{kind: kindHang, message: fmt.Sprintf("the property takes longer than %v", w.c.timeout)}
	}
	return nil
}
