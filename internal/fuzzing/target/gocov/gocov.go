package gocov

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime/coverage"
)

// Counters is the coverage counters of the running program. They may be used by one goroutine
// at a time.
type Counters struct {
	edges  []byte // nil: blocks
	blocks bytes.Buffer
	last   counterFile
}

// ErrNone is the error for a program without counters.
var ErrNone = errors.New("no code of this program counts what it reaches: build it with -tags=gramfuzz_edges -gcflags=PACKAGE=-d=libfuzzer (go test: and -ldflags=-checklinkname=0), or with -cover -covermode=atomic")

// Open returns the program's counters. Errors: [ErrNone].
func Open() (*Counters, error) {
	if c := OpenEdges(); c != nil {
		return c, nil
	}
	c := &Counters{}
	if err := c.try(); err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNone, err)
	}
	return c, nil
}

// OpenEdges returns the program's edge counters, nil if it has none. Unlike Open, it leaves
// block counters alone, as they may be in use for a profile.
func OpenEdges() *Counters {
	if e := edges(); len(e) > 0 {
		return &Counters{edges: e}
	}
	return nil
}

// try checks whether block counters can be read.
func (c *Counters) try() error {
	if err := coverage.ClearCounters(); err != nil {
		return err
	}
	return c.Each(func(int, uint8) {})
}

// Edges reports whether the counters count edges, not blocks.
func (c *Counters) Edges() bool { return c.edges != nil }

// Reset sets all counters to 0.
func (c *Counters) Reset() error {
	if c.edges != nil {
		clear(c.edges)
		return nil
	}
	return coverage.ClearCounters()
}

// Each calls f with every counter that is not 0, and its count; 255 means 255 or more. A
// counter has the same number, from 0 to below 2^31, in every run of the same binary. Two
// blocks share a number with a probability of 2^-31. The count of an edge wraps from 255 to 1.
func (c *Counters) Each(f func(counter int, hits uint8)) error {
	if c.edges == nil {
		c.blocks.Reset()
		if err := coverage.WriteCounters(&c.blocks); err != nil {
			return err
		}
		return c.last.read(c.blocks.Bytes(), f)
	}
	e := c.edges
	i := 0
	for ; i+8 <= len(e); i += 8 {
		if binary.NativeEndian.Uint64(e[i:]) == 0 {
			continue
		}
		for k, n := range e[i : i+8] {
			if n != 0 {
				f(i+k, n)
			}
		}
	}
	for ; i < len(e); i++ {
		if e[i] != 0 {
			f(i, e[i])
		}
	}
	return nil
}

// number returns a number for a block, from its package, function and place.
func number(pkg, fn, block uint32) int {
	x := uint64(pkg)<<40 ^ uint64(fn)<<20 ^ uint64(block)
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return int(x >> 33 & math.MaxInt32)
}
