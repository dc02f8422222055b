package count_test

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

func annotated(t testing.TB, name string) *grammar.Grammar {
	t.Helper()
	g, _, err := load.Source(name+".ebnf", []byte(brute.Annotated[name]), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestNamesAgainstBruteForce compares names in play with brute force: all derivations of the
// grammar without names are listed, and those that break a rule of names are dropped. The rest
// has the counted number for each size, and unranking gives exactly its texts.
func TestNamesAgainstBruteForce(t *testing.T) {
	for name := range brute.Annotated {
		g := annotated(t, name)
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			names, err := gctx.New(g, gctx.Options{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			pools := map[string][]string{}
			for _, ns := range (*scope.Names)(names).Namespaces() {
				if mode == gctx.Canonical {
					pools[ns.Name] = ns.Texts
				}
			}
			for _, unit := range []grammar.Unit{grammar.Terminals, grammar.Bytes} {
				if name == "xml" {
					continue // the sizes of its names differ; tested below
				}
				limit, most := 6, 2500
				if os.Getenv("GRAMFUZZ_LONG") != "" {
					limit, most = 7, 12_000
				}
				if strings.HasPrefix(name, "forward") || strings.HasPrefix(name, "shadow") { // these take longer
					most /= 4
				}
				l := &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: limit, Unit: unit, Most: most}
				all := l.List(g.Root, 30)
				for l.Overflow {
					limit--
					l = &brute.Lister{Facts: g.Facts(nil, grammar.Exact), Limit: limit, Unit: unit, Most: most}
					all = l.List(g.Root, 30)
				}
				want := make([][]string, limit+1)
				kept := map[string][]int64{} // by kind of names and size; the same in both modes
				if mode == gctx.Pool {
					kept[""] = make([]int64, limit+1)
					for _, ns := range (*scope.Names)(names).Namespaces() {
						kept[ns.Name] = make([]int64, limit+1)
					}
				}
				m := derive.NewMachine(g, derive.Options{})
				for _, d := range all {
					tree, err := m.Run(ctx, derive.Strict(d.Choices))
					if err != nil {
						t.Fatal(err)
					}
					n := sizeOf(tree, names, unit)
					if brute.Obeys(tree, pools) == nil {
						want[n] = append(want[n], d.Text)
					}
					for kind, numbers := range kept {
						if brute.Obeys(tree, nil, kind) == nil {
							numbers[n]++
						}
					}
				}
				compareKept(t, g, (*scope.Names)(names), unit, kept)
				if limit < 3 {
					t.Errorf("%s: only up to size %d", name, limit)
				}
				for n, texts := range want {
					compareTexts(t, g, mode, count.Size(n, unit), texts)
				}
			}
		}
	}
}

// compareKept compares the numbers of derivations of which only one kind of names is kept.
func compareKept(t *testing.T, g *grammar.Grammar, names *scope.Names, unit grammar.Unit, kept map[string][]int64) {
	t.Helper()
	for kind, want := range kept {
		p, err := scope.Program(g, names.Keeping(kind), nil, scope.Facts(g, names, nil, grammar.Structure), unit, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]int64, len(want))
		for n := range want {
			table, err := count.NewTable(ctx, (*count.Program)(p), count.Size(n, unit), count.Options{})
			if err == nil {
				got[n] = table.Total().Int64()
			} else if !errors.As(err, new(*count.EmptyError)) {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, names of %q kept, by size in %v: (-want +got)\n%s", g.Name, kind, unit, d)
		}
	}
}

// sizeOf returns the size that a tree without names has when its annotated elements are names.
func sizeOf(tree *derive.Tree, names *gctx.Names, unit grammar.Unit) int {
	size := 0
	for i := 0; i < len(tree.Nodes()); i++ {
		n := tree.Nodes()[i]
		if el := (*scope.Names)(names).At(n.Expr); el != nil && el.Kind != scope.None {
			if unit == grammar.Bytes {
				size += len(tree.SubText(i))
			} else {
				size++
			}
			i = n.End - 1
			continue
		}
		switch text := n.AppendText(nil); {
		case len(text) == 0:
		case unit == grammar.Bytes:
			size += len(text)
		default:
			size++
		}
	}
	return size
}

func compareTexts(t *testing.T, g *grammar.Grammar, mode gctx.Mode, b count.Bound, want []string) {
	t.Helper()
	table, err := count.New(ctx, g, b, count.Options{Names: gctx.Options{Mode: mode}})
	if empty := new(count.EmptyError); errors.As(err, &empty) {
		if len(want) > 0 {
			t.Errorf("%s, %v, %v: %v, listed %d", g.Name, mode, b, err, len(want))
		}
		return
	}
	if err != nil {
		t.Fatalf("%s, %v, %v: %v", g.Name, mode, b, err)
	}
	if table.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
		t.Errorf("%s, %v, %v: counted %v, listed %d", g.Name, mode, b, table.Total(), len(want))
		return
	}
	var got []string
	for i := range want {
		tree := rankAndBack(t, g, table, int64(i))
		got = append(got, tree.Text())
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s, %v, %v (-want +got)\n%s", g.Name, mode, b, diff)
	}
}

func rankAndBack(t *testing.T, g *grammar.Grammar, table *count.Table, i int64) *derive.Tree {
	t.Helper()
	rank := big.NewInt(i)
	tree, err := table.Unrank(rank)
	if err != nil {
		t.Fatalf("%s, %v: unrank %d: %v", g.Name, table.Bound(), i, err)
	}
	back, err := table.Rank(tree)
	if err != nil || back.Cmp(rank) != 0 {
		t.Fatalf("%s, %v: rank of unrank %d (%q) is %v, %v", g.Name, table.Bound(), i, tree.Text(), back, err)
	}
	return tree
}

// TestNamesAgainstMachine compares names in play, by depth and by nodes, with the machine: trying
// every value at every decision of a bounded machine gives exactly the counted derivations.
func TestNamesAgainstMachine(t *testing.T) {
	most := 200
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		most = 500
	}
	for name := range brute.Annotated {
		g := annotated(t, name)
		for _, mode := range []gctx.Mode{gctx.Pool, gctx.Canonical} {
			o := gctx.Options{Mode: mode, Pool: 2}
			for depth := 1; depth <= 4; depth++ {
				b := count.Bound{Depth: depth, Repeat: 2}
				want, overflow := everyChoice(t, g, o, b, most)
				if overflow {
					break
				}
				table, err := count.New(ctx, g, b, count.Options{Measure: grammar.Exact, Names: o})
				if empty := new(count.EmptyError); errors.As(err, &empty) && len(want) == 0 {
					continue
				}
				if err != nil {
					t.Fatalf("%s, %v: %v, listed %d", name, b, err, len(want))
				}
				if table.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
					t.Errorf("%s, %v, %v: counted %v, listed %d", name, mode, b, table.Total(), len(want))
					continue
				}
				for i := range len(want) {
					tree := rankAndBack(t, g, table, int64(i))
					if key := fmt.Sprint(tree.Choices()); !want[key] {
						t.Errorf("%s, %v, %v: rank %d is %s, which is not listed or came before", name, mode, b, i, key)
					} else {
						delete(want, key)
					}
				}
			}
		}
	}
}

