package reduce

import (
	"context"
	"errors"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// Predicate says whether a text still has the property that is looked for. An
// error ends the run: a predicate that cannot be asked has not said no. The
// exception is an error with a method Timeout that returns true, which is "no
// answer in time": it is taken for "no" until the run is stuck. With
// Options.Jobs above 1 it is called from several goroutines at once. The
// candidate must not be changed.
type Predicate func(ctx context.Context, text []byte) (bool, error)

// Input is what to reduce.
type Input struct {
	// Text is the text to reduce; nil is the text of Tree.
	Text []byte

	// Tree is the derivation that the text was made from, a record's; nil where
	// there is none. With it auto tries sentences of the grammar only, and
	// names stay defined before their uses. A tree of a text that was not made
	// from a grammar comes from Options.Parse: then auto goes below the grammar,
	// too. A tree whose own text differs from Text is used if the property holds
	// for that text and it is smaller.
	Tree *derive.Tree

	// Below makes auto go below the grammar although there is a Tree, and lets
	// edits of a text disobey the annotations of its grammar. Otherwise every
	// candidate obeys them where the input does.
	Below bool
}

// Cache keeps answers by the SHA-256 of the text, beyond one run. It must be
// safe for use by several goroutines where Options.Jobs is above 1.
type Cache interface {
	Get(key [32]byte) (holds, known bool)
	Put(key [32]byte, holds bool)
}

// Options steer a run. The zero value is valid.
type Options struct {
	// Algorithm is the name of an algorithm (see [Algorithms]), or several,
	// separated by commas, which are repeated in turn to a common fixed point.
	// "" is [Auto].
	Algorithm string

	// Derive is what the sentences are derived with: bounds and hooks, as they
	// were when the input was made. Zero: no bound, no hooks.
	Derive derive.Options

	// Names say how the names of an annotated grammar were taken. Sentences that
	// are derived anew keep them, unless Derive has hooks of its own.
	Names gctx.Options

	// Parse makes a tree of a text, of which every byte belongs to a leaf or a
	// gap; an error says that the text is not a sentence. nil: there is no
	// grammar for texts, and what passes on text made has no tree again.
	Parse func(ctx context.Context, text []byte) (*derive.Tree, error)

	Jobs     int           // predicates that may run at once; 0 is 1
	MaxCalls int           // calls of the predicate, in sequential order; 0 is no limit
	Time     time.Duration // ends the run with the best so far; 0 is no limit
	Cache    Cache         // nil: answers are kept for this run only

	// Recheck asks for the best again, past what is known, every [RecheckEvery]
	// accepted steps and at the end, and goes back to the last step that still
	// holds if it does not.
	Recheck bool

	// Best is called for the input and after every accepted step, with what is
	// best then; nil: not. An error ends the run.
	Best func(text []byte, tree *derive.Tree) error

	// Trace is called after every answer, in sequential order; nil: not.
	Trace func(Event)
}

// Result is what a reduction ends with, however it ended.
type Result struct {
	Text  []byte
	Tree  *derive.Tree // the derivation of Text; nil where there is none
	Stats Stats
}

// ErrNotInteresting is the error of an input that does not have the property.
var ErrNotInteresting = errors.New("the predicate does not hold for the input")

// errEnough ends a run that used up its calls or time.
var errEnough = errors.New("enough")

// Run reduces the input. The result always has the property, unless the
// predicate is flaky, and is never larger than the input in the order of
// [Compare]. When a budget is used up that is no error. With an error other than
// [ErrNotInteresting] (the predicate's, the context's) the result is not nil and
// the best so far.
//
// Besides the predicate it costs, for each candidate, time linear in the text
// or tree.
func Run(ctx context.Context, in Input, p Predicate, o Options) (*Result, error) {
	plan, err := planOf(o.Algorithm)
	if err != nil {
		return nil, err
	}
	if in.Text == nil && in.Tree == nil {
		return nil, errors.New("there is nothing to reduce: neither a text nor a tree")
	}
	s := newSearch(ctx, p, o)
	if o.Time > 0 {
		var cancel context.CancelFunc
		s.ctx, cancel = context.WithTimeoutCause(ctx, o.Time, errEnough)
		defer cancel()
	}
	if err := s.begin(in); err != nil {
		return nil, s.cause(err)
	}
	err = s.cause(s.checked(plan))
	if errors.Is(err, errEnough) {
		s.stats.Stopped = true
		err = nil
	}
	s.stats.To = len(s.best.text)
	return &Result{Text: s.best.text, Tree: s.best.tree, Stats: s.stats}, err
}

// stubborn runs a plan and, where it is stuck and some candidates had no answer
// in time, forgets those answers and runs it again, until that helps no more:
// under a timeout that follows the run they may have more time, or less.
func (s *search) stubborn(plan func(*search) error) error {
	for {
		err := plan(s)
		if err != nil || len(s.late) == 0 || s.asked == s.best {
			return err
		}
		s.asked = s.best
		for _, key := range s.late {
			delete(s.known, key)
		}
		s.late = nil
	}
}

// cause is the error behind the end of a context.
func (s *search) cause(err error) error {
	if err != nil && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return err
}

// begin asks about the input and settles what the search starts from.
func (s *search) begin(in Input) error {
	c := &candidate{text: in.Text, tree: s.named(in.Tree)}
	s.within = in.Tree != nil && !in.Below
	if in.Text == nil {
		c.text = in.Tree.AppendText(nil)
	}
	s.stats.From = len(c.text)
	s.pass("input")
	ok, err := s.ask(c)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNotInteresting
	}
	if c.tree == nil {
		c.tree = s.parse(c.text)
	}
	if c.tree != nil && in.Text != nil {
		if t := c.tree.AppendText(nil); string(t) != string(c.text) {
			if c, err = s.rerendered(c, t); err != nil {
				return err
			}
		}
	}
	s.planted(c.tree)
	if !in.Below {
		s.guard = s.annotations(c.tree)
	}
	return s.accept(c)
}

