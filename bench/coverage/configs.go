package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// config is a way of making sentences.
type config struct {
	name    string
	options func(g *grammar.Grammar) sample.Options
	swarm   swarm.Mode
}

var configs = []config{
	{name: "default", options: func(*grammar.Grammar) sample.Options { return sample.Options{} }},
	{name: "least+15 terminals", options: span(15, grammar.Terminals, sample.Even)},
	{name: "least+30 terminals", options: span(30, grammar.Terminals, sample.Even)},
	{name: "least+100 terminals", options: span(100, grammar.Terminals, sample.Even)},
	{name: "least+50 by count", options: span(50, grammar.Terminals, sample.ByCount)},
	{name: "least+50 exact", options: func(g *grammar.Grammar) sample.Options {
		o := span(50, grammar.Terminals, sample.Even)(g)
		o.Measure = grammar.Exact
		return o
	}},
	{name: "least+200 bytes", options: span(200, grammar.Bytes, sample.Even)},
	{name: "depth least+3", options: depth(3, sample.Uniform)},
	{name: "walk depth least+3", options: depth(3, sample.Walk)},
	{name: "walk depth least+8", options: depth(8, sample.Walk)},
	{name: "walk least+50", options: func(g *grammar.Grammar) sample.Options {
		o := span(50, grammar.Terminals, sample.Even)(g)
		o.Strategy = sample.Walk
		return o
	}},
	{name: "balanced", options: balanced(1)},
	{name: "balanced pairs", options: balanced(2)},
	{name: "default swarm plain", options: func(*grammar.Grammar) sample.Options { return sample.Options{} }, swarm: swarm.Plain},
	{name: "default swarm down", options: func(*grammar.Grammar) sample.Options { return sample.Options{} }, swarm: swarm.Down},
	{name: "default swarm both", options: func(*grammar.Grammar) sample.Options { return sample.Options{} }, swarm: swarm.Both},
	{name: "walk depth least+8 swarm plain", options: depth(8, sample.Walk), swarm: swarm.Plain},
	{name: "walk depth least+8 swarm down", options: depth(8, sample.Walk), swarm: swarm.Down},
	{name: "walk depth least+8 swarm both", options: depth(8, sample.Walk), swarm: swarm.Both},
}

func balanced(strength int) func(*grammar.Grammar) sample.Options {
	return func(*grammar.Grammar) sample.Options {
		return sample.Options{Strategy: sample.Balanced, Strength: strength}
	}
}

func span(more int, u grammar.Unit, spread sample.Spread) func(*grammar.Grammar) sample.Options {
	return func(g *grammar.Grammar) sample.Options {
		least := g.Facts(nil, grammar.Structure).Size(g.Root, u, grammar.Any)
		return sample.Options{Bound: count.Sizes(least, least+more, u), Spread: spread}
	}
}

func depth(more int, s sample.Strategy) func(*grammar.Grammar) sample.Options {
	return func(g *grammar.Grammar) sample.Options {
		least := g.Facts(nil, grammar.Structure).Depth(g.Root, grammar.Any)
		return sample.Options{Bound: count.Depth(least + more), Strategy: s}
	}
}

func chosen(which string) []config {
	if which == "" {
		return configs
	}
	var out []config
	for _, c := range configs {
		if slices.Contains(strings.Split(which, ","), c.name) {
			out = append(out, c)
		}
	}
	return out
}

// write writes n sentences, each ended by a NUL.
func (c config) write(ctx context.Context, w io.Writer, g *grammar.Grammar, n int, seed uint64) error {
	o := c.options(g)
	o.Seed = seed
	return c.each(ctx, g, o, n, func(text []byte) error {
		_, err := w.Write(append(text, 0))
		return err
	})
}

// each calls f with the text of every sentence, which it may not keep.
func (c config) each(ctx context.Context, g *grammar.Grammar, o sample.Options, n int, f func(text []byte) error) error {
	st, err := c.open(ctx, g, o)
	if err != nil {
		return err
	}
	src := st.Source()
	var buf []byte
	for i := range uint64(n) {
		if buf, err = src.Append(ctx, buf[:0], i); err != nil {
			return err
		}
		if err := f(buf); err != nil {
			return err
		}
	}
	return nil
}

// open opens the stream of the configuration.
func (c config) open(ctx context.Context, g *grammar.Grammar, o sample.Options) (*stream.Stream, error) {
	sw, err := swarm.New(g, swarm.Options{Mode: c.swarm})
	if err != nil {
		return nil, err
	}
	if o.Bound == (count.Bound{}) && o.Strategy != sample.Limit {
		o.Bound = sample.DefaultBound(g, g.Facts(nil, o.Measure))
	}
	return stream.Swarm(ctx, sw, o.Seed, 0, func(ctx context.Context, mask *grammar.Mask) (*stream.Stream, error) {
		o := o
		o.Mask = mask
		return stream.Sample(ctx, g, o)
	})
}