// everyChoice lists the choice sequences within a depth by trying every value.
func everyChoice(t *testing.T, g *grammar.Grammar, o gctx.Options, b count.Bound, most int) (all map[string]bool, overflow bool) {
	t.Helper()
	names, err := gctx.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	facts := g.Facts(nil, grammar.Exact)
	m, err := gctx.Machine(g, names, derive.Options{Facts: facts, MaxDepth: b.Depth, Repeat: b.Repeat})
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]bool{}
	for tree, err := range brute.Runs(ctx, m) {
		if err != nil {
			t.Fatalf("%s, %v: %v", g.Name, b, err)
		}
		all[fmt.Sprint(tree.Choices())] = true
		if len(all) > most {
			return nil, true
		}
	}
	return all, false
}

// TestBoundToken compares a token bound to a name with the same token without one: both count the
// same.
func TestBoundToken(t *testing.T) {
	const rules = `e = "<" n%s ">" e* "</" n%s ">" | "<" n "/>" ;
@token n = [ab]+ ;`
	var counts [2][]string
	for i, notes := range [][2]any{{"", ""}, {" @bind(tag)", " @same(tag)"}} {
		g, _, err := load.Source("e.ebnf", []byte(fmt.Sprintf(rules, notes[0], notes[1])), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 20 {
			b := count.Size(n, grammar.Terminals)
			table, err := count.New(ctx, g, b, count.Options{})
			if empty := new(count.EmptyError); errors.As(err, &empty) {
				counts[i] = append(counts[i], "0")
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			counts[i] = append(counts[i], table.Total().String())
		}
	}
	if diff := cmp.Diff(counts[0], counts[1]); diff != "" {
		t.Errorf("without and with annotations (-, +):\n%s", diff)
	}
	want := []string{"1", "1", "1", "2", "4", "9"} // e3 = 1, e6 = 1, then sums over the lists in between
	for i, w := range want {
		if got := counts[1][3*(i+1)]; got != w {
			t.Errorf("size %d: %s sentences, want %s", 3*(i+1), got, w)
		}
	}
}
