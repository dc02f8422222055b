package gramtest

import (
	"context"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/cputime"
	"github.com/gramfuzz/gramfuzz/schedule"
)

// pace leaves out what is likely to be slow ([schedule.Pace]) where properties are
// slow enough that trees and a clock for each sentence cost little beside them. The
// zero value is ready.
type pace struct {
	mode  paceMode
	known *schedule.Pace
	tree  *derive.Tree  // of the sentence being run
	began time.Time     // when the property began
	used  time.Duration // CPU time of the process when the block began
	spent time.Duration // in the property, in this block
	ran   int           // sentences of the block
	left  bool          // some of the block are left out
}

// paceMode says what a block looks at. Each costs more than the one before it, and
// is taken where that one has found a block slow.
type paceMode int

const (
	paceBlocks     paceMode = iota // the CPU time of a block, drawing included
	paceProperties                 // how long each property takes
	paceTrees                      // and on which tree
)

// unhurried is the mean time of a sentence from which on a block is slow.
const unhurried = 500 * time.Microsecond

// block begins a block of the schedule.
func (p *pace) block(g *grammar.Grammar) {
	used := cputime.Used()
	switch slow := time.Duration(p.ran) * unhurried; {
	case p.left:
	case p.ran == 0:
	case p.mode == paceBlocks:
		if used-p.used > slow {
			p.mode = paceProperties
		}
	case p.spent > slow:
		p.mode = paceTrees
	default:
		p.mode = paceBlocks
	}
	if p.mode == paceTrees && p.known == nil {
		p.known = schedule.NewPace(g)
	}
	p.used, p.spent, p.ran, p.left = used, 0, 0, false
}

// draw appends sentence i to dst, and reports whether to leave it out instead.
func (p *pace) draw(ctx context.Context, src *schedule.Source, dst []byte, i uint64) (text []byte, skip bool, err error) {
	if p.mode != paceTrees {
		text, err = src.Append(ctx, dst, i)
		return text, false, err
	}
	text, p.tree, err = src.Draw(ctx, dst, i)
	skip = err == nil && p.known.Skip(p.tree)
	p.left = p.left || skip
	return text, skip, err
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
		p.known.Took(i, p.tree, took)
	}
}
