package swarm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// fileVersion is the version of the format; it changes with the format.
const fileVersion = 1

// savedConfig is the file of a configuration. The list of features that are off
// defines the configuration; the name is there for readers.
type savedConfig struct {
	V       int          `json:"v"`
	Name    string       `json:"name"`
	Grammar savedGrammar `json:"grammar"`
	Measure string       `json:"measure"`
	Members []string     `json:"members,omitempty"`
	Off     []string     `json:"off"`
}

type savedGrammar struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
	Start  string `json:"start"`
}

// Save returns the configuration as a file (JSON) for [Load].
func (c *Config) Save() []byte {
	f := savedConfig{V: fileVersion, Name: c.Name(), Measure: c.s.o.Measure.String(), Off: c.off()}
	for _, s := range c.s.o.Coins.inside {
		f.Members = append(f.Members, s.name)
	}
	f.Grammar = savedGrammar{c.s.g.Name, c.s.g.SHA256, c.s.g.Start.Name}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return append(b, '\n')
}

func (c *Config) off() []string {
	off := []string{}
	for i, f := range c.s.features {
		if !c.set.in[i] {
			off = append(off, f.Name)
		}
	}
	return off
}

func (c *Config) digest() string {
	sum := sha256.Sum256([]byte(strings.Join(c.off(), "\n")))
	return hex.EncodeToString(sum[:])[:12]
}

// Load reads a configuration that [Config.Save] wrote, for the same grammar. It
// fails for another format or version, another grammar, and unknown features.
func Load(g *grammar.Grammar, data []byte) (*Config, error) {
	var f savedConfig
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("this is no saved swarm configuration: %w", err)
	}
	if f.V != fileVersion {
		return nil, fmt.Errorf("the configuration has version %d, not %d; make it anew", f.V, fileVersion)
	}
	if f.Grammar.Start != g.Start.Name || f.Grammar.SHA256 != g.SHA256 {
		return nil, fmt.Errorf("the configuration is for another grammar than %s from rule %s, or an older one (%s from %s); make it anew",
			g.Name, g.Start.Name, f.Grammar.Name, f.Grammar.Start)
	}
	o := Options{Coins: &Coins{}}
	if f.Measure == grammar.Exact.String() {
		o.Measure = grammar.Exact
	}
	for _, m := range f.Members {
		o.Coins.inside = append(o.Coins.inside, setting{name: m})
	}
	s, err := New(g, o)
	if err != nil {
		return nil, err
	}
	t := s.draw(nil)
	for _, name := range f.Off {
		i, ok := s.byName[name]
		if !ok {
			return nil, fmt.Errorf("the configuration leaves out %q, which the grammar does not have", name)
		}
		t.in[i] = false
	}
	c := s.config(t, 0)
	c.file = true
	return c, nil
}
