package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gramfuzz/gramfuzz/coverage"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

// Campaign fuzzes a program with sentences of a grammar. It runs once.
type Campaign struct {
	g       *grammar.Grammar
	o       Options
	folder  *Folder
	runFile *runFile
	stream  *stream.Stream
	enum    *enumeration
	facts   *grammar.Facts
	layout  *derive.Layout
	parser  func() *parse.Parser // nil if no parser can be made for the grammar
	explain explainer
	made    verdicts // verdicts on the texts of this process
	divide  Coordinator

	seeds     []*input       // the user's own texts
	seedTrees []*derive.Tree // trees of the seeds, or of their parts, that are sentences

	began   time.Time
	next    atomic.Uint64 // the next place of the stream that is not taken
	ran     atomic.Uint64 // sentences of the stream run in this process
	runs    atomic.Uint64 // runs in this process
	fresh   atomic.Int64  // findings of this process
	enough  context.CancelFunc
	idle    *time.Timer // ends drawing; nil: idleness does not
	workers []*worker

	mu      sync.Mutex
	known   map[string]bool // keys of findings that are in the folder, or will be
	notKept map[string]bool // keys of failures beyond Options.MaxFindings, in this process
	labels  guide.LabelSet
	shapes  map[shape]bool // used without a guide
	cover   *coverage.Coverage
	lastNew time.Duration // time since the start of the campaign
	seen    int           // the number of findings in the folder
	curve   []Point

	events sync.Mutex
}

