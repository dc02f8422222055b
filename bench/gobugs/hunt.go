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

// stream is what draws the inputs of a hunt.
type stream interface {
	Append(ctx context.Context, dst []byte, i uint64) ([]byte, error)
	Damaged(i uint64) bool // no tree makes the text of input i
	Tree(ctx context.Context, i uint64) (*derive.Tree, error)
}

// opener begins a stream; the function that it returns ends it.
type opener func(ctx context.Context, b *bug, seed uint64) (stream, func(), error)

// strategies are the ways of drawing that are compared.
var strategies = map[string]opener{
	"walk":     scheduled(schedule.Options{Lanes: []schedule.Lane{{Strategy: sample.Walk}}}),
	"uniform":  scheduled(schedule.Options{Lanes: []schedule.Lane{{Strategy: sample.Uniform}}, Brief: true}),
	"swarm":    scheduled(schedule.Options{Lanes: []schedule.Lane{{Strategy: sample.Uniform, Swarm: swarm.Both}}}),
	"tilted":   scheduled(schedule.Options{Lanes: []schedule.Lane{{Tilted: true}}}),
	"defaults": scheduled(schedule.Options{Damage: schedule.DefaultDamage, Brief: true}),
	"rapid": func(ctx context.Context, b *bug, seed uint64) (stream, func(), error) {
		s, err := newRapid(ctx, b, seed)
		if err != nil {
			return nil, nil, err
		}
		return s, s.close, nil
	},
}

func scheduled(o schedule.Options) opener {
	return func(ctx context.Context, b *bug, seed uint64) (stream, func(), error) {
		o := o
		o.Seed = seed
		s, err := schedule.New(ctx, b.g, o)
		if err != nil {
			return nil, nil, err
		}
		return s.Source(), func() {}, nil
	}
}

// result is what a hunt ends with.
type result struct {
	found   bool
	inputs  int           // run, the last included
	took    time.Duration // CPU time until the find, or in all
	others  int           // failures of other kinds that the fixed version has not
	input   []byte
	shrunk  []byte
	shrinks int // calls
}

// mostOfAKind is how many inputs with the same key are judged, and then the
// 4th, 8th, 16th and so on: one key may stand for several bugs.
const mostOfAKind = 3

// budget bounds a hunt: by the CPU time of everything that takes part in it,
// from when the case is built, so that preparing the sampler counts; and by
// inputs, 0 for any number. What else the machine does changes neither. A hunt
// whose target sleeps ends after twenty times the time on the clock.
type budget struct {
	time   time.Duration
	inputs int
}

// hunt runs sentences until the bug of the case is hit or the budget is used up.
func hunt(ctx context.Context, b *bug, open opener, seed uint64, l budget) (*result, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*l.time)
	defer cancel()
	r := &result{}
	err := r.hunt(ctx, b, open, seed, l)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return r, err
}

func (r *result) hunt(ctx context.Context, b *bug, open opener, seed uint64, l budget) error {
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	began := cpuTime(0)
	src, end, err := open(ctx, b, seed)
	if err != nil {
		return err
	}
	defer end()
	pids := func() []int {
		if s, ok := src.(interface{ pid() int }); ok {
			return []int{process.pid(), s.pid()}
		}
		return []int{process.pid()}
	}
	judged := map[string]int{}
	var texts batch
	for i := uint64(0); ctx.Err() == nil && (l.inputs == 0 || r.inputs < l.inputs); i += uint64(texts.len()) {
		if r.took = cpuTime(pids()...) - began; r.took >= l.time {
			return nil
		}
		most := mostAtOnce
		if l.inputs > 0 {
			most = min(most, l.inputs-r.inputs)
		}
		if err := texts.draw(ctx, src, i, most); err != nil {
			return err
		}
		keys, err := process.askAll(texts.all())
		if err != nil {
			return err
		}
		for k, key := range keys {
			r.inputs++
			if key == "" {
				continue
			}
			judged[key]++
			if judged["hang"] >= mostOfAKind {
				process.limit = hangsLater
			}
			if n := judged[key]; n > mostOfAKind && n&(n-1) != 0 {
				continue
			}
			text := texts.at(k)
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
				r.took = cpuTime(pids()...) - began
				var tree *derive.Tree
				if at := i + uint64(k); !src.Damaged(at) {
					if tree, err = src.Tree(ctx, at); err != nil {
						return err
					}
				}
				return r.shrink(context.WithoutCancel(ctx), b, tree, key)
			}
		}
	}
	return ctx.Err()
}

// batch is texts that follow each other in a stream.
type batch struct {
	bytes []byte
	ends  []int
}

// draw takes up to most texts from number i on.
func (b *batch) draw(ctx context.Context, src stream, i uint64, most int) (err error) {
	b.bytes, b.ends = b.bytes[:0], b.ends[:0]
	for b.len() < most && len(b.bytes) < bytesAtOnce {
		if b.bytes, err = src.Append(ctx, b.bytes, i+uint64(b.len())); err != nil {
			return err
		}
		b.ends = append(b.ends, len(b.bytes))
	}
	return nil
}

func (b *batch) len() int { return len(b.ends) }

func (b *batch) at(k int) []byte {
	begin := 0
	if k > 0 {
		begin = b.ends[k-1]
	}
	return b.bytes[begin:b.ends[k]:b.ends[k]]
}

func (b *batch) all() [][]byte {
	texts := make([][]byte, b.len())
	for k := range texts {
		texts[k] = b.at(k)
	}
	return texts
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
