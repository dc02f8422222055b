package count_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// asks is a demand for parts, and the same as a predicate on the parts of a derivation.
type asks struct {
	containing string
	answer     func(list []*grammar.Expr) bool
}

// questions returns a demand for each part, and for pairs in both ways.
func questions(g *grammar.Grammar) []asks {
	var list []asks
	parts := marks.Parts(g)
	for i, p := range parts {
		list = append(list, asks{p.Name, func(l []*grammar.Expr) bool { return brute.Has(l, p.Expr) }})
		for _, q := range parts[i:] {
			list = append(list,
				asks{p.Name + "<" + q.Name, func(l []*grammar.Expr) bool { return brute.Has(l, p.Expr, q.Expr) }},
				asks{q.Name + "," + p.Name, func(l []*grammar.Expr) bool { return brute.Has(l, p.Expr) && brute.Has(l, q.Expr) }},
				asks{q.Name + "<" + p.Name + "<" + q.Name, func(l []*grammar.Expr) bool { return brute.Has(l, q.Expr, p.Expr, q.Expr) }})
		}
	}
	return list
}

// TestContainingAgainstBruteForce compares counting, ranking and unranking of derivations with
// parts with a filter over all derivations, by size and by depth.
func TestContainingAgainstBruteForce(t *testing.T) {
	for _, src := range brute.Small {
		t.Run(src, func(t *testing.T) {
			g := load.MustString(src)
			facts := g.Facts(nil, grammar.Exact)
			m := derive.NewMachine(g, derive.Options{})
			const limit = 5
			sized := &brute.Lister{Facts: facts, Limit: limit, Unit: grammar.Terminals, Most: 300}
			deep := &brute.Lister{Facts: facts, Repeat: 2, Most: 300}
			bySize, byDepth := sized.List(g.Root, 40), deep.List(g.Root, 3)
			for _, q := range questions(g) {
				if !sized.Overflow {
					asked(t, g, m, q, count.Sizes(0, limit, grammar.Terminals), bySize)
				}
				if !deep.Overflow {
					asked(t, g, m, q, count.Bound{Depth: 3, Repeat: 2}, byDepth)
				}
			}
		})
	}
}

func asked(t *testing.T, g *grammar.Grammar, m *derive.Machine, q asks, b count.Bound, all []brute.Derivation) {
	t.Helper()
	var want []string
	for _, d := range all {
		tree, err := m.Run(t.Context(), derive.Strict(d.Choices))
		if err != nil {
			t.Fatal(err)
		}
		if q.answer(brute.Parts(tree)) {
			want = append(want, fmt.Sprint(d.Choices))
		}
	}
	table, err := count.New(t.Context(), g, b, count.Options{Measure: grammar.Exact, Containing: q.containing})
	if none := new(count.EmptyError); errors.As(err, &none) && len(want) == 0 {
		return
	}
	if err != nil {
		t.Fatalf("%s, %v: %v", q.containing, b, err)
	}
	var got []string
	for i := range table.Total().Int64() {
		tree, err := table.Unrank(big.NewInt(i))
		if err != nil {
			t.Fatal(err)
		}
		rank, err := table.Rank(tree)
		if err != nil || rank.Int64() != i {
			t.Fatalf("%s, %v: derivation %d has rank %v, %v", q.containing, b, i, rank, err)
		}
		got = append(got, fmt.Sprint(tree.Choices()))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s, %v (-listed +counted)\n%s", q.containing, b, diff)
	}
}

// TestContainingCatalan counts binary trees of sizes 1 to 13 that are more than a leaf: 1 + 2 + 5
// + 14, the Catalan numbers (OEIS A000108).
func TestContainingCatalan(t *testing.T) {
	table, err := count.New(t.Context(), load.MustString(`t = "x" | "(" t t ")" ;`), count.Sizes(1, 13, grammar.Terminals), count.Options{Containing: "t/1"})
	if err != nil || table.Total().Int64() != 22 {
		t.Errorf("%v, %v; want 22", table.Total(), err)
	}
}

// TestContainingWithNames counts the derivations with parts of a grammar with names in play. They
// are those of a plain table that have the parts.
func TestContainingWithNames(t *testing.T) {
	g := load.MustString(`program = stmt+ ; stmt = "let " name@define(v) "=" value ";" | "print " value ";" ; value = name@use(v) | "0" ; name = [a-c] ;`)
	b := count.Sizes(1, 14, grammar.Terminals)
	names := gctx.Options{Pool: 2}
	all, err := count.New(t.Context(), g, b, count.Options{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, q := range questions(g)[:40] {
		some, err := count.New(t.Context(), g, b, count.Options{Names: names, Containing: q.containing})
		if none := new(count.EmptyError); err != nil && !errors.As(err, &none) {
			t.Fatal(err)
		}
		kept := int64(0)
		for i := range all.Total().Int64() {
			if all.Total().Int64() > 1000 && rng.IntN(int(all.Total().Int64()/1000)) != 0 {
				continue
			}
			tree, err := all.Unrank(big.NewInt(i))
			if err != nil {
				t.Fatal(err)
			}
			if !q.answer(brute.Parts(tree)) {
				if some != nil {
					if rank, err := some.Rank(tree); err == nil {
						t.Fatalf("%s: %q, which has not all of it, has rank %v", q.containing, tree.Text(), rank)
					}
				}
				continue
			}
			kept++
			rank, err := some.Rank(tree)
			if err != nil {
				t.Fatalf("%s: %q: %v", q.containing, tree.Text(), err)
			}
			if back, err := some.Unrank(rank); err != nil || back.Text() != tree.Text() {
				t.Fatalf("%s: rank %v of %q is %q, %v", q.containing, rank, tree.Text(), back.Text(), err)
			}
		}
		if kept > 0 && some.Total().Cmp(all.Total()) > 0 {
			t.Errorf("%s: %v of %v", q.containing, some.Total(), all.Total())
		}
	}
}

func TestContainingErrors(t *testing.T) {
	g := load.MustString(`t = "x" | "(" t t ")" ;`)
	for _, tt := range []struct{ containing, want string }{
		{"t/3", `the grammar has no part "t/3"; did you mean "t/0"?`},
		{"t/0,", `the grammar has no part ""; alternatives are named as in "rule/0" and "rule/1.0", bodies of repetitions as in "rule/*"`},
		{"t/0<<t/1", `the grammar has no part ""; alternatives are named as in "rule/0" and "rule/1.0", bodies of repetitions as in "rule/*"`},
		{"t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0,t/0", "17 parts at once are more than the 16 allowed"},
	} {
		_, err := count.New(t.Context(), g, count.Size(5, grammar.Terminals), count.Options{Containing: tt.containing})
		if got := fmt.Sprint(err); got != tt.want {
			t.Errorf("%q: %v, want %s", tt.containing, err, tt.want)
		}
	}
}
