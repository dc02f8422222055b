package reduce

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"syscall"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// candidate is a text that may become the best.
type candidate struct {
	text []byte
	tree *derive.Tree // of text; nil if there is none, or not yet

	// derive makes the tree; it is called for the last accepted candidate of a sweep only.
	derive func() (*derive.Tree, error)
}

func (c *candidate) choices() []int {
	if c.tree == nil {
		return nil
	}
	return c.tree.Choices()
}

// smaller reports whether c comes before than. The texts alone decide where one
// of them has no tree.
func (c *candidate) smaller(than *candidate) bool {
	if c.tree == nil || than.tree == nil {
		return Compare(c.text, nil, than.text, nil) < 0
	}
	return Compare(c.text, c.choices(), than.text, than.choices()) < 0
}

// keptSteps is the number of accepted steps that a run can go back to.
const keptSteps = 64

// search is the state of one run.
type search struct {
	ctx     context.Context
	p       Predicate
	o       Options
	names   *gctx.Names     // names of the grammar; nil if it has none
	obeys   *gctx.Names     // names that edits of the text must obey; nil if none
	machine *derive.Machine // nil without a grammar
	minimal *minimalDeriver
	asking  sync.WaitGroup // calls of the predicate in other goroutines

	keepSentences bool // auto makes sentences of the grammar only

	table       *core.Table               // derivations of every rule, by bytes; made on first use
	uncountable bool                      // the table cannot be made
	pieces      map[*grammar.Rule][]piece // listed derivations of rules

	islandMinimal map[*grammar.Grammar]*minimalDeriver
	parsedParts   map[string]*derive.Tree // parts of the last text searched for islands

	best      *candidate
	aside     *candidate   // the best so far during a detour, until that is shorter; else nil
	detourEnd int          // the different questions, also those that the cache answers, after which a detour ends
	steps     []*candidate // accepted candidates, the input first, then the last ones
	known     map[[sha256.Size]byte]bool
	stats     Stats
	passNow   int // index in stats.Passes

	givesUp    bool                  // kinds of edits that seldom hold are given up
	late       bool                  // the likely edits have been tried everywhere
	certifying bool                  // every candidate is tried
	failed     map[change]*candidate // the best on which a change last failed
	skipped    bool                  // a change was postponed

	unanswered [][sha256.Size]byte // texts whose "no" was a timeout
	retriedAt  *candidate          // the best when those were last forgotten
	atCheck    int                 // steps accepted when the best was last rechecked
}

func newSearch(ctx context.Context, p Predicate, o Options) *search {
	o.Jobs, o.Yes = max(o.Jobs, 1), max(o.Yes, 1)
	o.Asks = max(o.Asks, o.Yes)
	return &search{ctx: ctx, p: p, o: o, stats: Stats{FewCalls: o.FewCalls}, known: map[[sha256.Size]byte]bool{}, failed: map[change]*candidate{}, pieces: map[*grammar.Rule][]piece{}, islandMinimal: map[*grammar.Grammar]*minimalDeriver{}}
}

// call asks the predicate, as often as it takes for Options.Yes answers of
// Options.Asks.
func (s *search) call(ctx context.Context, text []byte) (bool, error) {
	for yes, no := 0, 0; ; {
		holds, err := s.callOnce(ctx, text)
		if err != nil {
			return false, err
		}
		if holds {
			yes++
		} else {
			no++
		}
		if yes >= s.o.Yes || no > s.o.Asks-s.o.Yes {
			return yes >= s.o.Yes, nil
		}
	}
}

// callOnce asks the predicate once.
func (s *search) callOnce(ctx context.Context, text []byte) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	ok, err := s.p(ctx, text)
	if (err != nil || !ok) && ctx.Err() != nil {
		return false, ctx.Err() // the no of a cancelled predicate does not count
	}
	return ok, err
}

// timedOut reports whether err says that the predicate ran out of time. EAGAIN also claims to be
// a timeout, but means that the system has no space for another process.
func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout() && !errors.Is(err, syscall.EAGAIN)
}

