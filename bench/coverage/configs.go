package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/stream"
)

// config is a way of making sentences.
type config struct {
	name string
	plan func(g *grammar.Grammar) stream.Plan
}

var configs = []config{
	{"uniform", same(stream.Plan{})},
	{"least+15 terminals", span(15, grammar.Terminals, stream.Plan{})},
	{"least+30 terminals", span(30, grammar.Terminals, stream.Plan{})},
	{"least+100 terminals", span(100, grammar.Terminals, stream.Plan{})},
	{"least+50 by count", span(50, grammar.Terminals, stream.Plan{}, "count")},
	{"least+50 exact", span(50, grammar.Terminals, stream.Plan{Measure: "exact"})},
	{"least+200 bytes", span(200, grammar.Bytes, stream.Plan{})},
	{"depth least+3", depth(3, stream.Plan{})},
	{"walk depth least+3", depth(3, stream.Plan{Strategy: "walk"})},
	{"walk depth least+8", depth(8, stream.Plan{Strategy: "walk"})},
	{"walk", same(stream.Plan{Strategy: "walk"})},
	{"balanced", same(stream.Plan{Strategy: "balanced"})},
	{"balanced least+100", span(100, grammar.Terminals, stream.Plan{Strategy: "balanced"})},
	{"balanced pairs", same(stream.Plan{Strategy: "balanced", Strength: 2})},
	{"balanced pairs least+100", span(100, grammar.Terminals, stream.Plan{Strategy: "balanced", Strength: 2})},
	{"balanced swarm both", same(stream.Plan{Strategy: "balanced", Swarm: &stream.SwarmPlan{Mode: "both"}})},
	{"mixed", same(stream.Plan{Strategy: stream.Mixed})},
	{"broad", same(stream.Plan{Strategy: "broad"})},
	{"random-weights", same(stream.Plan{Strategy: stream.RandomWeights})},
	{"balanced exact", same(stream.Plan{Strategy: "balanced", Measure: "exact"})},
	{"uniform swarm plain", same(stream.Plan{Swarm: &stream.SwarmPlan{Mode: "plain"}})},
	{"uniform swarm down", same(stream.Plan{Swarm: &stream.SwarmPlan{Mode: "down"}})},
	{"uniform swarm both", same(stream.Plan{Swarm: &stream.SwarmPlan{Mode: "both"}})},
	{"walk depth least+8 swarm plain", depth(8, stream.Plan{Strategy: "walk", Swarm: &stream.SwarmPlan{Mode: "plain"}})},
	{"walk depth least+8 swarm down", depth(8, stream.Plan{Strategy: "walk", Swarm: &stream.SwarmPlan{Mode: "down"}})},
	{"walk depth least+8 swarm both", depth(8, stream.Plan{Strategy: "walk", Swarm: &stream.SwarmPlan{Mode: "both"}})},
}

func same(p stream.Plan) func(*grammar.Grammar) stream.Plan {
	return func(*grammar.Grammar) stream.Plan { return p }
}

// mixture parses a name such as "walk + balanced swarm both" into generators that take turns, a
// block of sentences each. A generator is a strategy, perhaps with a swarm mode.
func mixture(name string) config {
	p := stream.Plan{Strategy: stream.Mixed}
	for g := range strings.SplitSeq(name, " + ") {
		strategy, mode, _ := strings.Cut(g, " swarm ")
		p.Mix = append(p.Mix, stream.Generator{Strategy: strategy, Swarm: mode})
	}
	return config{name, same(p)}
}

func span(more int, u grammar.Unit, p stream.Plan, spread ...string) func(*grammar.Grammar) stream.Plan {
	return func(g *grammar.Grammar) stream.Plan {
		least := g.Facts(nil, grammar.Structure).Size(g.Root, u, grammar.Any)
		p.Bound = record.Bound(count.Sizes(least, least+more, u))
		p.Bound.Spread = strings.Join(spread, "")
		return p
	}
}

func depth(more int, p stream.Plan) func(*grammar.Grammar) stream.Plan {
	return func(g *grammar.Grammar) stream.Plan {
		p.Bound = record.Bound(count.Depth(g.Facts(nil, grammar.Structure).Depth(g.Root, grammar.Any) + more))
		return p
	}
}

// chosen returns the configurations with the given names, or all if which is "".
func chosen(which string) ([]config, error) {
	if which == "" {
		return configs, nil
	}
	var out []config
	for _, name := range strings.Split(which, ";") {
		i := slices.IndexFunc(configs, func(c config) bool { return c.name == name })
		switch {
		case i >= 0:
			out = append(out, configs[i])
		case strings.Contains(name, " + "):
			out = append(out, mixture(name))
		default:
			var names []string
			for _, c := range configs {
				names = append(names, c.name)
			}
			return nil, fmt.Errorf("there is no configuration %q; there are %s, and mixtures as \"walk + balanced\"", name, strings.Join(names, "; "))
		}
	}
	return out, nil
}

// write writes n sentences, each ended by a NUL.
func (c config) write(ctx context.Context, w io.Writer, g *grammar.Grammar, n int, seed uint64) error {
	src, err := c.open(ctx, g, seed)
	if err != nil {
		return err
	}
	var buf []byte
	for i := range uint64(n) {
		if buf, err = src.Append(ctx, buf[:0], i); err != nil {
			return err
		}
		if _, err := w.Write(append(buf, 0)); err != nil {
			return err
		}
	}
	return nil
}

// open opens the stream of the configuration.
func (c config) open(ctx context.Context, g *grammar.Grammar, seed uint64) (stream.Source, error) {
	p := c.plan(g)
	p.Seed = seed
	s, err := p.Open(ctx, g, stream.Options{})
	if err != nil {
		return nil, err
	}
	return s.Source(), nil
}
