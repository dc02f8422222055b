package reduce

import (
	"context"
	"errors"
	"time"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
)

// Predicate reports whether a text still has the property that the input has. It
// must not change the text. With [Options].Jobs above 1 it is called from several
// goroutines at once.
//
// An error ends the run, since it is not a "no". The exception is an error with a
// method Timeout that returns true: it counts as "no" until the run is stuck.
type Predicate func(ctx context.Context, text []byte) (bool, error)

// Input is the text or the tree to reduce.
type Input struct {
	// Text is the text to reduce; nil means the text of Tree.
	Text []byte

	// Tree is the derivation that the text was generated from, nil if there is
	// none. With it auto tries sentences of the grammar only, and names stay
	// defined before their uses. A tree whose text differs from Text is used if
	// its text is smaller and has the property. Text from elsewhere gets its tree
	// from Options.Parse; auto then also edits below the grammar.
	Tree *derive.Tree

	// Below makes auto edit below the grammar although there is a Tree, and lets
	// edits of a text violate the annotations of its grammar. Otherwise every
	// candidate obeys them if the input does.
	Below bool
}

// Cache keeps answers beyond one run, by the SHA-256 of the text. With
// [Options].Jobs above 1 it must be safe for use by several goroutines.
type Cache interface {
	Get(key [32]byte) (holds, known bool)
	Put(key [32]byte, holds bool)
}

// Options control a run. The zero value is valid.
type Options struct {
	// Algorithm is the name of an algorithm, or several names separated by
	// commas, which alternate until none of them finds anything. The package
	// comment lists the names. "" means "auto".
	Algorithm string

	// Derive holds the bounds and hooks that the input was derived with. The zero
	// value has neither.
	Derive derive.Options

	// Names are the options for the names of an annotated grammar that the input
	// was derived with. They are not used if Derive has hooks of its own.
	Names gctx.Options

	// Parse returns the tree of a text; every byte belongs to a leaf or a gap. An
	// error says that the text is not a sentence. Without it a text edited below
	// the grammar has no tree again.
	Parse func(ctx context.Context, text []byte) (*derive.Tree, error)

	// Islands, unless nil, returns the trees of parts of a text by their first bytes. The
	// parts are the texts of their trees. Without it Parse is tried on blocks and
	// brackets of a text that is no sentence.
	Islands func(ctx context.Context, text []byte) map[int]*derive.Tree

	// Valid, unless nil, reports whether a text can be a candidate. The predicate is not
	// asked about others.
	Valid func(text []byte) bool

	Jobs     int           // predicates that may run at once; 0 means 1
	MaxCalls int           // calls of the predicate, in sequential order; 0 means no limit
	Time     time.Duration // ends the run with the best so far; 0 means no limit
	Cache    Cache         // nil keeps answers for this run only

	// FewCalls gives auto its plan for few calls, for slow predicates: single bytes are not deleted,
	// no change that failed is tried again, and no second way is gone down.
	FewCalls bool

	// A flaky predicate is asked about a text at most Asks times; the text has the property if
	// Yes of the answers say so. The questions end as soon as that is decided, and count as one
	// call. 0 means 1.
	Yes, Asks int

	// Recheck asks about the best again every 32 accepted steps and at the end, without the
	// cache. If it no longer holds, the run goes back to the last step that does.
	Recheck bool

	// Certify is the number of calls that auto may spend at its end on sentences that no edit of
	// its result makes: the smallest ones of the grammar, and texts with lesser characters. So
	// the result depends less on the input. 0 means none.
	Certify int

	// Best, unless nil, is called for the input and after every accepted step
	// with the best so far. An error ends the run.
	Best func(text []byte, tree *derive.Tree) error

	// Trace, unless nil, is called after every answer, in sequential order.
	Trace func(Event)
}

// Result is the best sentence of a run, however the run ended.
type Result struct {
	Text  []byte
	Tree  *derive.Tree // the derivation of Text; nil if there is none
	Stats Stats
}

// ErrNotInteresting is the error of an input that does not have the property.
var ErrNotInteresting = errors.New("the predicate does not hold for the input")

// errEnough ends a run that used up its calls or time.
var errEnough = errors.New("enough")

