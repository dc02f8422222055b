package pace

import (
	"context"
	"errors"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/stream"
)

// ErrLeftOut is the error for a sentence that the test should not run.
var ErrLeftOut = errors.New("left out")

// Source is a stream's source that leaves out repeats and sentences that are likely to be
// slow. It does so only if the test is slow enough: drawing more sentences, and a tree and a
// clock for each, must cost little in comparison.
//
// Sentences keep their numbers. The choice of sentences depends on times and on the texts
// run so far, so two runs with one seed may differ. Sentences must be requested in ascending
// order. [Source.Took], or Begin and End, must be called in that order for each sentence that
// was not left out. A Source belongs to one goroutine.
type Source struct {
	stream.Source
	g       *grammar.Grammar
	now     func() time.Time
	repeats bool // repeats may be left out
	mode    mode
	slow    *Slow
	texts   *repeats
	next    uint64        // the first number of the next block
	began   time.Time     // the start of the current test
	blockAt time.Time     // the start of the block
	spent   time.Duration // the time of the tests in this block
	ran     int           // the sentences run in this block
	left    bool          // a slow sentence of this block was left out

	// alts is the concatenated alternatives of the sentences that were drawn and not run
	// yet; ends is the end of each sentence's alternatives.
	alts      []int
	ends      []int
	done, off int // the number of those sentences that were run since, and of their alternatives
}

// mode is the amount of information that a Source collects in a block. Each mode costs more
// than the one before, and is used only if the last block was slow enough.
type mode int

const (
	wholeBlocks mode = iota // the time of a block, drawing included
	eachTest                // the time of each test
	texts                   // and the texts that were run; repeats are left out
	trees                   // and the trees; likely slow sentences are left out
)

// The least average time of a test that makes a mode worthwhile: repeatsFrom for leaving
// out repeats, which have to be drawn first, and slowFrom for drawing trees.
const (
	repeatsFrom = 20 * time.Microsecond
	slowFrom    = 500 * time.Microsecond
)

// New returns a source of the sentences of src, which are of grammar g, without those that
// are likely to be slow. It leaves out repeats only if repeats is false. A test of a given
// number of sentences wants repeats: then its sentences depend on no clock until it is slow. The
// clock is now, most often [time.Now].
func New(src stream.Source, g *grammar.Grammar, repeats bool, now func() time.Time) *Source {
	return &Source{Source: src, g: g, repeats: !repeats, now: now}
}

// block ends a block and begins the next one.
func (s *Source) block(i uint64) {
	now := s.now()
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
		s.slow = NewSlow(s.g)
	}
	if s.repeats && s.mode >= texts && s.texts == nil {
		s.texts = newRepeats()
	}
	s.blockAt, s.spent, s.ran, s.left = now, 0, 0, false
	s.next = (i/stream.Block + 1) * stream.Block
}

// Append implements [stream.Source]. It returns [ErrLeftOut] for a sentence that is left out.
func (s *Source) Append(ctx context.Context, dst []byte, i uint64) (text []byte, err error) {
	if i >= s.next {
		s.block(i)
	}
	from := len(s.alts)
	if s.mode != trees {
		text, err = s.Source.Append(ctx, dst, i)
	} else if text, err = s.known(ctx, dst, i); err == nil && s.slow.Skip(s.alts[from:]) {
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

// known appends the text of sentence i to dst and records its alternatives.
func (s *Source) known(ctx context.Context, dst []byte, i uint64) ([]byte, error) {
	text, tree, err := stream.Draw(ctx, s.Source, dst, i)
	if err == nil {
		s.alts = AppendAlternatives(s.alts, tree)
	}
	return text, err
}

// Place returns the place of sentence i in the stream.
func (s *Source) Place(ctx context.Context, i uint64) (stream.Place, error) {
	return stream.PlaceOf(ctx, s.Source, i)
}

// Begin marks the start of the test of a sentence.
func (s *Source) Begin() {
	if s.mode != wholeBlocks {
		s.began = s.now()
	}
}

// End marks the end of the test of sentence i, which Begin started.
func (s *Source) End(i uint64) {
	took := time.Duration(0)
	if s.mode != wholeBlocks {
		took = s.now().Sub(s.began)
	}
	s.Took(i, took)
}

// Took records the time of the test of sentence i.
func (s *Source) Took(i uint64, took time.Duration) {
	s.ran++
	s.spent += took
	from, to := s.off, s.ends[s.done]
	s.done, s.off = s.done+1, to
	if s.mode == trees && from < to {
		s.slow.Took(i/perWeighting, s.alts[from:to], took)
	}
	if s.done == len(s.ends) {
		s.alts, s.ends, s.done, s.off = s.alts[:0], s.ends[:0], 0, 0
	}
}
