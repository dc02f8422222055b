package gramtest

import (
	"context"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	pacing "github.com/gramfuzz/gramfuzz/internal/pace"
	"github.com/gramfuzz/gramfuzz/stream"
)

// pace leaves out repeats ([pace.Repeats]) and what is likely to be slow
// ([pace.Slow]) where properties are slow enough that drawing more sentences,
// and trees and a clock for each, cost little beside them. Repeats of a check by
// count are run, so that its sentences depend on no clock. The zero value is ready.
type pace struct {
	mode    paceMode
	byTime  bool
	slow    *pacing.Slow
	texts   *pacing.Repeats
	alts    []int         // the alternatives of the sentence being run
	began   time.Time     // when the property began
	blockAt time.Time     // when the block began
	spent   time.Duration // in the property, in this block
	ran     int           // sentences of the block
	left    bool          // some of the block are left out
}

// paceMode says what a block looks at. Each costs more than the one before it, and
// is taken where that one has found a block slow.
type paceMode int

const (
	paceBlocks     paceMode = iota // how long a block takes, drawing included
	paceProperties                 // how long each property takes
	paceRepeats                    // and which texts were run; repeats are left out
	paceTrees                      // and on which tree
)

// unhurried is the mean time of a sentence from which on a block is slow.
const unhurried = 500 * time.Microsecond

// block begins a block of the pacing.
func (p *pace) block(g *grammar.Grammar) {
	now := time.Now()
	n := time.Duration(p.ran)
	switch {
	case p.left:
	case p.ran == 0:
	case p.mode == paceBlocks:
		if now.Sub(p.blockAt) > n*pacing.RepeatsFrom {
			p.mode = paceProperties
		}
	case p.spent > n*unhurried:
		p.mode = paceTrees
	case p.spent > n*pacing.RepeatsFrom:
		p.mode = paceRepeats
	default:
		p.mode = paceBlocks
	}
	if p.mode == paceTrees && p.slow == nil {
		p.slow = pacing.NewSlow(g)
	}
	if p.byTime && p.mode >= paceRepeats && p.texts == nil {
		p.texts = pacing.NewRepeats()
	}
	p.blockAt, p.spent, p.ran, p.left = now, 0, 0, false
}

// draw appends sentence i to dst, and reports whether to leave it out instead.
func (p *pace) draw(ctx context.Context, src stream.Source, dst []byte, i uint64) (text []byte, skip bool, err error) {
	if p.mode != paceTrees {
		text, err = src.Append(ctx, dst, i)
		return text, false, err
	}
	text, tree, err := stream.Draw(ctx, src, dst, i)
	if err != nil {
		return text, false, err
	}
	p.alts = pacing.Alternatives(p.alts[:0], tree)
	skip = p.slow.Skip(p.alts)
	p.left = p.left || skip
	return text, skip, nil
}

// repeats reports whether to leave out a text, as one that was run before.
func (p *pace) repeats(text []byte) bool {
	return p.byTime && p.mode >= paceRepeats && p.texts.Skip(text)
}

// begin says that the property runs.
func (p *pace) begin() {
	p.ran++
	if p.mode != paceBlocks {
		p.began = time.Now()
	}
}

// end says that the property has run on sentence i.
func (p *pace) end(i uint64) {
	if p.mode == paceBlocks {
		return
	}
	took := time.Since(p.began)
	p.spent += took
	if p.mode == paceTrees {
		p.slow.Took(i, p.alts, took)
	}
}
