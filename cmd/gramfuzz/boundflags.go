package main

import (
	"fmt"
	"strconv"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
)

// boundFlags are the flags of the bound, and of counting within it.
type boundFlags struct {
	f       *flags
	depth   int
	repeat  int
	size    string
	unit    string
	measure string
	memory  words.Bytes
	names   string
	pool    int
}

func (f *flags) addBound() *boundFlags {
	b := f.addWithin()
	b.memory = count.DefaultMaxMemory
	f.StringVar(&b.measure, "measure", "structure", "structure: a token is one leaf; exact: its inside counts like any rule's")
	f.Var(&b.memory, "max-memory", "the greatest memory of a table of numbers, or of the tree of a walk")
	f.StringVar(&b.names, "names", "pool", "of a grammar with @define: pool (each name is a sentence of its own) or canonical (sentences equal up to renaming are one)")
	f.IntVar(&b.pool, "pool", gctx.DefaultPool, "names of a namespace: the first `P` of their rule, the shortest first")
	return b
}

// addWithin adds the flags of the bound only.
func (f *flags) addWithin() *boundFlags {
	b := &boundFlags{f: f}
	f.IntVar(&b.depth, "depth", 0, "sentences of at most this `DEPTH` in nested rules")
	f.IntVar(&b.repeat, "repeat", count.DefaultRepeat, "with --depth: unbounded repetitions have at most `N` elements")
	f.StringVar(&b.size, "size", "", "sentences of size `N`, or M..N")
	f.StringVar(&b.unit, "unit", "terminals", "with --size: the unit, terminals, bytes or nodes; bytes in binary grammars")
	return b
}

// bound returns the bound of the flags; the zero bound if they give none.
func (b *boundFlags) bound() (count.Bound, error) {
	f := b.f
	switch {
	case f.Changed("depth") && f.Changed("size"):
		return count.Bound{}, f.wrong("--depth and --size do not go together; give one of them")
	case f.Changed("repeat") && !f.Changed("depth"):
		return count.Bound{}, f.wrong("--repeat goes with --depth only; a size bounds repetitions by itself")
	case f.Changed("unit") && !f.Changed("size"):
		return count.Bound{}, f.wrong("--unit goes with --size only; give --size N")
	case f.Changed("depth") && b.depth < 1:
		return count.Bound{}, f.wrong("--depth %d is out of range; the least is 1", b.depth)
	case f.Changed("repeat") && b.repeat < 1:
		return count.Bound{}, f.wrong("--repeat %d is out of range; the least is 1", b.repeat)
	case f.Changed("depth"):
		return count.Bound{Depth: b.depth, Repeat: b.repeat}, nil
	case !f.Changed("size"):
		return count.Bound{}, nil
	}
	unit, err := record.ParseUnit(b.unit)
	if err != nil {
		return count.Bound{}, f.wrong("%v", err)
	}
	lo, hi, err := parseSizes(b.size)
	if err != nil {
		return count.Bound{}, f.wrong("%v", err)
	}
	return count.Sizes(lo, hi, unit), nil
}

// of returns the bound of the flags for a grammar: without --unit the sizes of a binary
// grammar are bytes.
func (b *boundFlags) of(g *grammar.Grammar) (count.Bound, error) {
	bound, err := b.bound()
	if g.Binary && b.f.Changed("size") && !b.f.Changed("unit") {
		bound.Unit = grammar.Bytes
	}
	return bound, err
}

// options returns the options of exact tables.
func (b *boundFlags) options() (count.Options, error) {
	m, err := record.ParseMeasure(b.measure)
	if err != nil {
		return count.Options{}, b.f.wrong("%v", err)
	}
	names, err := b.namesOptions()
	return count.Options{Measure: m, MaxMemory: int64(b.memory), Names: names}, err
}

// namesOptions returns the options of names in play.
func (b *boundFlags) namesOptions() (gctx.Options, error) {
	mode, err := gctx.ParseMode(b.names)
	if err != nil {
		return gctx.Options{}, b.f.wrong("--names: %v", err)
	}
	if b.pool < 1 || b.pool > gctx.MaxPool {
		return gctx.Options{}, b.f.wrong("--pool %d is out of range; a pool has 1 to %d names", b.pool, gctx.MaxPool)
	}
	return gctx.Options{Mode: mode, Pool: b.pool}, nil
}

// parseSizes reads N or M..N.
func parseSizes(s string) (lo, hi int, err error) {
	from, to, ranged := strings.Cut(s, "..")
	lo, err = strconv.Atoi(from)
	hi = lo
	if err == nil && ranged {
		hi, err = strconv.Atoi(to)
	}
	switch {
	case err != nil || lo < 0 || hi > record.MaxSize:
		return 0, 0, fmt.Errorf("--size %s is not a size; write N or M..N, numbers up to %d", s, record.MaxSize)
	case hi < lo:
		return 0, 0, fmt.Errorf("--size %s is an empty range; write the smaller number first", s)
	}
	return lo, hi, nil
}