// lookup returns an answer that is known without a call.
func (s *search) lookup(key [sha256.Size]byte) (holds, known bool) {
	holds, known = s.known[key]
	if known || s.o.Cache == nil {
		return holds, known
	}
	return s.o.Cache.Get(key)
}

// ask returns the answer for one candidate and counts it.
func (s *search) ask(c *candidate) (bool, error) {
	key := sha256.Sum256(c.text)
	holds, known := s.lookup(key)
	return s.settle(c, key, holds, known, nil)
}

// settle takes the answer for a candidate, in sequential order: a known one, that of a
// speculative call, or that of a call made now.
func (s *search) settle(c *candidate, key [sha256.Size]byte, holds, known bool, ahead *future) (bool, error) {
	if s.aside != nil && len(s.known) >= s.detourEnd {
		return false, errDetour
	}
	n := s.counters()
	if known {
		s.stats.Cached++
		s.known[key] = holds
	} else {
		if s.o.MaxCalls > 0 && s.stats.Calls >= s.o.MaxCalls {
			return false, errEnough
		}
		var err error
		if ahead != nil {
			holds, err = ahead.wait()
		} else {
			holds, err = s.call(s.ctx, c.text)
		}
		late := timedOut(err) && s.ctx.Err() == nil
		if err != nil && !late {
			return false, err
		}
		s.stats.Calls++
		n.Calls++
		s.known[key] = holds
		switch {
		case late: // "no" for now, not for other runs
			s.stats.TimedOut++
			s.unanswered = append(s.unanswered, key)
		case s.o.Cache != nil:
			s.o.Cache.Put(key, holds)
		}
	}
	if s.o.Trace != nil {
		s.o.Trace(Event{Pass: n.Name, Calls: s.stats.Calls, Cached: known, Accepted: holds && !s.onDetour(c), Text: c.text})
	}
	return holds, nil
}

// accept makes c the best.
func (s *search) accept(c *candidate) error {
	if s.onDetour(c) {
		s.best = c
		return nil
	}
	if before := s.leastSoFar(); before != nil {
		n := s.counters()
		n.Accepted++
		n.Bytes += len(before.text) - len(c.text)
		s.stats.Accepted++
	}
	s.best, s.stats.Certified, s.aside = c, nil, nil
	if len(s.steps) > keptSteps {
		copy(s.steps[1:], s.steps[2:])
		s.steps = s.steps[:keptSteps]
	}
	s.steps = append(s.steps, c)
	return s.publish(c)
}

// onDetour reports whether c is a step of a detour and not shorter than the best so far.
func (s *search) onDetour(c *candidate) bool {
	return s.aside != nil && len(c.text) >= len(s.aside.text)
}

// leastSoFar returns the best, also on a detour.
func (s *search) leastSoFar() *candidate { return cmp.Or(s.aside, s.best) }

// publish calls Options.Best.
func (s *search) publish(c *candidate) error {
	if s.o.Best != nil {
		if err := s.o.Best(c.text, c.tree); err != nil {
			return fmt.Errorf("keeping the best so far: %w", err)
		}
	}
	return nil
}

// makeTree gives the best its tree, if it can have one.
func (s *search) makeTree() error {
	c := s.best
	if c.tree != nil || c.derive == nil {
		return nil
	}
	t, err := c.derive()
	c.derive = nil
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if err == nil && t != nil && string(t.AppendText(nil)) == string(c.text) {
		c.tree = t
	} else {
		c.tree = s.parse(c.text)
	}
	s.prepareTree(c.tree)
	return nil
}

// replay makes the candidate of a choice sequence, nil where there is none. It has the layout of
// Options.Derive or the least: its tokens are not those of the best.
func (s *search) replay(choices []int) (*candidate, error) {
	t, err := s.machine.Run(s.ctx, derive.Replay(choices))
	if err != nil {
		return nil, s.ctx.Err()
	}
	return &candidate{text: t.AppendText(nil), tree: t}, nil
}
