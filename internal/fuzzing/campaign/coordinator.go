package campaign

import (
	"context"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// Coordinator divides a campaign among processes. Findings and examples are shared elsewhere,
// through the [Folder], which campaigns read again and again. It is safe for concurrent use.
type Coordinator interface {
	// Name identifies the divided campaign, for the settings of a run.
	Name() string

	// Part is the number of this process, unique in the campaign. Guides draw by it, so that no
	// two of them do the same.
	Part() uint64

	// Take returns places of the stream to run, from, from+1, …, from+n-1, with n from 1 to
	// [Chunk]. No other process has them.
	Take(ctx context.Context) (from uint64, n int, err error)

	// Ran reports that a place has been run.
	Ran(i uint64)

	// Claim asks for the right to shrink a finding; nil: another process has it, or the finding
	// is already shrunk.
	Claim(ctx context.Context, fd *Finding) (*Claim, error)

	// Abandoned reports whether the folder may have findings that no process shrinks.
	Abandoned() bool
}

// Claim is the right to shrink a finding.
type Claim struct {
	Answers reduce.Cache // answers of earlier processes that shrank it; nil: none
	Release func()
}

// Chunk is the greatest number of places of the stream that a worker takes at once.
const Chunk = 16

// alone gives all places of the stream to one process.
type alone struct{ c *Campaign }

func (a alone) Name() string { return "" }

func (a alone) Part() uint64 { return 0 }

func (a alone) Take(context.Context) (from uint64, n int, err error) {
	return a.c.next.Add(Chunk) - Chunk, Chunk, nil
}

func (a alone) Ran(uint64) {}

func (a alone) Claim(context.Context, *Finding) (*Claim, error) {
	return &Claim{Release: func() {}}, nil
}

func (a alone) Abandoned() bool { return false }
