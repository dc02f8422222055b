package swarm

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Options controls [New]. The zero value is mode Off.
type Options struct {
	Mode    Mode
	Coins   *Coins          // the probability of each feature; nil is ½ each
	Measure grammar.Measure // Exact adds features for the alternatives inside tokens
}

// Swarm makes configurations of one grammar. It is immutable and safe for
// concurrent use.
type Swarm struct {
	g        *grammar.Grammar
	o        Options
	features []*Feature
	nodes    []node
	start    int // the node of the start rule
	byName   map[string]int
}

// New finds the features of a frozen grammar, in time linear in the grammar. It
// fails for a coin of an unknown feature, and for a start rule that derives
// nothing, or nothing without the features that the coins forbid.
func New(g *grammar.Grammar, o Options) (*Swarm, error) {
	s := &Swarm{g: g, o: o, byName: map[string]int{}}
	if s.o.Coins == nil {
		s.o.Coins = &Coins{}
	}
	if err := s.build(); err != nil {
		return nil, err
	}
	for i, f := range s.features {
		s.byName[f.Name] = i
	}
	if err := s.setCoins(); err != nil {
		return nil, err
	}
	s.link()
	all := s.none()
	for i, f := range s.features {
		all.in[i] = !f.coin.never()
	}
	if !all.live()[s.start] {
		return nil, fmt.Errorf("rule %s derives nothing without what is set to never", g.Start.Name)
	}
	return s, nil
}

// link lists at each node the features that completion may add as its producers
// and as its consumers.
func (s *Swarm) link() {
	for i, f := range s.features {
		if f.coin.never() {
			continue
		}
		for _, u := range f.consumes {
			switch {
			case u.node != f.produces:
				s.nodes[u.node].consumers = append(s.nodes[u.node].consumers, i)
			case u.needed:
				f.self = true
			}
		}
		if !f.self {
			s.nodes[f.produces].producers = append(s.nodes[f.produces].producers, i)
		}
	}
}

// Grammar returns the full grammar.
func (s *Swarm) Grammar() *grammar.Grammar { return s.g }

// Mode returns the mode of the configurations.
func (s *Swarm) Mode() Mode { return s.o.Mode }

// Features returns every feature, in the order of the grammar. The caller must
// not change them.
func (s *Swarm) Features() []*Feature { return s.features }