// Run reduces the input. The result has the property, unless the predicate is
// flaky, and is never larger than the input in the order of [Compare]. It costs
// time linear in the text or tree for each candidate, besides the predicate.
//
// The end of a budget is no error. If the input lacks the property, the error is
// [ErrNotInteresting] and there is no result. With any other error of the
// predicate or the context, the result is the best so far. No call of the predicate outlives Run.
func Run(ctx context.Context, in Input, p Predicate, o Options) (*Result, error) {
	plan, err := planOf(o.Algorithm)
	if err != nil {
		return nil, err
	}
	if in.Text == nil && in.Tree == nil {
		return nil, errors.New("there is nothing to reduce: neither a text nor a tree")
	}
	ctx, stop := context.WithCancel(ctx)
	s := newSearch(ctx, p, o)
	defer s.asking.Wait()
	defer stop()
	if o.Time > 0 {
		var cancel context.CancelFunc
		s.ctx, cancel = context.WithTimeoutCause(ctx, o.Time, errEnough)
		defer cancel()
	}
	if err := s.begin(in); err != nil {
		return nil, s.cause(err)
	}
	err = s.cause(s.runRechecked(plan))
	if errors.Is(err, errEnough) {
		s.stats.Stopped = true
		err = nil
	}
	s.stats.To = len(s.best.text)
	return &Result{Text: s.best.text, Tree: s.best.tree, Stats: s.stats}, err
}

// retryTimeouts runs a plan. When it is stuck and some candidates timed out, it
// forgets those answers and runs the plan again, as long as that helps: a timeout
// that adapts to the run may give them more time.
func (s *search) retryTimeouts(plan func(*search) error) error {
	for {
		err := plan(s)
		if err != nil || len(s.unanswered) == 0 || s.retriedAt == s.best {
			return err
		}
		s.retriedAt = s.best
		for _, key := range s.unanswered {
			delete(s.known, key)
		}
		s.unanswered = nil
	}
}

// cause returns the error that ended the context, if one did.
func (s *search) cause(err error) error {
	if err != nil && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	return err
}

// begin asks about the input and makes it the first best.
func (s *search) begin(in Input) error {
	c := &candidate{text: in.Text, tree: s.withNames(in.Tree)}
	s.keepSentences = in.Tree != nil && !in.Below
	if in.Text == nil {
		c.text = in.Tree.AppendText(nil)
	}
	s.stats.From = len(c.text)
	s.countAs("input")
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
	s.prepareTree(c.tree)
	if !in.Below {
		s.obeys = s.annotations(c.tree)
	}
	return s.accept(c)
}

// annotations returns the names of the grammar of a tree, nil if there are none.
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

// obeyingCandidate makes a candidate of a text that was edited below an annotated
// grammar, if the text is a sentence that obeys the annotations.
func (s *search) obeyingCandidate(text, base []byte) *candidate {
	if s.o.Parse == nil || Compare(text, nil, base, nil) >= 0 {
		return nil
	}
	t, err := s.o.Parse(s.ctx, text)
	if err != nil {
		return nil
	}
	if t, err = s.obeys.Convert(t); err != nil || string(t.AppendText(nil)) != string(text) {
		return nil
	}
	return &candidate{text: text, tree: t}
}

// withNames returns the tree with its names resolved by the annotations of the
// grammar, nil if the tree violates them.
func (s *search) withNames(t *derive.Tree) *derive.Tree {
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

// prepareTree makes the machine for the first tree of the run.
func (s *search) prepareTree(t *derive.Tree) {
	if t != nil && s.machine == nil {
		if s.o.Derive.Layout == nil { // otherwise neighbours join, and lines have no columns
			s.o.Derive.Layout, _ = derive.NewLayout(t.Grammar, derive.Tight)
		}
		m, err := gctx.Machine(t.Grammar, s.names, s.o.Derive)
		if err != nil {
			m = derive.NewMachine(t.Grammar, s.o.Derive) // too many namespaces to keep
		}
		s.machine = m
	}
}

// rerendered chooses between a text and the different text of its tree. The tree
// stays if its text is smaller and has the property.
func (s *search) rerendered(c *candidate, text []byte) (*candidate, error) {
	if Compare(text, nil, c.text, nil) < 0 {
		r := &candidate{text: text, tree: c.tree}
		ok, err := s.ask(r)
		if ok || err != nil {
			return r, err
		}
	}
	s.stats.LostTree, s.keepSentences = true, false
	return &candidate{text: c.text}, nil
}

// parse returns the tree of a text, nil if there is none or if its text differs.
func (s *search) parse(text []byte) *derive.Tree {
	if s.o.Parse == nil {
		return nil
	}
	t, err := s.o.Parse(s.ctx, text)
	t = s.withNames(t)
	if err != nil || t == nil || string(t.AppendText(nil)) != string(text) {
		return nil
	}
	return t
}
