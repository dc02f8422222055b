package context

import (
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// Names holds the annotations of a grammar; nil stands for none. It is immutable and safe for
// concurrent use.
type Names scope.Names

func (n *Names) names() *scope.Names { return (*scope.Names)(n) }

// New reads the annotations of a frozen grammar. It returns nil if there are none (or they are
// off). The error is a [grammar.Diagnostics] with every annotation that cannot be kept. It
// takes time linear in the grammar, plus the time to find the first names of each namespace.
func New(g *grammar.Grammar, o Options) (*Names, error) {
	if o.Off {
		return nil, nil
	}
	if o.Pool == 0 {
		o.Pool = DefaultPool
	}
	if o.Pool < 0 || o.Pool > MaxPool {
		return nil, fmt.Errorf("a pool has 1 to %d names, not %d", MaxPool, o.Pool)
	}
	n, err := scope.New(g, o.Mode == Canonical, o.Pool)
	return (*Names)(n), err
}

// Facts returns the least depths and sizes of g if annotated elements are names of n, which
// may be nil.
func Facts(g *grammar.Grammar, n *Names, mask *grammar.Mask, measure grammar.Measure) *grammar.Facts {
	return scope.Facts(g, n.names(), mask, measure)
}

// Machine returns a machine whose derivations obey the annotations n, which may be nil. Hooks
// in the options replace those of n. Of the options' facts only the mask and the measure are
// used.
func Machine(g *grammar.Grammar, n *Names, o derive.Options) (*derive.Machine, error) {
	return scope.Machine(g, n.names(), o)
}

// NewMachine is [Machine] with the names of g's annotations and the default options.
func NewMachine(g *grammar.Grammar, o derive.Options) (*derive.Machine, error) {
	n, err := New(g, Options{})
	if err != nil {
		return nil, err
	}
	return Machine(g, n, o)
}

// Hooks returns hooks for one machine with the given options, and sets the options' facts.
// [Machine] does both.
func (n *Names) Hooks(o *derive.Options) (derive.Hooks, error) {
	h, err := n.names().Hooks(o)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// StatesError says that names in play have more states than can be counted: more than its
// Limit.
type StatesError = scope.StatesError
