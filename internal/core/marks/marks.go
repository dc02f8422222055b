// Package marks names the parts of a grammar that derivations take, and counts the derivations
// that have given parts.
//
//	parts := marks.Parts(g) // "stmt/0", "stmt/1", "expr/*", …
//	chains, err := marks.Parse(g, "stmt/1,expr/0<expr/0")
//	automaton, err := marks.New(g, chains) // for core.New, core.Join
//
// A part is an alternative of a choice or the body of a repetition. A chain is a list of parts
// that a derivation has one after the other, in the order in which their derivations begin
// (pre-order); each place of a derivation counts for one of them.
package marks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Part is an alternative or a body.
type Part struct {
	// Name is "rule/2" for alternative 2, from 0, of the rule's first choice, and "rule/1.2" for
	// alternative 2 of its choice 1, in the order written; "rule/*" and "rule/1.*" for bodies of
	// its repetitions.
	Name string

	Rule *grammar.Rule
	Expr *grammar.Expr // the part's derivations are those of Expr
}

// Parts returns the parts of a grammar in the order written. It costs time linear in
// the grammar.
func Parts(g *grammar.Grammar) []Part {
	var list []Part
	for _, r := range g.Rules {
		choices, bodies := 0, 0
		name := func(number *int, part string) string {
			which := ""
			if *number > 0 {
				which = strconv.Itoa(*number) + "."
			}
			*number++
			return r.Name + "/" + which + part
		}
		r.Body.Walk(func(e *grammar.Expr) {
			switch e.Op {
			case grammar.Choice:
				first := name(&choices, "")
				for i, child := range e.Children {
					list = append(list, Part{first + strconv.Itoa(i), r, child})
				}
			case grammar.Rep:
				list = append(list, Part{name(&bodies, "*"), r, e.Children[0]})
			}
		})
	}
	return list
}

// Chain is parts in order, at least one.
type Chain []*grammar.Expr

// Parse reads chains: "<" separates the parts of a chain, and "," chains.
func Parse(g *grammar.Grammar, s string) ([]Chain, error) {
	byName := map[string]*grammar.Expr{}
	var names []string
	for _, p := range Parts(g) {
		byName[p.Name] = p.Expr
		names = append(names, p.Name)
	}
	var chains []Chain
	for text := range strings.SplitSeq(s, ",") {
		var c Chain
		for name := range strings.SplitSeq(text, "<") {
			name = strings.TrimSpace(name)
			e := byName[name]
			if e == nil {
				return nil, fmt.Errorf("the grammar has no part %q%s", name, hint(name, names))
			}
			c = append(c, e)
		}
		chains = append(chains, c)
	}
	return chains, nil
}

func hint(name string, names []string) string {
	if like := words.Nearest(name, names); like != "" {
		return fmt.Sprintf("; did you mean %q?", like)
	}
	return `; alternatives are named as in "rule/0" and "rule/1.0", bodies of repetitions as in "rule/*"`
}

// Watch returns an automaton that refuses nothing, and whose state is the number of the chain's
// parts that the derivation has had. It acts at every part of the grammar, so that a program with
// it has separate nodes for each part and state: see [core.Program.WrapNodes].
func Watch(g *grammar.Grammar, chain Chain) (core.Automaton, error) {
	a := &automaton{chains: []Chain{chain}, at: map[*grammar.Expr]*core.Action{}}
	for _, p := range Parts(g) {
		a.at[p.Expr] = &core.Action{Wraps: []core.Wrap{{Kind: p.Expr.ID}}}
	}
	var err error
	a.space, err = core.NewSpace(core.State(len(chain) + 1))
	return &watching{a}, err
}

// watching accepts every derivation.
type watching struct{ *automaton }

func (watching) Accepting() func(core.State) bool { return nil }

// automaton has a component for each chain; the state is the number of its parts that the
// derivation has had.
type automaton struct {
	chains []Chain
	space  *core.Space
	at     map[*grammar.Expr]*core.Action
}

// New returns the automaton of the derivations that have all the chains. A chain of T parts takes
// T + 1 states. The error is core.ErrStates, or says that there are too many chains.
func New(chains []Chain) (core.Automaton, error) {
	if len(chains) > mostChains {
		return nil, fmt.Errorf("%d parts at once are more than the %d allowed", len(chains), mostChains)
	}
	a := &automaton{chains: chains, at: map[*grammar.Expr]*core.Action{}}
	var sizes []core.State
	for c, chain := range chains {
		sizes = append(sizes, core.State(len(chain)+1))
		seen := map[*grammar.Expr]bool{}
		for _, e := range chain {
			if seen[e] {
				continue
			}
			seen[e] = true
			if a.at[e] == nil {
				a.at[e] = &core.Action{}
			}
			// The kind of a wrap is the number of its expression.
			a.at[e].Wraps = append(a.at[e].Wraps, core.Wrap{Kind: e.ID, Component: c})
		}
	}
	var err error
	a.space, err = core.NewSpace(sizes...)
	return a, err
}

// mostChains bounds the chains, since each doubles the states.
const mostChains = 16

// Space implements [core.Automaton], as do the other exported methods.
func (a *automaton) Space() *core.Space { return a.space }

func (a *automaton) At(e *grammar.Expr) *core.Action { return a.at[e] }

func (a *automaton) Edges(*core.Action, core.State) []core.Edge { return nil }

// Enter counts a part if it is next in its chain.
func (a *automaton) Enter(w core.Wrap, before core.State) core.State {
	chain, had := a.chains[w.Component], int(a.space.Part(before, w.Component))
	if had < len(chain) && chain[had].ID == w.Kind {
		return a.space.With(before, w.Component, core.State(had+1))
	}
	return before
}

func (a *automaton) Leave(_ core.Wrap, _, end core.State) (core.State, bool) { return end, true }

// Accepting accepts the states in which all chains are complete.
func (a *automaton) Accepting() func(core.State) bool {
	return func(s core.State) bool {
		for c, chain := range a.chains {
			if int(a.space.Part(s, c)) < len(chain) {
				return false
			}
		}
		return true
	}
}
