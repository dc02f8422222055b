package main

import (
	"context"
	"errors"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/pace"
	"github.com/gramfuzz/gramfuzz/reduce"
	"github.com/gramfuzz/gramfuzz/stream"
)

// opener begins a stream. The function that it returns ends the stream.
type opener func(ctx context.Context, b *bug, seed uint64) (stream.Source, func(), error)

// strategies are the compared ways of drawing.
var strategies = map[string]opener{
	"walk":    drawn(stream.Generator{Strategy: "walk"}),
	"uniform": drawn(stream.Generator{}),
	"swarm":   drawn(stream.Generator{Swarm: "both"}),
	"weights": drawn(stream.Generator{Strategy: stream.RandomWeights}),

	"mixed":    planned(stream.Plan{Strategy: stream.Mixed}),
	"balanced": planned(stream.Plan{Strategy: "balanced"}),
	"pairs":    planned(stream.Plan{Strategy: "balanced", Strength: 2}),
	"broad":    planned(stream.Plan{Strategy: "broad"}),

	"defaults": func(ctx context.Context, b *bug, seed uint64) (stream.Source, func(), error) {
		p := &stream.Plan{Strategy: stream.Mixed, Seed: seed, Damage: stream.DefaultDamage}
		s, err := p.Open(ctx, b.g, stream.Options{})
		if err != nil {
			return nil, nil, err
		}
		return pace.New(s.Source(), b.g, false, time.Now), func() {}, nil
	},
	"rapid": func(ctx context.Context, b *bug, seed uint64) (stream.Source, func(), error) {
		s, err := newRapid(ctx, b, seed)
		if err != nil {
			return nil, nil, err
		}
		return s, s.close, nil
	},
}

// drawn opens the stream of one generator.
func drawn(from stream.Generator) opener {
	return planned(stream.Plan{Strategy: stream.Mixed, Mix: []stream.Generator{from}})
}

// planned opens the stream of a plan.
func planned(p stream.Plan) opener {
	return func(ctx context.Context, b *bug, seed uint64) (stream.Source, func(), error) {
		p := p
		p.Seed = seed
		s, err := p.Open(ctx, b.g, stream.Options{})
		if err != nil {
			return nil, nil, err
		}
		return s.Source(), func() {}, nil
	}
}

// result is the outcome of a hunt.
type result struct {
	found   bool
	inputs  int           // inputs run, including the last
	took    time.Duration // CPU time until the find, or in all; elapsed time for gofuzz
	others  int           // kinds of other failures, absent from the fixed version
	input   []byte
	shrunk  []byte
	shrinks int // calls of the predicate
}

// mostOfAKind is the number of inputs with the same key that are all judged. Of later ones only the
// 4th, 8th, 16th and so on are judged, because one key may represent several bugs.
const mostOfAKind = 3

// worthJudging counts a failure with a key and reports whether it is to be judged.
func worthJudging(judged map[string]int, key string) bool {
	judged[key]++
	n := judged[key]
	return n <= mostOfAKind || n&(n-1) == 0
}

// budget bounds a hunt. time is the CPU time of all its processes after the build; it includes
// preparing the sampler. inputs is the number of inputs, 0 for any number. Neither depends on
// other load of the machine. A hunt whose target sleeps ends after an elapsed time of twenty times
// the budget.
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
	process := &served{program: b.old, limit: b.limit()}
	defer process.close()
	began := cpuTime(0)
	src, end, err := open(ctx, b, seed)
	if err != nil {
		return err
	}
	defer end()
	if p, ok := src.(*pace.Source); ok && l.inputs > 0 {
		src = p.Source // without pacing every hunt runs the same inputs
	}
	pids := func() []int {
		if s, ok := src.(interface{ pid() int }); ok {
			return []int{process.pid(), s.pid()}
		}
		return []int{process.pid()}
	}
	judged := map[string]int{}
	texts := batch{most: mostAtOnce}
	for ctx.Err() == nil && (l.inputs == 0 || r.inputs < l.inputs) {
		r.took = cpuTime(pids()...) - began
		if r.took >= l.time {
			return nil
		}
		if l.inputs > 0 {
			texts.most = min(texts.most, l.inputs-r.inputs)
		}
		if err := texts.draw(ctx, src); err != nil {
			return err
		}
		answers, err := process.askAll(texts.all())
		if err != nil {
			return err
		}
		texts.took(src, answers)
		for k, a := range answers {
			key := a.key
			r.inputs++
			if key == "" {
				continue
			}
			never := key == "hang" && !b.hangs()
			worth := worthJudging(judged, key)
			if never || key == "hang" && judged[key] >= mostOfAKind {
				process.limit = hangsLater
			}
			if never || !worth {
				continue // judging a hang takes ten seconds
			}
			text := texts.at(k)
			if err := r.settle(context.WithoutCancel(ctx), b, text, judged[key] == 1); err != nil {
				return err
			}
			if r.found {
				r.took = cpuTime(pids()...) - began
				var tree *derive.Tree
				at := texts.indices[k]
				if place, err := stream.PlaceOf(ctx, src, at); err != nil {
					return err
				} else if !place.Damaged {
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

// batch holds consecutive texts of a stream.
type batch struct {
	next    uint64 // number of the text after the batch
	most    int
	bytes   []byte
	ends    []int
	indices []uint64
}

// draw takes the next texts, up to most of them.
func (b *batch) draw(ctx context.Context, src stream.Source) error {
	b.bytes, b.ends, b.indices = b.bytes[:0], b.ends[:0], b.indices[:0]
	for tries := 0; b.len() < b.most && len(b.bytes) < bytesAtOnce && tries < 2*mostAtOnce; tries++ {
		i := b.next
		b.next++
		text, err := src.Append(ctx, b.bytes, i)
		if err == pace.ErrLeftOut {
			continue
		}
		if err != nil {
			return err
		}
		b.bytes = text
		b.ends = append(b.ends, len(text))
		b.indices = append(b.indices, i)
	}
	return nil
}

// atATime is the intended time to run a batch. It is short, so that a stream that adapts to slow
// texts soon learns of them.
const atATime = 4 * time.Millisecond

// took reports the times of a batch to the stream, and sets the size of the next batch.
func (b *batch) took(src stream.Source, answers []answer) {
	p, ok := src.(*pace.Source)
	if !ok {
		return
	}
	var all time.Duration
	for k, a := range answers {
		all += a.took
		p.Took(b.indices[k], a.took)
	}
	b.most = min(2*b.most, mostAtOnce)
	if all > atATime {
		b.most = max(1, b.len()/2)
	}
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

// shrinkAlone shrinks a find of a hunt without trees.
func (r *result) shrinkAlone(ctx context.Context, b *bug) error {
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	a, err := process.ask(r.input)
	if err != nil {
		return err
	}
	return r.shrink(ctx, b, nil, a.key)
}

// shrinkTime and shrinkCalls bound the shrinking of one find. This time is not part of the hunt.
const (
	shrinkTime  = 30 * time.Second
	shrinkCalls = 5000
)

// shrink reduces the find: by the grammar if there is a tree, then as plain text. Every candidate
// must fail with the same key. At the end the result is judged. If it no longer shows this bug, the
// find itself takes its place.
func (r *result) shrink(ctx context.Context, b *bug, tree *derive.Tree, key string) error {
	process := &served{program: b.old, limit: hangs}
	if key == "hang" {
		process.limit = hangs / 4
	}
	defer process.close()
	predicate := func(_ context.Context, text []byte) (bool, error) {
		r.shrinks++
		a, err := process.ask(text)
		return a.key == key, err
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