// annotations returns the names of the grammar of a tree; nil where there is
// neither.
func (s *search) annotations(t *derive.Tree) *gctx.Names {
	if t == nil {
		return nil
	}
	if s.names == nil && s.o.Derive.Hooks != nil {
		names, _ := gctx.New(t.Grammar, s.o.Names)
		return names
	}
	return s.names
}

// guarded makes a candidate of a text that was edited below an annotated grammar:
// where it is a sentence in which all names are where they may be.
func (s *search) guarded(text, base []byte) *candidate {
	if s.o.Parse == nil || Compare(text, nil, base, nil) >= 0 {
		return nil
	}
	t, err := s.o.Parse(s.ctx, text)
	if err != nil {
		return nil
	}
	if t, err = s.guard.Convert(t); err != nil || string(t.AppendText(nil)) != string(text) {
		return nil
	}
	return &candidate{text: text, tree: t}
}

// named returns the tree with names where the annotations of the grammar say;
// nil where a name may not stand where it stands.
func (s *search) named(t *derive.Tree) *derive.Tree {
	if t == nil || s.o.Derive.Hooks != nil {
		return t
	}
	if s.names == nil && s.machine == nil {
		names, err := gctx.New(t.Grammar, s.o.Names)
		if err != nil {
			return t
		}
		s.names = names
	}
	t, err := s.names.Convert(t)
	if err != nil {
		return nil
	}
	return t
}

// planted makes ready for a tree, the first that the run has.
func (s *search) planted(t *derive.Tree) {
	if t != nil && s.machine == nil {
		m, err := gctx.Machine(t.Grammar, s.names, s.o.Derive)
		if err != nil {
			m = derive.NewMachine(t.Grammar, s.o.Derive) // too many namespaces to keep
		}
		s.machine = m
		s.laidOut = t.Gaps != nil
	}
}

// rerendered chooses between a text and what its tree says the text is: the
// tree's where that has the property and is no larger, else no tree.
func (s *search) rerendered(c *candidate, text []byte) (*candidate, error) {
	if Compare(text, nil, c.text, nil) < 0 {
		r := &candidate{text: text, tree: c.tree}
		ok, err := s.ask(r)
		if ok || err != nil {
			return r, err
		}
	}
	s.stats.LostTree, s.within = true, false
	return &candidate{text: c.text}, nil
}

// parse returns the tree of a text, nil where there is none or where rendering
// it would change the text.
func (s *search) parse(text []byte) *derive.Tree {
	if s.o.Parse == nil {
		return nil
	}
	t, err := s.o.Parse(s.ctx, text)
	if t = s.named(t); err != nil || t == nil || string(t.AppendText(nil)) != string(text) {
		return nil
	}
	return t
}
