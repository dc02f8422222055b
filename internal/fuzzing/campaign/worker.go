package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/pace"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/parse"
)

// treeEvery is the inverse of the share of the sentences whose tree is added to the coverage of the
// grammar. With a guide, those with new labels are added as well.
const treeEvery = 8

// worker draws, runs and shrinks, with a driver of its own.
type worker struct {
	c      *Campaign
	number int
	driver Driver
	stream *inputs       // makes trees of sentences already run; the drawer has its own
	parser *parse.Parser // nil until the first use

	drawer   *drawer
	examples atomic.Int64 // the number of the guide's examples

	labels  []guide.Label // of the last run
	fresh   []guide.Label // the labels that this worker saw first
	all     bool          // the guide needs the known labels of the next run as well
	seen    guide.LabelSet
	last    lastOutcome // of the last run
	pending []pending   // failures to be confirmed and shrunk

	shrinkEnd time.Time // the end of the time for pending ones; zero: ShrinkTime for each

	took     time.Duration // the program's time in the last run of exec; 0: the driver does not report it
	guideRan time.Time     // the end of the guide's last run
	spent    float64       // seconds of all runs of a guided campaign
	streamed float64       // seconds of those of the stream

	limit        error      // that ended the last parsing
	slow         *pace.Slow // of the guide's inputs
	alternatives []int      // of the guide's last input
	given        bool       // the guide did not make its input, so that is run in any case

	inFlight *input // the running input; nil: none
}

// lastOutcome is the outcome of a run and its label.
type lastOutcome struct {
	class  target.Class
	detail string
	label  guide.Label
}

func (c *Campaign) newWorker(ctx context.Context, number int) (*worker, error) {
	d, err := c.o.Drive(ctx)
	if err != nil {
		return nil, err
	}
	return &worker{c: c, number: number, driver: d, stream: c.inputs(), drawer: newDrawer(c)}, nil
}

