package agree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/records/record"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/sample"
	"github.com/gramfuzz/gramfuzz/stream"
)

// plans are ways of drawing; each is tried with each bound.
func (s *subject) plans() map[string]*stream.Plan {
	plans := map[string]*stream.Plan{
		"distinct": {Distinct: true}, "all alternatives": {All: true}, "2-paths": {KPath: 2}, "exact": {Measure: "exact"},
		"containing": {Containing: s.part()}, "texts": {Over: "texts", Tries: 300},
	}
	for _, name := range []string{"uniform", "balanced", "walk", "limit", "weighted", "boltzmann", stream.Mixed, stream.RandomWeights, "broad"} {
		plans[name] = &stream.Plan{Strategy: name}
	}
	for _, mode := range []string{"plain", "down", "both"} {
		plans["swarm "+mode] = &stream.Plan{Swarm: &stream.SwarmPlan{Mode: mode, Every: 2}}
		plans["swarm "+mode+" walk"] = &stream.Plan{Strategy: "walk", Swarm: &stream.SwarmPlan{Mode: mode, Every: 2}}
	}
	return plans
}

// part returns the name of an alternative or of a repetition of the start rule, "" where it has none.
func (s *subject) part() string {
	switch e := s.g.Start.Body; e.Op {
	case grammar.Choice:
		return s.g.Start.Name + "/1"
	case grammar.Rep:
		return s.g.Start.Name + "/*"
	}
	return ""
}

// bounds are small, of each kind. A grammar takes one for each plan.
func bounds() []count.Bound {
	return []count.Bound{{Depth: 3, Repeat: 2}, count.Sizes(0, 5, grammar.Terminals), count.Sizes(0, 7, grammar.Bytes), count.Sizes(2, 9, grammar.Nodes)}
}

// drawn: whatever a plan draws is a derivation that obeys, within the bound as tables measure it;
// a plan that cannot draw says so before it draws.
func drawn(ctx context.Context, s *subject) {
	plans, all := s.plans(), bounds()
	for i, name := range slices.Sorted(maps.Keys(plans)) {
		b := all[(int(s.number)+i)%len(all)]
		if name == "containing" && plans[name].Containing == "" || !strings.HasPrefix(s.only, fmt.Sprintf("%s, %v", name, b)) && s.only != "" {
			continue
		}
		s.draws(ctx, name, b, plans[name])
	}
}

func (s *subject) draws(ctx context.Context, name string, b count.Bound, plan *stream.Plan) {
	plan.Bound, plan.Seed = record.Bound(b), s.number
	s.asked[s.law]++
	if err := plan.Check(nil); err != nil {
		return // the table of what goes with what says so
	}
	if plan.Swarm != nil || plan.Strategy == stream.Mixed {
		if _, err := count.New(ctx, s.g, b, count.Options{}); errors.As(err, new(*count.EmptyError)) {
			return // 10,000 configurations are tried in vain, which takes long
		}
	}
	st, err := plan.Open(ctx, s.g, stream.Options{})
	if err != nil {
		s.refuse(err)
		s.empty(ctx, b, err)
		return
	}
	src := st.Source()
	for i := range uint64(6) {
		text, tree, err := stream.Draw(ctx, src, nil, i)
		if errors.Is(err, sample.ErrExhausted) {
			return
		}
		if err != nil {
			s.refusals[s.law+": while drawing: "+kind(err.Error())]++
			return
		}
		if string(text) != tree.Text() {
			s.fail("%s, %v: sentence %d is %q, its tree %q", name, b, i, text, tree.Text())
		}
		s.within(name, b, plan, tree)
	}
}

// within fails where a tree is not within a bound, or does not obey.
func (s *subject) within(name string, b count.Bound, plan *stream.Plan, tree *derive.Tree) {
	if s.names != nil {
		if err := s.names.Check(tree); err != nil {
			s.fail("%s, %v: %q: %v", name, b, tree.Text(), err)
		}
		if err := brute.Obeys(tree, nil); err != nil && !errors.Is(err, brute.ErrEarly) {
			s.fail("%s, %v: %q: %v", name, b, tree.Text(), err)
		}
	}
	if plan.Strategy == "limit" {
		return // its bound is where least derivations begin
	}
	measure := grammar.Structure
	if plan.Measure == "exact" || plan.Over == "texts" || s.g.Binary {
		measure = grammar.Exact
	}
	facts := gctx.Facts(s.g, s.names, nil, measure)
	if b.ByDepth() {
		if d := derive.Depth(tree, facts); d > b.Depth {
			s.fail("%s, %v: %q is of depth %d", name, b, tree.Text(), d)
		}
		return
	}
	if n := derive.Size(tree, facts, b.Unit); n > b.Max || n < b.Min && plan.Strategy != "walk" && plan.Strategy != "weighted" && plan.Strategy != "limit" && plan.Strategy != stream.RandomWeights && plan.Strategy != stream.Mixed && plan.Strategy != "broad" {
		s.fail("%s, %v: %q has %d %v", name, b, tree.Text(), n, b.Unit)
	}
}

// empty checks by brute force a refusal that says that nothing is within the bound.
func (s *subject) empty(ctx context.Context, b count.Bound, err error) {
	if none := new(count.EmptyError); !errors.As(err, &none) || b.ByDepth() {
		return
	}
	want := s.brute(ctx, b.Unit)
	if want == nil || b.Unit == grammar.Nodes && s.names != nil {
		return
	}
	for n := b.Min; n <= min(b.Max, want.limit); n++ {
		if len(want.trees[n]) > 0 && (b.Unit == grammar.Bytes || !s.lexical) {
			table, err := count.New(ctx, s.g, b, count.Options{})
			if err == nil && table.Total().Cmp(new(big.Int)) > 0 {
				return // the plan's own condition is met by none
			}
			s.fail("%v: %v, but there is %q", b, err, want.trees[n][0])
		}
	}
}
