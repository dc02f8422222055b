package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/readfile"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/swarm"
)

// swarmFlags are the flags of swarm configurations.
type swarmFlags struct {
	f     *flags
	mode  string
	p     string
	every int
}

func (f *flags) addSwarm() *swarmFlags {
	s := &swarmFlags{f: f}
	f.StringVar(&s.mode, "swarm", "off", "leave out a random part of the grammar: plain, down or both; or always the configuration of this name (both:77) or `FILE`")
	s.addCoins()
	f.IntVar(&s.every, "swarm-every", swarm.DefaultEvery, "with --swarm: a new configuration every `K` sentences")
	return s
}

func (s *swarmFlags) addCoins() {
	s.f.StringVar(&s.p, "swarm-p", "1/2", "with --swarm: how likely each part is in, or a `FILE` with a line for each part")
}

// plan returns the swarm of the flags; nil if they ask for none.
func (s *swarmFlags) plan() (*swarmPlan, error) {
	f := s.f
	switch {
	case s.mode == "off" && f.Changed("swarm-p"):
		return nil, f.wrong("--swarm-p goes with --swarm plain, down or both")
	case s.mode == "off" && f.Changed("swarm-every"):
		return nil, f.wrong("--swarm-every goes with --swarm plain, down or both")
	case s.mode == "off":
		return nil, nil
	case s.every < 1:
		return nil, f.wrong("--swarm-every %d cannot be; it begins with 1", s.every)
	}
	p := &swarmPlan{Every: s.every}
	if err := s.coins(p); err != nil {
		return nil, err
	}
	before, _, named := strings.Cut(s.mode, ":")
	_, err := swarm.ParseMode(before)
	switch {
	case err == nil && named:
		p.Mode, p.Config = before, s.mode
	case err == nil:
		p.Mode = s.mode
	default:
		data, readErr := readfile.Bounded(s.mode, maxInput)
		if errors.Is(readErr, fs.ErrNotExist) {
			return nil, f.wrong("%v, and no file of that name", err)
		}
		if readErr != nil {
			return nil, readErr
		}
		p.Mode, p.File, p.Saved = swarm.Off.String(), s.mode, string(data)
	}
	if p.one() && f.Changed("swarm-every") {
		return nil, f.wrong("--swarm-every goes with a new configuration now and then; --swarm %s is always the same", s.mode)
	}
	if p.Saved != "" && f.Changed("swarm-p") {
		return nil, f.wrong("--swarm-p goes with configurations that are drawn; %s has one that was", s.mode)
	}
	return p, nil
}

// coins reads --swarm-p: a number, or a file.
func (s *swarmFlags) coins(p *swarmPlan) error {
	coin, err := swarm.ParseCoin(s.p)
	if err == nil {
		p.Coins = "* " + coin.String()
		return nil
	}
	data, readErr := readfile.Bounded(s.p, maxInput)
	switch {
	case errors.Is(readErr, fs.ErrNotExist):
		return s.f.wrong("--swarm-p: %v, or the name of a file; there is none of this name", err)
	case readErr != nil:
		return readErr
	}
	p.CoinsFile, p.Coins = s.p, string(data)
	return nil
}

// swarmPlan is the swarm of a plan, with the content of its files.
type swarmPlan struct {
	Mode      string `json:"mode"`
	Every     int    `json:"every"`
	CoinsFile string `json:"coins-file,omitempty"` // for messages
	Coins     string `json:"coins"`
	Config    string `json:"config,omitempty"` // the name of the only one
	File      string `json:"file,omitempty"`   // for messages
	Saved     string `json:"saved,omitempty"`  // the only one
}

// swarm returns the swarm of the plan, in the given mode.
func (p *swarmPlan) swarm(g *grammar.Grammar, mode string, m grammar.Measure) (*swarm.Swarm, error) {
	o := swarm.Options{Measure: m}
	var err error
	if o.Mode, err = swarm.ParseMode(mode); err != nil {
		return nil, err
	}
	if o.Coins, err = swarm.ParseCoins(p.CoinsFile, []byte(p.Coins)); err != nil {
		return nil, err
	}
	return swarm.New(g, o)
}

// one reports whether all sentences share one configuration.
func (p *swarmPlan) one() bool { return p.Config != "" || p.Saved != "" }

// only returns the configuration that all sentences share.
func (p *swarmPlan) only(sw *swarm.Swarm) (*swarm.Config, error) {
	if p.Config != "" {
		return sw.Parse(p.Config)
	}
	c, err := swarm.Load(sw.Grammar(), []byte(p.Saved))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	return c, nil
}

// open prepares the stream of sentences from many configurations.
func (p *swarmPlan) open(ctx context.Context, sw *swarm.Swarm, o sample.Options, index func(uint64) uint64) (*stream, error) {
	s, err := swarm.NewSampler(ctx, sw, swarm.SamplerOptions{Sample: o, Every: p.Every})
	if err != nil {
		return nil, err
	}
	config := func(ctx context.Context, i uint64) (string, error) {
		c, _, err := s.Block(ctx, i)
		if err != nil {
			return "", err
		}
		return c.Name(), nil
	}
	block := func(ctx context.Context, i uint64) (*grammar.Mask, *sample.Sampler, error) {
		c, sampler, err := s.Block(ctx, i)
		if err != nil {
			return nil, nil, err
		}
		return c.Mask(), sampler, nil
	}
	source := func() drawer { return &strided{s.Source(), index} }
	return &stream{source: source, bound: s.Bound(), index: index, block: block, config: config}, nil
}

// ref returns the reference to the swarm in all records.
func (p *swarmPlan) ref() *derive.SwarmRef {
	r := &derive.SwarmRef{Mode: p.Mode, P: 0.5, Every: p.Every}
	if p.one() {
		r.Every = 0
	}
	if c, err := swarm.ParseCoins("", []byte(p.Coins)); err == nil && c.Default.Den > 0 {
		r.P = float64(c.Default.Num) / float64(c.Default.Den)
	}
	return r
}
