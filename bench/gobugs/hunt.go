package main

import (
	"context"
	"errors"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/schedule"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// strategies are the ways of drawing that are compared.
var strategies = map[string]schedule.Options{
	"walk":     {Lanes: []schedule.Lane{{Strategy: sample.Walk}}},
	"uniform":  {Lanes: []schedule.Lane{{Strategy: sample.Uniform}}, Brief: true},
	"swarm":    {Lanes: []schedule.Lane{{Strategy: sample.Uniform, Swarm: swarm.Both}}},
	"tilted":   {Lanes: []schedule.Lane{{Tilted: true}}},
	"defaults": {Damage: schedule.DefaultDamage, Brief: true},
}

// result is what a hunt ends with.
type result struct {
	found   bool
	inputs  int // run, the last included
	took    time.Duration
	others  int // failures of other kinds that the fixed version has not
	input   []byte
	shrunk  []byte
	shrinks int // calls
}

// mostOfAKind is how many inputs with the same key are judged: one key may
// stand for several bugs.
const mostOfAKind = 3

// hunt runs sentences until the bug of the case is hit or the time is over. The
// time begins when the case is built; preparing the sampler counts.
func hunt(ctx context.Context, b *bug, o schedule.Options, limit time.Duration) (*result, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r := &result{}
	err := r.hunt(ctx, b, o)
	r.took = time.Since(began)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return r, err
}

func (r *result) hunt(ctx context.Context, b *bug, o schedule.Options) error {
	s, err := schedule.New(ctx, b.g, o)
	if err != nil {
		return err
	}
	src := s.Source()
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	judged := map[string]int{}
	var text []byte
	for i := uint64(0); ctx.Err() == nil; i++ {
		if text, err = src.Append(ctx, text[:0], i); err != nil {
			return err
		}
		key, err := process.ask(text)
		if err != nil {
			return err
		}
		r.inputs++
		if judged["hang"] >= mostOfAKind {
			process.limit = hangsLater
		}
		if key == "" || judged[key] >= mostOfAKind {
			continue
		}
		judged[key]++
		v, err := b.judge(context.WithoutCancel(ctx), text)
		if err != nil {
			return err
		}
		switch v {
		case another:
			if judged[key] == 1 {
				r.others++
			}
		case this:
			r.found, r.input = true, text
			var tree *derive.Tree
			if !src.Damaged(i) {
				if tree, err = src.Tree(ctx, i); err != nil {
					return err
				}
			}
			return r.shrink(context.WithoutCancel(ctx), b, tree, key)
		}
	}
	return ctx.Err()
}

// shrinkTime and shrinkCalls bound what shrinking one find may take, beyond the
// time of the hunt.
const (
	shrinkTime  = 30 * time.Second
	shrinkCalls = 5000
)

// shrink makes the find small: within the grammar where it has a tree, then
// below it. Every candidate has to fail with the same key; the result is judged
// in the end, and is the find itself where it is not this bug any more.
func (r *result) shrink(ctx context.Context, b *bug, tree *derive.Tree, key string) error {
	process := &served{program: b.old, limit: hangs}
	if key == "hang" {
		process.limit = hangs / 4
	}
	defer process.close()
	predicate := func(_ context.Context, text []byte) (bool, error) {
		r.shrinks++
		k, err := process.ask(text)
		return k == key, err
	}
	o := reduce.Options{Time: shrinkTime / 2, MaxCalls: shrinkCalls}
	r.shrunk = r.input
	if tree != nil {
		res, err := reduce.Run(ctx, reduce.Input{Tree: tree}, predicate, o)
		if err == nil {
			r.shrunk = res.Text
		} else if !errors.Is(err, reduce.ErrNotInteresting) {
			return err
		}
	}
	res, err := reduce.Run(ctx, reduce.Input{Text: r.shrunk}, predicate, o)
	if errors.Is(err, reduce.ErrNotInteresting) {
		return nil
	}
	if err != nil {
		return err
	}
	if v, err := b.judge(ctx, res.Text); err != nil {
		return err
	} else if v == this {
		r.shrunk = res.Text
		return nil
	}
	if v, err := b.judge(ctx, r.shrunk); err != nil || v != this {
		r.shrunk = r.input
		return err
	}
	return nil
}
