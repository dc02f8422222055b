package swarm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Config is one configuration: the features that are in. It is immutable and
// safe for concurrent use.
type Config struct {
	s    *Swarm
	seed uint64
	file bool // loaded, not drawn
	set  *set
	mask *grammar.Mask
}

// Config returns the configuration that a seed names; the package comment says
// how it is made. It costs a few passes over the features.
func (s *Swarm) Config(seed uint64) *Config {
	return s.config(s.draw(newSeeded(seed)), seed)
}

func (s *Swarm) config(t *set, seed uint64) *Config {
	return &Config{s: s, seed: seed, set: t, mask: s.mask(t.in)}
}

// mask switches off the features that are not in.
func (s *Swarm) mask(in []bool) *grammar.Mask {
	m := grammar.NewMask(s.g)
	members := map[*grammar.Expr][]grammar.Range{}
	for i, f := range s.features {
		switch {
		case f.Expr == nil:
			m.SetRule(f.Rule, in[i])
		case f.Expr.Op == grammar.Choice:
			m.Set(f.Expr, f.Alt, in[i])
		default:
			rs := members[f.Expr]
			if in[i] {
				r := f.Expr.Gen.At(f.Alt)
				rs = append(rs, grammar.Range{Lo: r, Hi: r})
			}
			members[f.Expr] = rs
		}
	}
	for e, rs := range members {
		m.SetClass(e.ID, grammar.NewSet(rs...))
	}
	return m
}

// Mask returns the mask that switches off the features that are not in. The
// caller must not change it.
func (c *Config) Mask() *grammar.Mask { return c.mask }

// Has reports whether feature i of [Swarm.Features] is in.
func (c *Config) Has(i int) bool { return c.set.in[i] }

// Derives reports whether the start rule derives anything. Only a configuration
// of mode Plain may derive nothing.
func (c *Config) Derives() bool { return c.set.live()[c.s.start] }

// Name returns the name of the configuration, such as "both:77": its mode and
// seed, then the default coin if that is not ½, then a digest of any further
// coins. [Swarm.Parse] gives the configuration back. The name of a loaded
// configuration is "file:" and a digest, which only identifies it.
func (c *Config) Name() string {
	if c.file {
		return "file:" + c.digest()
	}
	name := c.s.o.Mode.String() + ":" + strconv.FormatUint(c.seed, 10)
	if d := c.s.o.Coins.Default; d.Den != 0 && d != half {
		name += ":p=" + d.String()
	}
	if d := c.s.o.Coins.digest(); d != "" {
		name += ":coins=" + d
	}
	return name
}

// Parse returns the configuration of that name, or of a bare seed. It fails for
// a name of another mode, or one made with other coins.
func (s *Swarm) Parse(name string) (*Config, error) {
	seed := name
	if _, after, ok := strings.Cut(name, ":"); ok {
		seed, _, _ = strings.Cut(after, ":")
	}
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a name of a swarm configuration; write one such as both:77", name)
	}
	c := s.Config(n)
	if seed != name && c.Name() != name {
		return nil, fmt.Errorf("configuration %q was made with another mode or other coins: here, seed %d names %q", name, n, c.Name())
	}
	return c, nil
}

// String lists the features, one a line. The sign "+" marks a feature that some
// sentence uses, "." one that is in but cannot be reached or completed, "-" one
// that is out.
func (c *Config) String() string {
	var b strings.Builder
	part := c.set.takesPart()
	for i, f := range c.s.features {
		sign := "-"
		switch {
		case part[i]:
			sign = "+"
		case c.set.in[i]:
			sign = "."
		}
		fmt.Fprintf(&b, "%s %s\n", sign, f.Name)
	}
	return b.String()
}
