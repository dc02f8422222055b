package main

import (
	"context"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/predicate"
)

// find returns the sentence to shrink: the named one, or the first one for which the predicate
// holds.
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
	order, old, err := in.last.Order(ctx, s, f.search)
	if err != nil {
		return nil, err
	}
	src := s.Source()
	texts := func(i int) ([]byte, error) { return src.Append(ctx, nil, order[i]) }
	i, err := ask.First(ctx, f.jobs, len(order), texts, tried)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, no("the predicate holds for none of %s that gen made and %d new ones; try more with --search", words.Plural(old, "sentence"), len(order)-old)
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
