package sample_test

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

func annotated(t testing.TB, name, src string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source(name+".ebnf", []byte(src), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func namesOf(t testing.TB, g *grammar.Grammar, o gctx.Options) *gctx.Names {
	t.Helper()
	names, err := gctx.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// pools returns the pools that give the order of canonical names.
func pools(names *gctx.Names, mode gctx.Mode) map[string][]string {
	if mode == gctx.Pool {
		return nil
	}
	out := map[string][]string{}
	for _, ns := range (*scope.Names)(names).Namespaces() {
		out[ns.Name] = ns.Texts
	}
	return out
}

// TestNamesUniform checks that with names every derivation is equally frequent: all ranks pass
// a chi-square test, for depth and size, at compiled slots or with hardly anything compiled.
func TestNamesUniform(t *testing.T) {
	seed := uint64(0)
	for _, name := range slices.Sorted(maps.Keys(brute.Annotated)) {
		g := annotated(t, name, brute.Annotated[name])
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			for _, b := range []count.Bound{count.Depth(3), count.Depth(4), count.Size(5, grammar.Terminals), count.Size(6, grammar.Terminals), count.Size(6, grammar.Bytes), count.Size(6, grammar.Nodes)} {
				o := sample.Options{Bound: b, Measure: grammar.Exact, Names: gctx.Options{Mode: mode, Pool: 3}, Seed: seed}
				seed++
				table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact, Names: o.Names})
				if err != nil || table.Total().Cmp(big.NewInt(200)) > 0 || table.Total().Cmp(big.NewInt(2)) < 0 {
					continue
				}
				n := int(table.Total().Int64())
				s, err := sample.New(ctx, g, o)
				if err != nil {
					t.Fatal(err)
				}
				counts := make([]int, n)
				src := s.Source()
				for i := range 20 * n {
					tree, err := src.Tree(ctx, uint64(i))
					if err != nil {
						t.Fatalf("%s, %v: %v", name, b, err)
					}
					rank, err := table.Rank(tree)
					if err != nil {
						t.Fatalf("%s, %v: %v", name, b, err)
					}
					counts[rank.Int64()]++
				}
				if p := brute.ChiSquare(counts, brute.Even(n)); p < alpha {
					t.Errorf("%s, %v, %v: p = %g", name, mode, b, p)
				}
			}
		}
	}
}

// TestNamesFacesAgree checks that every sentence obeys the annotations under every strategy,
// and that its text, choices and tree agree.
func TestNamesFacesAgree(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(brute.Annotated)) {
		if testing.Short() && (name == "xml" || name == "pending") { // the slow ones; see TestFacesAgree
			continue
		}
		g := annotated(t, name, brute.Annotated[name])
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			for _, b := range []count.Bound{{}, count.Depth(6), count.Sizes(0, 20, grammar.Bytes)} {
				for strategy := sample.Uniform; strategy <= sample.Boltzmann; strategy++ {
					n := uint64(12)
					if name == "lambdas" && b.Unit == grammar.Bytes {
						n = 2 // a walk takes thousands of tries
					}
					namesAgree(t, g, sample.Options{Bound: b, Strategy: strategy, Names: gctx.Options{Mode: mode}, Seed: 11}, n)
				}
			}
		}
	}
}

func namesAgree(t *testing.T, g *grammar.Grammar, o sample.Options, n uint64) {
	t.Helper()
	if o.Strategy == sample.Limit && !o.Bound.ByDepth() || o.Strategy == sample.Boltzmann && o.Bound.ByDepth() {
		return
	}
	s, err := sample.New(ctx, g, o)
	bound := new(scope.BoundTextError)
	empty := new(count.EmptyError)
	if errors.As(err, &bound) && o.Bound.Unit == grammar.Bytes || errors.As(err, &empty) {
		return
	}
	if err != nil {
		t.Errorf("%s, %+v: %v", g.Name, o, err)
		return
	}
	src, other := s.Source(), s.Source()
	texts, facts := pools(namesOf(t, g, o.Names), o.Names.Mode), g.Facts(nil, o.Measure)
	for i := range n {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Errorf("%s, %+v: sentence %d: %v", g.Name, o, i, err)
			return
		}
		if err := brute.Obeys(tree, texts); err != nil {
			t.Errorf("%s, %+v: sentence %d, %q: %v", g.Name, o, i, tree.Text(), err)
			return
		}
		text, err := other.Text(ctx, i)
		if err != nil || text != tree.Text() {
			t.Errorf("%s, %+v: sentence %d: text %q, tree %q, %v", g.Name, o, i, text, tree.Text(), err)
			return
		}
		if !sentenceAgrees(t, other, new(sample.Sentence), tree, facts, s.Bound().Unit, i) {
			t.Errorf("%s, %+v", g.Name, o)
			return
		}
	}
}

