package campaign

import (
	"bytes"
	"context"
	"errors"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/reduce"
)

// pending is a failure that is kept but not shrunk yet.
type pending struct {
	in *input
	fd *Finding
}

// takeUp resumes unfinished shrinking of interrupted runs.
func (w *worker) takeUp() error {
	all, err := w.c.folder.Findings()
	if err != nil {
		return err
	}
	for _, fd := range all {
		if fd.Shrunk || !fd.Fixed.IsZero() {
			continue
		}
		in := &input{text: fd.Record.Text, seed: fd.Record.Seed, index: fd.Record.Index, from: fd.Record.Strategy}
		m, err := gctx.NewMachine(w.c.g, derive.Options{Layout: w.c.layout})
		if err == nil && len(fd.Record.Choices) > 0 {
			if t, err := m.Run(context.Background(), derive.Replay(fd.Record.Choices)); err == nil {
				in.tree = t
			}
		}
		w.pending = append(w.pending, pending{in, fd})
	}
	return nil
}

// triage confirms and shrinks pending failures, and those found meanwhile.
func (w *worker) triage(ctx context.Context) error {
	for len(w.pending) > 0 && (w.shrinkEnd.IsZero() || time.Now().Before(w.shrinkEnd)) {
		p := w.pending[0]
		if err := w.shrink(ctx, p.in, p.fd); err != nil {
			return err
		}
		w.pending = w.pending[1:]
	}
	return nil
}

// confirmations is the number of attempts before a failure is called flaky.
const confirmations = 2

// shrink runs a failure again, makes its text small and writes it, unless another process does.
func (w *worker) shrink(ctx context.Context, in *input, fd *Finding) error {
	claim, err := w.c.divide.Claim(ctx, fd)
	if err != nil || claim == nil {
		return err
	}
	defer claim.Release()
	again, err := w.again(ctx, in.text, fd)
	if err != nil {
		return err
	}
	switch {
	case !again:
		fd.Note = "it did not fail when it was run again: the program, or the load of the machine, has a part in it"
	case w.c.o.ShrinkTime > 0:
		if err := w.reduce(ctx, in, fd, claim.Answers); err != nil {
			if _, e := w.c.keep(fd); e != nil { // as far as it was shrunk
				return e
			}
			return err
		}
	}
	fd.Shrunk = true
	now, err := w.c.keep(fd)
	if err != nil {
		return err
	}
	w.c.event(Event{Kind: Shrunk, Finding: now, Path: w.c.folder.path(findingsDir, fd.Key)})
	return nil
}

// again runs a text and reports whether it fails with the finding's signature.
func (w *worker) again(ctx context.Context, text []byte, fd *Finding) (bool, error) {
	for range confirmations {
		same, err := w.same(ctx, text, fd)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// same runs a candidate and reports whether it fails with the finding's signature. Another
// failure becomes a finding of its own.
func (w *worker) same(ctx context.Context, text []byte, fd *Finding) (bool, error) {
	r, err := w.exec(ctx, text)
	if err != nil {
		return false, err
	}
	o, failed := w.c.o.Failing.of(r)
	if !failed {
		return false, nil
	}
	if o, _, err = w.c.explain.of(ctx, text, o, true); err != nil {
		return false, err
	}
	if o.Key() == fd.Key {
		fd.describe(o, r)
		return true, nil
	}
	return false, w.failed(ctx, w.parsed(ctx, bytes.Clone(text), "shrinking"), o, r)
}

// reduce makes the text of a finding small: within the grammar where the undamaged sentence
// fails; if the damage is needed, as a text.
func (w *worker) reduce(ctx context.Context, in *input, fd *Finding, answers reduce.Cache) error {
	limit := w.c.o.ShrinkTime
	if !w.shrinkEnd.IsZero() {
		limit = max(min(limit, time.Until(w.shrinkEnd)), time.Second)
	}
	began := time.Now()
	if in.tree != nil {
		text := in.tree.AppendText(nil)
		whole := bytes.Equal(text, in.text)
		if !whole {
			var err error
			if whole, err = w.same(ctx, text, fd); err != nil {
				return err
			}
		}
		if whole {
			return w.reduceFrom(ctx, reduce.Input{Tree: in.tree}, in, fd, answers, limit)
		}
	}
	return w.reduceFrom(ctx, reduce.Input{Text: in.text}, in, fd, answers, max(limit-time.Since(began), time.Second))
}

func (w *worker) reduceFrom(ctx context.Context, from reduce.Input, in *input, fd *Finding, answers reduce.Cache, limit time.Duration) error {
	o := reduce.Options{Time: limit, Cache: answers, Derive: derive.Options{Layout: w.c.layout}}
	if from.Tree == nil {
		o.Parse = w.parse
	}
	saved := time.Now()
	o.Best = func(text []byte, tree *derive.Tree) error {
		fd.Record = w.c.record(&input{text: bytes.Clone(text), tree: tree, seed: in.seed, index: in.index, from: in.from})
		if time.Since(saved) < tickEvery {
			return nil
		}
		saved = time.Now()
		_, err := w.c.keep(fd) // a run that is killed while it shrinks keeps the best text
		return err
	}
	res, err := reduce.Run(ctx, from, func(ctx context.Context, text []byte) (bool, error) {
		return w.same(ctx, text, fd)
	}, o)
	if res != nil {
		fd.Calls += res.Stats.Calls
		if res.Stats.Stopped {
			fd.Note = "shrinking took too long and was ended; it may get smaller"
		}
	}
	if errors.Is(err, reduce.ErrNotInteresting) {
		fd.Note = "it did not fail again while it was being shrunk"
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.same(ctx, fd.Record.Text, fd) // the last run that failed may be that of another text
	return err
}
