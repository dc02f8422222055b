package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/stream"
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
	f.IntVar(&s.every, "swarm-every", 0, "with --swarm: a new configuration every `K` sentences (default 100)")
	return s
}

func (s *swarmFlags) addCoins() {
	s.f.StringVar(&s.p, "swarm-p", "1/2", "with --swarm: the probability that a part is in, or a `FILE` with a line for each part")
}

// plan returns the swarm of the flags; nil if they select none.
func (s *swarmFlags) plan() (*stream.SwarmPlan, error) {
	f := s.f
	switch {
	case s.mode == "off" && f.Changed("swarm-p"):
		return nil, f.wrong("--swarm-p goes with --swarm plain, down or both")
	case s.mode == "off" && f.Changed("swarm-every"):
		return nil, f.wrong("--swarm-every goes with --swarm plain, down or both")
	case s.mode == "off":
		return nil, nil
	case f.Changed("swarm-every") && s.every < 1:
		return nil, f.wrong("--swarm-every %d is out of range; the least is 1", s.every)
	}
	p := &stream.SwarmPlan{Every: s.every}
	if f.Changed("swarm-p") {
		if err := s.coins(p); err != nil {
			return nil, err
		}
	}
	before, _, named := strings.Cut(s.mode, ":")
	_, err := swarm.ParseMode(before)
	switch {
	case err == nil && named:
		p.Mode, p.Config = before, s.mode
	case err == nil:
		p.Mode = s.mode
	default:
		data, readErr := files.Read(s.mode, maxInput)
		if errors.Is(readErr, fs.ErrNotExist) {
			return nil, f.wrong("%v, and no file of that name", err)
		}
		if readErr != nil {
			return nil, readErr
		}
		p.Mode, p.SavedFile, p.Saved = swarm.Off.String(), s.mode, string(data)
	}
	return p, nil
}

// coins reads --swarm-p: a number, or a file.
func (s *swarmFlags) coins(p *stream.SwarmPlan) error {
	coin, err := swarm.ParseCoin(s.p)
	if err == nil {
		p.Coins = "* " + coin.String()
		return nil
	}
	data, readErr := files.Read(s.p, maxInput)
	switch {
	case errors.Is(readErr, fs.ErrNotExist):
		return s.f.wrong("--swarm-p: %v, or the name of a file; there is none of this name", err)
	case readErr != nil:
		return readErr
	}
	p.CoinsFile, p.Coins = s.p, string(data)
	return nil
}
