package pace

import (
	"context"
	"errors"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/stream"
)

// ErrLeftOut is returned for a sentence that the test had better not run.
var ErrLeftOut = errors.New("left out")

// Source is a stream's source that leaves out sentences which are likely to be slow, and
// those whose text was run before. It does so only where the test is slow enough that
// drawing more sentences, and trees and a clock for each, cost little beside it.
//
// Sentences keep their numbers. Which ones are left out depends on times and on what was
// run: two runs with one seed may differ in it. Numbers must be asked for in ascending
// order, and [Source.Took], or Begin and End, be called for each sentence that was not left
// out, in that order. A Source belongs to one goroutine.
type Source struct {
	stream.Source
	g       *grammar.Grammar
	repeats bool // may be left out
	mode    mode
	slow    *slow
	texts   *repeats
	next    uint64        // the first number of the next block
	began   time.Time     // when the test of a sentence began
	blockAt time.Time     // when the block began
	spent   time.Duration // in the test, in this block
	ran     int           // sentences of the block
	left    bool          // some of the block are left out

	// The alternatives of the sentences that were drawn and not run yet, one after the
	// other, and where those of each end.
	alts      []int
	ends      []int
	done, off int // those that were run, and their alternatives
}

// mode says what a Source looks at in a block. Each mode costs more than the one before
// it, and is taken where that one has found a block slow.
type mode int

const (
	wholeBlocks mode = iota // how long a block takes, drawing included
	eachTest                // how long each test takes
	texts                   // and which texts were run; repeats are left out
	trees                   // and on which tree
)

// A test that takes repeatsFrom or longer on average is worth leaving out repeats for: a
// repeat has to be drawn before it is known as one. From slowFrom on it is worth knowing
// the trees.
const (
	repeatsFrom = 20 * time.Microsecond
	slowFrom    = 500 * time.Microsecond
)

// New returns the source src of sentences of g without what is likely to be slow, and
// without repeats where these are not wanted either. A test of a given number of sentences
// wants them, so that its sentences depend on no clock before the test is slow.
func New(src stream.Source, g *grammar.Grammar, repeats bool) *Source {
	return &Source{Source: src, g: g, repeats: !repeats}
}

// block ends a block and begins the next one.
func (s *Source) block(i uint64) {
	now := time.Now()
	n := time.Duration(s.ran)
	switch {
	case s.left || n == 0:
	case s.mode == wholeBlocks:
		if max(now.Sub(s.blockAt), s.spent) > n*repeatsFrom {
			s.mode = eachTest
		}
	case s.spent > n*slowFrom:
		s.mode = trees
	case s.spent > n*repeatsFrom:
		s.mode = texts
	default:
		s.mode = wholeBlocks
	}
	if s.mode == trees && s.slow == nil {
		s.slow = newSlow(s.g)
	}
	if s.repeats && s.mode >= texts && s.texts == nil {
		s.texts = newRepeats()
	}
	s.blockAt, s.spent, s.ran, s.left = now, 0, 0, false
	s.next = (i/stream.Block + 1) * stream.Block
}

// Append implements [stream.Source]. The error is [ErrLeftOut] for a sentence that is left
// out.
func (s *Source) Append(ctx context.Context, dst []byte, i uint64) (text []byte, err error) {
	if i >= s.next {
		s.block(i)
	}
	from := len(s.alts)
	if s.mode != trees {
		text, err = s.Source.Append(ctx, dst, i)
	} else if text, err = s.known(ctx, dst, i); err == nil && s.slow.skip(s.alts[from:]) {
		s.left, err = true, ErrLeftOut
	}
	if err == nil && s.repeats && s.mode >= texts && s.texts.skip(text[len(dst):]) {
		err = ErrLeftOut
	}
	if err != nil {
		s.alts = s.alts[:from]
		return dst, err
	}
	s.ends = append(s.ends, len(s.alts))
	return text, nil
}

// known appends the text of sentence i and keeps its alternatives.
func (s *Source) known(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	text, tree, err := stream.Draw(ctx, s.Source, dst, i)
	if err == nil {
		s.alts = appendAlternatives(s.alts, tree)
	}
	return text, err
}

// Place tells where sentence i stands.
func (s *Source) Place(ctx context.Context, i uint64) (stream.Place, error) {
	return stream.PlaceOf(ctx, s.Source, i)
}

// Begin says that the test of a sentence begins.
func (s *Source) Begin() {
	if s.mode != wholeBlocks {
		s.began = time.Now()
	}
}

// End says that the test of sentence i, which Begin told of, has ended.
func (s *Source) End(i uint64) {
	took := time.Duration(0)
	if s.mode != wholeBlocks {
		took = time.Since(s.began)
	}
	s.Took(i, took)
}

// Took says how long the test of sentence i took.
func (s *Source) Took(i uint64, took time.Duration) {
	s.ran++
	s.spent += took
	from, to := s.off, s.ends[s.done]
	if s.done, s.off = s.done+1, to; s.mode == trees && from < to {
		s.slow.took(i, s.alts[from:to], took)
	}
	if s.done == len(s.ends) {
		s.alts, s.ends, s.done, s.off = s.alts[:0], s.ends[:0], 0, 0
	}
}