// New prepares a campaign: it opens the folder, takes over or adds a run there, and makes the
// generators of sentences. The caller must call [Campaign.Run] or Close.
func New(ctx context.Context, g *grammar.Grammar, o Options) (*Campaign, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	c := &Campaign{g: g, o: o, known: map[string]bool{}, shapes: map[shape]bool{}, facts: g.Facts(nil, grammar.Structure)}
	c.divide = o.Coordinator
	if c.divide == nil {
		c.divide = alone{c}
	}
	var err error
	if c.folder, err = open(o.Dir, o.trace); err != nil {
		return nil, err
	}
	if c.runFile, err = c.folder.take(o.settings(g.SHA256), o.Seed, o.AnySeed); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Campaign) prepare(ctx context.Context) (err error) {
	if c.layout, err = derive.NewLayout(c.g, derive.Tight); err != nil {
		return err
	}
	p := &stream.Plan{
		Grammar: c.o.Grammar, Alphabet: c.o.Alphabet, Strategy: cmp.Or(c.o.Strategy, stream.Mixed), Strength: c.o.Strength,
		Seed: c.runFile.state.Seed, Bound: record.Bound(c.o.Bound), Damage: c.o.Damage, Words: c.o.Words,
	}
	c.stream, err = p.Open(ctx, c.g, stream.Options{})
	if err != nil {
		return err
	}
	if c.enum, err = newEnumeration(ctx, c.g, c.stream.Bound()); err != nil {
		return err
	}
	if c.cover, err = coverage.New(c.g, coverage.Options{}); err != nil {
		return err
	}
	c.parser = sync.OnceValue(func() *parse.Parser {
		p, err := parse.New(ctx, c.g, parse.Options{})
		if err != nil {
			return nil
		}
		return p
	})
	if c.o.Guide != noGuide {
		if _, _, err := c.guideOf(ctx, &worker{c: c}); err != nil {
			return err
		}
	}
	keys, err := names(c.folder.path(findingsDir))
	for _, k := range keys {
		c.known[k] = true
	}
	c.seen = len(keys)
	c.next.Store(c.runFile.state.Next)
	c.lastNew = seconds(c.runFile.state.LastNew)
	c.curve = c.runFile.state.Curve
	return err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Close releases the run in the folder. Run does so by itself.
func (c *Campaign) Close() error { return c.runFile.close() }

// Folder returns the campaign's folder.
func (c *Campaign) Folder() *Folder { return c.folder }

// Number returns the number of this run in the folder.
func (c *Campaign) Number() int { return c.runFile.number }

// Seed returns the seed of the stream.
func (c *Campaign) Seed() uint64 { return c.runFile.state.Seed }

// Resumed reports whether the campaign continues an earlier run.
func (c *Campaign) Resumed() bool { return !c.runFile.fresh }

// Summary is the result of a campaign.
type Summary struct {
	Stats
	Findings []*Finding // all findings of the folder
	Fixed    []*Finding // findings that the program, since it changed, no longer has
	New      int        // the number of findings of this run
	Page     string     // the path of the report; "" if it could not be written
}

// Panic is the value with which [Campaign.Run] panics after a worker's panic, so that the caller
// can restore the terminal.
type Panic = ahead.Panic

// Run runs the campaign until a limit, ctx or an error ends it. Findings and progress are in the
// folder in any case. If ctx ends it, the error is that of ctx, with a summary.
func (c *Campaign) Run(ctx context.Context) (*Summary, error) {
	c.began = time.Now()
	c.explain.begin(c.o.Explain)
	defer c.Close()
	c.event(Event{Kind: Started, Stats: c.stats()})
	c.tellNotes()
	err := c.work(ctx)
	if err == nil {
		err = ctx.Err()
	}
	sum, ended := c.end()
	c.event(Event{Kind: Ended, Stats: &sum.Stats})
	return sum, errors.Join(err, ended)
}

// end saves the state, reads all findings and writes the page.
func (c *Campaign) end() (*Summary, error) {
	err := errors.Join(c.save(), c.readFindings())
	c.tellNotes()
	sum, e := c.summary()
	return sum, errors.Join(err, e)
}

// summary reads all findings and writes the page.
func (c *Campaign) summary() (*Summary, error) {
	sum := &Summary{Stats: *c.stats(), New: int(c.fresh.Load())}
	all, err := c.folder.Findings()
	if err != nil {
		return sum, err
	}
	for _, fd := range all {
		if fd.Fixed.IsZero() {
			sum.Findings = append(sum.Findings, fd)
		} else {
			sum.Fixed = append(sum.Fixed, fd)
		}
	}
	sum.Page, err = c.writePage(sum)
	return sum, err
}

// WritePage writes the page of the campaign's present state and returns its path. It may be
// called while the campaign runs.
func (c *Campaign) WritePage() (string, error) {
	sum, err := c.summary()
	return sum.Page, err
}

// work runs the workers to their end.
func (c *Campaign) work(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	drawing, enough := context.WithCancel(ctx)
	defer enough()
	c.enough = enough
	if c.o.Time > 0 {
		drawing, enough = context.WithTimeout(drawing, c.o.Time)
		defer enough()
	}
	if c.o.Idle > 0 {
		c.idle = time.AfterFunc(c.o.Idle, c.enough)
		defer c.idle.Stop()
	}
	for i := range c.o.Jobs {
		w, err := c.newWorker(ctx, i)
		if err != nil {
			c.closeDrivers()
			return err
		}
		c.workers = append(c.workers, w)
	}
	c.readSeeds(drawing)
	if err := c.workers[0].refile(drawing); err != nil && !ended(err) {
		c.closeDrivers()
		return err
	}
	var group sync.WaitGroup
	errs := make([]error, len(c.workers))
	panicked := make(chan *Panic, len(c.workers)+1)
	catch := func(p *Panic) { panicked <- p }
	for i, w := range c.workers {
		group.Go(func() {
			defer w.driver.Close()
			defer ahead.Catch(catch)
			errs[i] = w.run(ctx, drawing)
			if errs[i] != nil {
				stop(errs[i])
			}
		})
	}
	ticking := make(chan struct{})
	var ticker sync.WaitGroup
	ticker.Go(func() {
		defer ahead.Catch(catch)
		if err := c.tick(ctx, ticking); err != nil {
			stop(err)
		}
	})
	finished := make(chan struct{})
	go func() {
		group.Wait()
		close(ticking)
		ticker.Wait()
		close(finished)
	}()
	select {
	case <-finished:
	case p := <-panicked: // waits for no worker: one may hold a lock for good
		panic(p)
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// readSeeds parses the user's own texts. A text that is no sentence is run as it is, and its parts
// that are sentences become seeds as well.
func (c *Campaign) readSeeds(ctx context.Context) {
	w, raw, parts := c.workers[0], 0, 0
	for i, s := range c.o.Seeds {
		in := w.seed(ctx, s)
		if ctx.Err() != nil {
			c.event(Event{Kind: Note, Text: fmt.Sprintf("the time was up when %d of %s were read", i, words.Plural(len(c.o.Seeds), "seed"))})
			return
		}
		c.seeds = append(c.seeds, in)
		if in.tree != nil {
			c.seedTrees = append(c.seedTrees, in.tree)
			continue
		}
		if w.limit != nil {
			c.event(Event{Kind: Note, Text: fmt.Sprintf("the seed %s is run as it is, since it met a limit: %v", s.Name, w.limit)})
			continue
		}
		raw++
		for _, t := range w.partsOf(ctx, s.Text) {
			parts++
			c.seedTrees = append(c.seedTrees, t)
			c.seeds = append(c.seeds, &input{text: t.AppendText(nil), tree: t, from: "seed"})
		}
	}
	if raw > 0 {
		c.event(Event{Kind: Note, Text: fmt.Sprintf("%d of %d seeds are no sentences of the grammar; they are run as they are, and %s in them", raw, len(c.o.Seeds), words.Plural(parts, "sentence"))})
	}
}

func (c *Campaign) closeDrivers() {
	for _, w := range c.workers {
		w.driver.Close()
	}
}

// tickEvery is the interval between saving the state and sending a Progress event. The first
// intervals are shorter, so that a run killed early has saved something.
const (
	tickEvery = time.Second
	firstTick = 50 * time.Millisecond
)

// tick saves the state and looks for findings of others, until done.
func (c *Campaign) tick(ctx context.Context, done <-chan struct{}) error {
	wait := firstTick
	t := time.NewTimer(wait)
	defer t.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		wait = min(2*wait, tickEvery)
		t.Reset(wait)
		if err := c.save(); err != nil {
			return fmt.Errorf("%s: how far the run is cannot be written: %w", c.o.Dir, err)
		}
		if err := c.readFindings(); err != nil {
			return err
		}
		c.event(Event{Kind: Progress, Stats: c.stats()})
		c.tellNotes()
	}
}

// tellNotes reports the notes of the folder.
func (c *Campaign) tellNotes() {
	for _, note := range c.folder.takeNotes() {
		c.event(Event{Kind: Note, Text: note})
	}
}

// readFindings notes the findings that other runs have put into the folder.
func (c *Campaign) readFindings() error {
	keys, err := names(c.folder.path(findingsDir))
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		c.known[k] = true
	}
	c.seen = len(keys)
	return nil
}

// save writes the progress of the run.
func (c *Campaign) save() error {
	s := c.stats()
	st := &c.runFile.state
	c.mu.Lock()
	c.curve = AddPoint(c.curve, Point{Seconds: s.Seconds, Runs: s.Runs, Labels: s.Labels, Findings: s.Findings})
	save := *st
	save.Curve = append([]Point(nil), c.curve...)
	c.mu.Unlock()
	save.Next, save.Runs, save.Seconds, save.LastNew, save.Verdicts = c.done(), s.Runs, s.Seconds, s.LastNew, s.Verdicts
	return c.runFile.save(&save)
}

// done returns the place of the stream before which everything has been run; in a divided
// campaign, the number of places run by this process.
func (c *Campaign) done() uint64 {
	if c.o.Coordinator != nil {
		return c.runFile.state.Next + c.ran.Load()
	}
	least := c.next.Load()
	for _, w := range c.workers {
		least = min(least, w.drawer.at.Load())
	}
	return least
}

// stats returns the present numbers.
func (c *Campaign) stats() *Stats {
	old := &c.runFile.state
	took := time.Since(c.began)
	s := &Stats{Seconds: old.Seconds + took.Seconds(), Runs: old.Runs + c.runs.Load(), Sentences: c.done(), Covered: -1, Verdicts: c.made.since(old.Verdicts)}
	s.PerSecond = float64(c.runs.Load()) / max(took.Seconds(), 1e-3)
	if c.enum != nil && c.o.Coordinator == nil {
		s.Enumerated = enumerated(s.Sentences)
		s.Covered = sizesCovered(s.Enumerated, c.enum.least, c.enum.counts)
		if s.Covered < c.enum.least {
			s.Covered = -1
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.NotKept = len(c.notKept)
	s.Labels, s.Findings, s.LastNew = c.labels.Len(), c.seen, c.lastNew.Seconds()
	for _, w := range c.workers {
		s.Examples += int(w.examples.Load())
	}
	alts := c.cover.Report().Alternatives
	s.Alternatives, s.AllOf = alts.Reached, alts.Total
	return s
}

// event reports an event.
func (c *Campaign) event(e Event) {
	if c.o.Event == nil {
		return
	}
	c.events.Lock()
	defer c.events.Unlock()
	e.Time = time.Now().UTC()
	c.o.Event(e)
}