// run works until drawing is done. Findings up to then are still shrunk, while ctx lasts.
func (w *worker) run(ctx, drawing context.Context) error {
	err := w.start(ctx, drawing)
	if err == nil {
		defer w.drawer.start(drawing, w.c.o.Guide != noGuide)()
		if w.c.o.Guide == noGuide {
			err = w.plain(drawing)
		} else {
			err = w.guided(ctx, drawing)
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && (drawing.Err() == nil || !ended(err)):
		return err
	}
	w.shrinkEnd = time.Now().Add(w.c.o.ShrinkTime)
	return w.triage(ctx) // the next run resumes the rest
}

// ended reports whether an error is that of a context.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// start runs the seeds, and shrinks the findings that an interrupted run left unshrunk. Only the
// first worker does it.
func (w *worker) start(ctx, drawing context.Context) error {
	if w.number > 0 {
		return nil
	}
	if err := w.takeUp(); err != nil {
		return err
	}
	seeds := slices.Clone(w.c.seeds)
	for _, s := range w.c.folder.orphans {
		seeds = append(seeds, w.seed(ctx, s))
	}
	if w.c.collects() { // the queue is run again, so that it does not get a second text for the same label
		names, err := w.c.folder.Texts()
		if err != nil {
			return err
		}
		for _, name := range names {
			if text, err := w.c.folder.Text(name); err == nil { // on an error it was removed, or set aside
				seeds = append(seeds, w.parsed(ctx, text, "queue"))
			}
		}
	}
	for _, in := range seeds {
		if _, err := w.try(drawing, in); err != nil {
			return err
		}
		if err := w.triage(drawing); err != nil {
			return err
		}
	}
	return nil
}

// seed makes the input of a user's text. It removes the line break that editors add at the end of
// a file, if the text is a sentence only without it.
func (w *worker) seed(ctx context.Context, s Seed) *input {
	in := w.parsed(ctx, s.Text, "seed")
	if short := bytes.TrimRight(s.Text, "\r\n"); in.tree == nil && len(short) < len(s.Text) {
		if cut := w.parsed(ctx, short, "seed"); cut.tree != nil {
			return cut
		}
	}
	return in
}

// plain runs the stream, sentence by sentence.
func (w *worker) plain(drawing context.Context) (err error) {
	defer func() { err = errors.Join(err, w.wait(drawing)) }()
	for drawing.Err() == nil {
		if err := w.chunk(drawing, w.submit); err != nil {
			return err
		}
		if len(w.pending) == 0 {
			continue
		}
		if err := w.wait(drawing); err != nil {
			return err
		}
		if err := w.triage(drawing); err != nil {
			return err
		}
	}
	return nil
}

// chunk calls do with some sentences of the stream, drawn by the drawer.
func (w *worker) chunk(ctx context.Context, do func(context.Context, *input) error) error {
	c := w.c
	if w.number == 0 && c.divide.Abandoned() {
		if err := w.takeUp(); err != nil {
			return err
		}
	}
	for {
		in, err := w.drawer.drawn.Next(ctx)
		if err != nil {
			return err
		}
		if err := do(ctx, in); err != nil || in.last {
			return err
		}
	}
}

// covers adds a sentence to the coverage of the grammar.
func (c *Campaign) covers(t *derive.Tree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cover.Add(t)
}

// submit runs a sentence of the stream. If the driver can, it only begins the run.
func (w *worker) submit(ctx context.Context, in *input) error {
	if in.tree != nil {
		w.c.covers(in.tree)
	}
	starter, ok := w.driver.(Starter)
	if !ok {
		if _, err := w.try(ctx, in); err != nil {
			return err
		}
		w.done(in)
		return nil
	}
	if err := w.wait(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := starter.Begin(ctx, in.text); err != nil {
		return err
	}
	w.inFlight = in
	return nil
}

// wait waits for the begun run, if any.
func (w *worker) wait(ctx context.Context) error {
	in := w.inFlight
	if in == nil {
		return nil
	}
	w.inFlight = nil
	r, err := w.driver.(Starter).End(ctx)
	if err != nil {
		return err
	}
	w.countRun()
	if _, err := w.judge(ctx, in, r); err != nil {
		return err
	}
	w.done(in)
	return nil
}

// done reports that a sentence, and all earlier ones of this worker, have been run.
func (w *worker) done(in *input) {
	w.c.ran.Add(1)
	w.c.divide.Ran(in.index)
	w.drawer.ran(in)
}

// try runs an input and returns its labels. A failure of a new kind is kept in the folder
// unshrunk, and becomes pending.
func (w *worker) try(ctx context.Context, in *input) ([]guide.Label, error) {
	r, err := w.exec(ctx, in.text)
	if err != nil {
		return nil, err
	}
	return w.judge(ctx, in, r)
}

// judge learns from a run and handles a failure.
func (w *worker) judge(ctx context.Context, in *input, r *Ran) ([]guide.Label, error) {
	o, fails := w.c.o.Failing.of(r)
	if warning := w.c.made.add(&w.c.o, r, fails); warning != "" {
		w.c.event(Event{Kind: Note, Text: warning})
	}
	if fails {
		o, looked, err := w.c.explain.of(ctx, in.text, o, false)
		if err == nil && looked {
			err = w.failed(ctx, in, o, r)
		}
		if err != nil {
			return nil, err
		}
	}
	labels, fresh := w.learn(r)
	if fails { // it is a finding
		return labels, nil
	}
	return labels, w.collect(in, r, fresh)
}

// exec runs a text.
func (w *worker) exec(ctx context.Context, text []byte) (*Ran, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r, err := w.driver.Run(ctx, text)
	if err != nil {
		return nil, err
	}
	w.took = 0
	if r.Result != nil {
		w.took = r.Result.Wall
	}
	w.countRun()
	return r, nil
}

// countRun counts a run and ends drawing after the last one.
func (w *worker) countRun() {
	if n := w.c.runs.Add(1); w.c.o.Runs > 0 && n >= w.c.o.Runs {
		w.c.enough()
	}
}

// learn returns the labels of a run for the guide, valid until the next one: all, or those that it
// does not know. It counts the new ones; fresh says that one is new to the campaign. Of a run that
// timed out only its end counts, and a guide gets no labels: most mutants of such a text time out,
// too.
func (w *worker) learn(r *Ran) (labels []guide.Label, fresh bool) {
	l := w.c.o.appendPrinted(append(w.labels[:0], w.endLabel(&r.Outcome)), r)
	w.fresh = w.fresh[:0]
	for _, l := range l {
		if fresh, _ := w.seen.Add(l); fresh {
			w.fresh = append(w.fresh, l)
		}
	}
	w.fresh = w.seen.AddEdges(w.fresh, r.reached())
	if len(w.fresh) > 0 {
		fresh = w.c.addLabels(w.fresh)
	}
	w.labels = l
	switch {
	case r.late():
		return nil, fresh
	case w.all:
		w.labels = guide.AppendEdges(l, r.Edges)
		return w.labels, fresh
	}
	return w.fresh, fresh
}

// appendPrinted appends the labels of a program's output, if the run was in time.
func (o *Options) appendPrinted(l []guide.Label, r *Ran) []guide.Label {
	if r.Result == nil || r.late() {
		return l
	}
	if len(r.Result.Labels) > 0 {
		l, _ = guide.AppendLines(l, bytes.NewReader(r.Result.Labels))
	}
	if o.Labels != nil {
		for _, text := range [][]byte{r.Result.Stdout, r.Result.Stderr} {
			for _, m := range o.Labels.FindAll(text, -1) {
				l = append(l, guide.Named("output "+string(m)))
			}
		}
	}
	return l
}

// endLabel returns the label of a run's end.
func (w *worker) endLabel(o *target.Outcome) guide.Label {
	if e := &w.last; e.label == 0 || e.class != o.Class || e.detail != o.Detail {
		*e = lastOutcome{o.Class, o.Detail, endLabel(o)}
	}
	return w.last.label
}

func endLabel(o *target.Outcome) guide.Label {
	return guide.Named(string(o.Class) + " " + o.Detail)
}

// addLabels adds labels to those of the campaign and reports whether one is new.
func (c *Campaign) addLabels(labels []guide.Label) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.labels.Len()
	for _, l := range labels {
		c.labels.Add(l)
	}
	if c.labels.Len() == n {
		return false
	}
	c.lastNew = c.elapsed()
	if c.idle != nil {
		c.idle.Reset(c.o.Idle)
	}
	return true
}

// elapsed returns the time since the start of the campaign, earlier runs included.
func (c *Campaign) elapsed() time.Duration {
	return seconds(c.runFile.state.Seconds) + time.Since(c.began)
}

// failed handles a failure: one of an unknown kind is written to the folder unshrunk and becomes
// pending.
func (w *worker) failed(ctx context.Context, in *input, o target.Outcome, r *Ran) error {
	c := w.c
	key := o.Key()
	if o.Class == target.Timeout && !c.isKnown(key) {
		// On a busy machine any run may time out once.
		again, err := w.exec(ctx, in.text)
		if err != nil || again.Outcome.Class != target.Timeout {
			return err
		}
	}
	c.mu.Lock()
	if c.known[key] {
		c.mu.Unlock()
		return nil
	}
	if len(c.known) >= c.o.MaxFindings {
		first := len(c.notKept) == 0
		c.beyond(key)
		c.mu.Unlock()
		if first {
			c.event(Event{Kind: Note, Text: fmt.Sprintf("%s has %s, the most that are kept; further kinds of failures are only counted; --max-findings raises that", c.o.Dir, words.Plural(c.o.MaxFindings, "finding"))})
		}
		return nil
	}
	c.known[key] = true
	c.lastNew = c.elapsed()
	c.mu.Unlock()
	in = in.clone()
	if err := w.stream.addTree(ctx, in); err != nil {
		return err
	}
	fd := c.newFinding(o, r, c.record(in))
	if _, err := c.keep(fd); err != nil {
		return err
	}
	w.pending = append(w.pending, pending{in, fd})
	c.event(Event{Kind: Found, Finding: fd, Path: c.folder.path(findingsDir, fd.Key)})
	if n := c.fresh.Add(1); c.o.Enough > 0 && int(n) >= c.o.Enough {
		c.enough()
	}
	return nil
}

// maxBeyond bounds the kinds of failures that are counted beyond Options.MaxFindings.
const maxBeyond = 100_000

// beyond counts a kind of failure that is not kept.
func (c *Campaign) beyond(key string) {
	if c.notKept == nil {
		c.notKept = map[string]bool{}
	}
	if len(c.notKept) < maxBeyond {
		c.notKept[key] = true
	}
}

func (c *Campaign) isKnown(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[key]
}

// keep writes a finding. The error has the text that would be lost.
func (c *Campaign) keep(fd *Finding) (*Finding, error) {
	now, err := c.folder.Keep(fd)
	if err != nil {
		text := fd.Record.Text
		return nil, fmt.Errorf("the finding %s cannot be kept: %w; its text is %q", fd.Signature, err, text[:min(len(text), 1<<10)])
	}
	if e := c.readFindings(); e != nil {
		return nil, e
	}
	return now, nil
}