// TestShippedNamesObey checks that sentences of the shipped annotated grammars obey. With
// GRAMFUZZ_LONG it draws 3,000 of each; with GRAMFUZZ_LONG=all 100,000 as gen does, and fewer with
// other strategies and ways of naming.
func TestShippedNamesObey(t *testing.T) {
	n := uint64(20)
	switch os.Getenv("GRAMFUZZ_LONG") {
	case "":
	case "all":
		n = 100_000
	default:
		n = 3000
	}
	for _, name := range grammars.Names() {
		g := grammars.Must(name)
		names, err := gctx.New(g, gctx.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if names == nil {
			continue
		}
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			for strategy := sample.Uniform; strategy <= sample.Weighted; strategy++ {
				many := n
				switch {
				case strategy == sample.Walk && mode == gctx.Canonical, strategy > sample.Walk:
					many = min(n, 5000)
				case strategy == sample.Walk, mode == gctx.Canonical:
					many = min(n, 20_000)
				}
				namesAgree(t, g, sample.Options{Strategy: strategy, Names: gctx.Options{Mode: mode}, Seed: 3}, many)
			}
		}
	}
}

// TestTooManyStates checks that names are kept even if they cannot be counted, and that the
// sampler reports being uncertified.
func TestTooManyStates(t *testing.T) {
	var rules, uses strings.Builder
	for i := range 6 {
		fmt.Fprintf(&rules, " | \"d%d\" name @define(n%d) | \"u%d\" name @use(n%d)", i, i, i, i)
	}
	g := annotated(t, "many", "start = item+ ;\nitem = \";\""+rules.String()+uses.String()+" ;\nname = [a-z] ;")
	s, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(1, 40, grammar.Terminals)})
	if err != nil {
		t.Fatal(err)
	}
	if states := new(gctx.StatesError); !errors.As(s.Uncertified(), &states) {
		t.Errorf("uncertified: %v", s.Uncertified())
	}
	src := s.Source()
	for i := range uint64(200) {
		tree, err := src.Tree(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		if err := brute.Obeys(tree, nil); err != nil {
			t.Fatalf("%q: %v", tree.Text(), err)
		}
	}
	if _, err := sample.New(ctx, g, sample.Options{Bound: count.Sizes(1, 40, grammar.Terminals), Distinct: true}); err == nil {
		t.Error("distinct sentences of too many states")
	}
}

// TestMarkInLiterals checks that a text with the byte that marks names internally is
// unchanged.
func TestMarkInLiterals(t *testing.T) {
	g := annotated(t, "mark", `start = ("\xff" name @define(v) "\xff\xff" | "\xf5" name @use(v) | T | "\xf6\x00" | "é")+ ;
name = [ab] ;
@token T = "\xff\x00" | "\xff" ;`)
	namesAgree(t, g, sample.Options{Bound: count.Sizes(2, 40, grammar.Terminals), Seed: 1}, 300)
	namesAgree(t, g, sample.Options{Bound: count.Depth(3), Seed: 1}, 300)
}

// TestNamedWalkIsRejected checks that the uniformity test above rejects a walk.
func TestNamedWalkIsRejected(t *testing.T) {
	g := annotated(t, "scopes", brute.Annotated["scopes"])
	b := count.Depth(3)
	table, err := count.New(ctx, g, b, count.Options{Names: gctx.Options{Pool: 2}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sample.New(ctx, g, sample.Options{Bound: b, Strategy: sample.Walk, Names: gctx.Options{Pool: 2}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := int(table.Total().Int64())
	counts := make([]int, n)
	src := s.Source()
	for i := range 60 * n {
		choices, err := src.Choices(ctx, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		m, err := gctx.Machine(g, namesOf(t, g, gctx.Options{Pool: 2}), derive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := m.Run(ctx, derive.Strict(choices))
		if err != nil {
			t.Fatal(err)
		}
		rank, err := table.Rank(tree)
		if err != nil {
			t.Fatal(err)
		}
		counts[rank.Int64()]++
	}
	if p := brute.ChiSquare(counts, brute.Even(n)); p > alpha {
		t.Errorf("p = %g", p)
	}
}
