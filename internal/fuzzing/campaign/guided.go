package campaign

import (
	"context"
	"errors"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/pace"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// guideOf makes the guide of a worker, which draws ahead until drawing ends or stop is called.
func (c *Campaign) guideOf(drawing context.Context, w *worker) (loop guide.Loop, stop func(), err error) {
	o := guide.SentenceOptions{Bound: c.o.Bound, Texts: c.o.Damage > 0, Words: c.o.Words, Seeds: c.seedTrees}
	compare := w.comparisons()
	if compare != nil {
		o.Parse = func(ctx context.Context, text []byte) (*derive.Tree, error) {
			began := time.Now()
			t, err := w.repaired(ctx, text)
			if err != nil {
				w.guideRan = w.guideRan.Add(time.Since(began)) // not a cost of the next input
			}
			return t, err
		}
	}
	src, err := guide.NewSentences(c.g, o)
	if err != nil {
		return nil, nil, err
	}
	seed := c.runFile.state.Seed + (c.divide.Part()<<32+uint64(w.number))*random.Gamma + c.runFile.state.Runs
	loop, err = guide.New(c.o.Guide, src, w.guidedTest, guide.Options{Seed: seed, Budget: guideBudget, Compare: compare})
	return loop, src.Ahead(drawing), err
}

// comparisons returns the function that records the comparisons of an input; nil if the driver
// cannot, or if there is no parser.
func (w *worker) comparisons() func(context.Context, *guide.Input) ([]gocov.Comparison, error) {
	d := comparerOf(w.driver)
	if d == nil || w.c.o.withoutComparisons || w.c.parser() == nil {
		return nil
	}
	return func(ctx context.Context, in *guide.Input) ([]gocov.Comparison, error) {
		w.countRun()
		return d.Compare(ctx, in.Text)
	}
}

// guidedTest runs an input of a guide. Its cost is the time since the end of the guide's previous
// run, plus the time of the program; if the driver does not report the latter, the guide goes by
// sizes.
func (w *worker) guidedTest(ctx context.Context, in *guide.Input) ([]guide.Label, error) {
	made := time.Since(w.guideRan)
	w.all = in.All
	if w.leavesOut(in) {
		if in.Cost == 0 {
			in.Cost = made.Seconds()
		}
		w.guideRan = time.Now()
		return nil, nil
	}
	labels, err := w.try(ctx, &input{text: in.Text, tree: in.Tree, seed: w.c.runFile.state.Seed, from: in.From})
	if w.took > 0 {
		in.Cost = (made + w.took).Seconds()
		w.spent += in.Cost
		if in.Tree != nil {
			w.slow.Ran(w.alternatives, w.took, w.last.class == target.Timeout)
		}
	}
	if in.Tree != nil && (len(labels) > 0 || w.c.runs.Load()%treeEvery == 0) {
		w.c.covers(in.Tree)
	}
	w.guideRan = time.Now()
	return labels, err
}

// leavesOut reports whether an input that the guide made is likely to time out and is not run: a
// mutant of a program often has a loop without end. Inputs that are slow and end do show labels, so
// these are run. It notes the alternatives of the input.
func (w *worker) leavesOut(in *guide.Input) bool {
	if in.Tree == nil {
		return false
	}
	w.alternatives = pace.AppendAlternatives(w.alternatives[:0], in.Tree)
	return !w.given && w.slow.Skip(w.alternatives)
}

// guideBudget is the number of runs of a guide between two turns of the stream: three times a
// chunk.
const guideBudget = 3 * Chunk

// syncEvery is the number of turns between two exchanges of a worker with the queue, in both
// directions.
const syncEvery = 64

// guided runs the guide, and the stream beside it.
func (w *worker) guided(ctx, drawing context.Context) (err error) {
	w.slow = pace.NewSlow(w.c.g)
	w.seen = guide.LabelSet{} // the labels of earlier runs are new to the guide
	loop, stop, err := w.c.guideOf(drawing, w)
	if err != nil {
		return err
	}
	defer stop()
	q := &queue{w: w, loop: loop, have: map[string]bool{}}
	for _, in := range w.c.seeds {
		if err := q.add(drawing, in.clone()); err != nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, q.put()) }()
	for turn := 0; drawing.Err() == nil; turn++ {
		if turn%syncEvery == 0 {
			if err := q.sync(drawing); err != nil {
				return err
			}
		}
		err := w.streamTurn(drawing, q)
		if err == nil {
			w.guideRan = time.Now()
			err = loop.Step(drawing)
		}
		if err != nil {
			return err
		}
		w.examples.Store(int64(loop.Stats().Examples))
		if err := w.triage(drawing); err != nil {
			return err
		}
	}
	return nil
}

// streamShare is the greatest share of a guided campaign's time for sentences of the stream.
const streamShare = 1.0 / 32

// streamTurn gives the guide some sentences of the stream, unless these have taken more than
// their share of the time: slow ones teach nothing.
func (w *worker) streamTurn(ctx context.Context, q *queue) error {
	if w.streamed > w.spent*streamShare {
		return nil
	}
	before := w.spent
	defer func() { w.streamed += w.spent - before }()
	return w.chunk(ctx, func(ctx context.Context, in *input) error {
		err := q.add(ctx, in)
		if err == nil {
			w.done(in)
		}
		return err
	})
}

// queue is a worker's view of the folder's queue.
type queue struct {
	w    *worker
	loop guide.Loop
	have map[string]bool // names that were read or written
}

// add gives an input to the guide.
func (q *queue) add(ctx context.Context, in *input) error {
	g := &guide.Input{Text: in.text, Tree: in.tree, From: in.from}
	if in.tree != nil && string(in.text) != in.tree.Text() {
		g.Tree = nil // damaged
	}
	q.w.guideRan, q.w.given = time.Now(), true
	err := q.loop.Add(ctx, g)
	q.w.given = false
	return err
}

// sync writes the guide's examples and reads those of others.
func (q *queue) sync(ctx context.Context) error {
	if err := q.put(); err != nil {
		return err
	}
	names, err := q.w.c.folder.Texts()
	if err != nil {
		return err
	}
	for _, name := range names {
		if q.have[name] {
			continue
		}
		q.have[name] = true
		text, err := q.w.c.folder.Text(name)
		if err != nil {
			continue // removed meanwhile
		}
		if err := q.add(ctx, q.w.parsed(ctx, text, "queue")); err != nil {
			return err
		}
	}
	return nil
}

// put writes the guide's examples that the queue does not have.
func (q *queue) put() error {
	for _, in := range q.loop.Examples() {
		name := corpus.Name(in.Text)
		if q.have[name] {
			continue
		}
		q.have[name] = true
		if err := q.w.c.folder.AddText(in.Text); err != nil {
			return err
		}
	}
	return nil
}
