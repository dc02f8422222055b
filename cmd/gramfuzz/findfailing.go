package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/numbers"
	"github.com/gramfuzz/gramfuzz/internal/predicate"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// maxKept bounds the sentences of the last gen that are sorted by size; the first
// ones are.
const maxKept = 1 << 20

// find returns the sentence to shrink: the one that was named, or the first for
// which the predicate holds.
func (f *reduceFlags) find(ctx context.Context, in *reduceInput, ask *predicate.Caller, tried func(int)) (*found, error) {
	switch {
	case in.last != nil:
		return f.findNew(ctx, in, ask, tried)
	case len(in.recs) == 0:
		return f.parsed(ctx, in)
	case len(in.recs) == 1:
		return in.sentence(ctx, in.recs[0])
	}
	texts := func(i int) ([]byte, error) { return in.recs[i].Text, nil }
	i, err := ask.First(ctx, f.jobs, len(in.recs), texts, tried)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, no("the predicate holds for none of the %d sentences in %s", len(in.recs), f.file)
	}
	return in.sentence(ctx, in.recs[i])
}

// findNew tries the sentences of the last gen, the smallest first, and then new
// ones of the same stream.
func (f *reduceFlags) findNew(ctx context.Context, in *reduceInput, ask *predicate.Caller, tried func(int)) (*found, error) {
	s, err := openPlan(ctx, f.flags, in.last.Plan, in.g)
	if err != nil {
		return nil, err
	}
	src := s.Source()
	made, fresh := min(in.last.N, maxKept), f.tries
	if n := s.Len(); n != nil && n.IsUint64() {
		made = min(made, n.Uint64())
		fresh = min(fresh, n.Uint64()-made)
	}
	order, err := bySize(ctx, src, made)
	if err != nil {
		return nil, err
	}
	old := len(order)
	for i := range fresh {
		order = append(order, uint64(old)+i)
	}
	texts := func(i int) ([]byte, error) { return src.Append(ctx, nil, order[i]) }
	i, err := ask.First(ctx, f.jobs, len(order), texts, tried)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, no("the predicate holds for none of %s that gen made and %d new ones; try more with --search", numbers.Plural(old, "sentence"), fresh)
	}
	kind := "of the last gen"
	if i >= old {
		kind = "a new one"
	}
	f.note("the predicate holds for sentence %d (%s) of %s", order[i], kind, grammarName(in.last.Plan.Grammar))
	rec, err := s.Records().Record(ctx, order[i])
	if err != nil {
		return nil, err
	}
	rec.Grammar = in.last.Plan.Grammar
	return in.sentence(ctx, rec)
}

// bySize returns the first n sentences of a stream in the order of their length.
func bySize(ctx context.Context, src stream.Source, n uint64) ([]uint64, error) {
	type sized struct {
		index uint64
		bytes int
	}
	all := make([]sized, 0, n)
	var buf []byte
	for i := range n {
		var err error
		if buf, err = src.Append(ctx, buf[:0], i); errors.Is(err, sample.ErrExhausted) {
			n = i
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, sized{i, len(buf)})
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(a.bytes, b.bytes) })
	order := make([]uint64, n)
	for i, s := range all {
		order[i] = s.index
	}
	return order, nil
}
