package swarm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Config is one configuration: which features are in. It is immutable and safe
// for concurrent use.
type Config struct {
	s    *Swarm
	seed uint64
	file bool // it was loaded, not drawn
	set  *set
	mask *grammar.Mask
}

// Config returns the configuration that a seed names. It costs a few passes over
// the features; see the package's description of the modes.
func (s *Swarm) Config(seed uint64) *Config {
	return s.config(s.draw(newSeeded(seed)), seed)
}

func (s *Swarm) config(t *set, seed uint64) *Config {
	return &Config{s: s, seed: seed, set: t, mask: s.mask(t.in)}
}

// mask switches off what is not in.
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

// Mask returns the mask that switches off what is not in. The caller must not
// change it.
func (c *Config) Mask() *grammar.Mask { return c.mask }

// Has reports whether feature i of [Swarm.Features] is in.
func (c *Config) Has(i int) bool { return c.set.in[i] }

// Derives reports whether the start rule derives anything. Only configurations
// of mode Plain may not.
func (c *Config) Derives() bool { return c.set.live()[c.s.start] }

// TakesPart returns, by feature, whether it occurs in some derivation of the
// start rule under the configuration: what is in, but cannot be reached or not
// completed, does not.
func (c *Config) TakesPart() []bool { return c.set.takesPart() }

// Name returns the name of the configuration, such as "both:77": its mode and
// seed, then the default coin if that is not ½, then a digest of further coins
// where there are any. [Swarm.Parse] gives the configuration back. A loaded
// configuration has no name of this kind; its name is "file:" and a digest.
func (c *Config) Name() string {
	if c.file {
		return "file:" + c.digest()
	}
	name := c.s.o.Mode.String() + ":" + strconv.FormatUint(c.seed, 10)
	if d := c.s.o.Coins.Default; d.Den != 0 && d != Half {
		name += ":p=" + d.String()
	}
	if d := c.s.o.Coins.digest(); d != "" {
		name += ":coins=" + d
	}
	return name
}

// Parse returns the configuration of that name. A bare number is the name's
// seed. Errors: a name of another mode, or made with other coins.
func (s *Swarm) Parse(name string) (*Config, error) {
	seed := name
	if _, after, ok := strings.Cut(name, ":"); ok {
		seed, _, _ = strings.Cut(after, ":")
	}
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no name of a swarm configuration: one looks like both:77", name)
	}
	c := s.Config(n)
	if seed != name && c.Name() != name {
		return nil, fmt.Errorf("configuration %q was made with another mode or other coins: here, seed %d names %q", name, n, c.Name())
	}
	return c, nil
}

// String lists the features, one a line: "+" those in that take part, "." those
// in that no sentence can reach, "-" those out.
func (c *Config) String() string {
	var b strings.Builder
	part := c.TakesPart()
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
