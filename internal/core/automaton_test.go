package core_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

// uses is the automaton that counts the uses of one rule and accepts from least to most of them.
type uses struct {
	rule        *grammar.Rule
	least, most int
	space       *core.Space
}

func newUses(rule *grammar.Rule, least, most int) *uses {
	space, err := core.NewSpace(core.State(most + 1))
	if err != nil {
		panic(err)
	}
	return &uses{rule, least, most, space}
}

func (a *uses) Space() *core.Space { return a.space }

func (a *uses) At(e *grammar.Expr) *core.Action {
	if e.Op != grammar.Ref || e.Rule != a.rule {
		return nil
	}
	return &core.Action{Wraps: []core.Wrap{{}}}
}

func (a *uses) Edges(*core.Action, core.State) []core.Edge { return nil }

func (a *uses) Enter(_ core.Wrap, before core.State) core.State { return before }

func (a *uses) Leave(_ core.Wrap, _, end core.State) (core.State, bool) {
	return end + 1, end < core.State(a.most)
}

func (a *uses) Accepting() func(core.State) bool {
	return func(s core.State) bool { return s >= core.State(a.least) }
}

var usesTests = []struct {
	src  string
	uses []uses // all at once; their rules are looked up by name
	rule []string
}{
	{`e = e "+" t | t ; t = n | "(" e ")" ; n = "0" | "1" ;`, []uses{{most: 2}}, []string{"n"}},
	{`e = e "+" t | t ; t = n | "(" e ")" ; n = "0" | "1" ;`, []uses{{least: 2, most: 3}}, []string{"e"}},
	{`s = (a | b)* ; a = "x" b? ; b = "y" | "" ;`, []uses{{least: 1, most: 2}}, []string{"b"}},
	{`s = a{1,3} c ; a = "x" c | "" ; c = ("z" c)? ;`, []uses{{least: 2, most: 4}}, []string{"c"}},
	{`e = e "+" t | t ; t = n | "(" e ")" ; n = "0" | "1" ;`, []uses{{least: 1, most: 2}, {most: 3}}, []string{"n", "e"}},
	{`s = (a | b)* ; a = "x" b? ; b = "y" | "" ;`, []uses{{most: 2}, {least: 1, most: 2}}, []string{"a", "b"}},
}

// TestUses checks automata that core does not know, and products of them: derivations are
// counted, ranked, unranked and drawn as brute force finds them.
func TestUses(t *testing.T) {
	for _, test := range usesTests {
		g := load.MustString(test.src)
		facts := g.Facts(nil, grammar.Exact)
		var all []*uses
		var joined core.Automaton
		for i, u := range test.uses {
			all = append(all, newUses(g.Rule(test.rule[i]), u.least, u.most))
			if joined == nil {
				joined = all[i]
				continue
			}
			var err error
			if joined, err = core.Join(g, joined, all[i]); err != nil {
				t.Fatal(err)
			}
		}
		p, err := core.New(g, joined, facts, grammar.Terminals, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		const limit = 7
		table, err := core.NewTable(context.Background(), p, 0, limit, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := derive.NewMachine(g, derive.Options{})
		l := &brute.Lister{Facts: facts, Limit: limit, Unit: grammar.Terminals, Most: 100_000}
		left := map[int]int{} // the number of derivations by size
		for _, d := range l.List(g.Root, 30) {
			tree, err := m.Run(context.Background(), derive.Strict(d.Choices))
			if err != nil {
				t.Fatal(err)
			}
			step, rank, err := table.Rank(tree)
			kept := !slices.ContainsFunc(all, func(a *uses) bool { return !a.takes(tree) })
			if kept != (err == nil) {
				t.Fatalf("%s, %v: %q is taken: %v; ranked %v, %v", test.src, test.rule, tree.Text(), kept, rank, err)
			} else if !kept {
				continue
			}
			left[step]++
			if back := table.Unrank(p.Root, step, rank); !slices.Equal(back, tree.Choices()) {
				t.Fatalf("%s: %v has rank %v of size %d, which is %v", test.src, tree.Choices(), rank, step, back)
			}
		}
		total := int64(0)
		for n := range limit + 1 {
			if got := table.At(n).Int64(); got != int64(left[n]) {
				t.Errorf("%s, %v: %d of size %d, counted %d", test.src, test.rule, left[n], n, got)
			}
			total += table.At(n).Int64()
		}
		if total == 0 || table.Total().Int64() != total {
			t.Errorf("%s: %d derivations, counted %v", test.src, total, table.Total())
		}
		drawsUniformly(t, table)
	}
}

// takes counts the uses in a tree.
func (a *uses) takes(tree *derive.Tree) bool {
	n := 0
	for _, node := range tree.Nodes() {
		if node.Expr.Op == grammar.Ref && node.Expr.Rule == a.rule {
			n++
		}
	}
	return n >= a.least && n <= a.most
}

// drawsUniformly draws derivations of the largest occurring size by exact numbers, and tests
// their frequencies at 0.1 %.
func drawsUniformly(t *testing.T, table *core.Table) {
	t.Helper()
	_, size := table.Steps()
	for table.At(size).Sign() == 0 {
		size--
	}
	n := int(table.At(size).Int64())
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	var x core.Expansion[int]
	for range 50 * n {
		d := &drawing{table: table, rng: rng}
		if err := x.Run(table.Program(), table.Program().Root, size, d); err != nil {
			t.Fatal(err)
		}
		seen[string(d.choices)]++
	}
	counts := make([]int, 0, n)
	for _, c := range seen {
		counts = append(counts, c)
	}
	for len(counts) < n {
		counts = append(counts, 0)
	}
	if p := brute.ChiSquare(counts, brute.Even(n)); p < 0.001 || len(seen) > n {
		t.Errorf("%d derivations, %d drawn, p = %g", n, len(seen), p)
	}
}

// drawing is a picker of one derivation of a size, each equally likely.
type drawing struct {
	table   *core.Table
	rng     *rand.Rand
	choices []byte
}

func (d *drawing) Choose(v int) { d.choices = append(d.choices, byte(v)) }

func (d *drawing) Call(node *core.Node, n int) int { return d.table.Program().Back(node, n) }

func (d *drawing) Enter(_ core.NodeID, node *core.Node, n int) (bool, error) {
	if node.Op == core.Leaf && len(node.Ways) > 0 && node.Ways[0].N > 1 {
		d.Choose(d.rng.IntN(node.Ways[0].N))
	}
	return node.Op == core.Leaf, nil
}

func (d *drawing) Union(_ core.NodeID, node *core.Node, n int) (child, next int, err error) {
	return d.pick(len(node.Children), func(i int) *big.Int { return d.table.Count(node.Children[i], n) }), n, nil
}

func (d *drawing) Product(_ core.NodeID, node *core.Node, n int) (first, second int, err error) {
	c := node.Children
	k := d.pick(n+1, func(k int) *big.Int {
		return new(big.Int).Mul(d.table.Count(c[0], k), d.table.Count(c[1], n-k))
	})
	return k, n - k, nil
}

// pick draws one of n by weight.
func (d *drawing) pick(n int, weight func(int) *big.Int) int {
	total := int64(0)
	for i := range n {
		total += weight(i).Int64()
	}
	at := d.rng.Int64N(total)
	for i := range n {
		at -= weight(i).Int64()
		if at < 0 {
			return i
		}
	}
	panic("the weights are less than their sum")
}

// TestUsesBesideNames checks that names in play and a number of uses together accept the
// derivations of the names that have that many uses.
func TestUsesBesideNames(t *testing.T) {
	g := load.MustString(`start = s+ ; s = name @fresh(v) "=" e ";" @commit(v) | ("{" s* "}") @scope(v) ; e = "0" | name @use(v) ; name = [a-c] ;`)
	names, err := scope.New(g, false, 3)
	if err != nil {
		t.Fatal(err)
	}
	facts := scope.Facts(g, names, nil, grammar.Exact)
	states, err := names.Counted(false)
	if err != nil {
		t.Fatal(err)
	}
	few := newUses(g.Rule("s"), 2, 3)
	both, err := core.Join(g, states, few)
	if err != nil {
		t.Fatal(err)
	}
	tableOf := func(a core.Automaton) *core.Table {
		p, err := core.New(g, a, facts, grammar.Terminals, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		table, err := core.NewTable(context.Background(), p, 0, 12, nil)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	all, joined := tableOf(states), tableOf(both)
	for name, table := range map[string]*core.Table{"alone": all, "in a product": joined} {
		if scope.NamesOf(table.Program()) != names {
			t.Errorf("the names of the program are not found: %s", name)
		}
	}
	if found, ok := core.Find[*uses](both); !ok || found != few {
		t.Errorf("the second automaton of a product is not found")
	}
	if scope.NamesOf(tableOf(few).Program()) != nil {
		t.Errorf("a program without names has some")
	}
	m, err := scope.Machine(g, names, derive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for size := range 13 {
		want := int64(0)
		for rank := range all.At(size).Int64() {
			tree, err := m.Run(context.Background(), derive.Strict(all.Unrank(all.Program().Root, size, big.NewInt(rank))))
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = joined.Rank(tree)
			if few.takes(tree) != (err == nil) {
				t.Fatalf("%q: %v", tree.Text(), err)
			}
			if err == nil {
				want++
			}
		}
		if got := joined.At(size).Int64(); got != want {
			t.Errorf("size %d: %d of %v, counted %d", size, want, all.At(size), got)
		}
	}
	if joined.Total().Sign() == 0 || joined.Total().Cmp(all.Total()) == 0 {
		t.Errorf("%v of %v derivations: the test tells nothing", joined.Total(), all.Total())
	}
}

// TestSpace: states have their parts, whether these are bits or digits.
func TestSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, components := range []int{1, 9, 20, 35} { // 35 with 3 states each need 70 bits, and so digits
		sizes := slices.Repeat([]core.State{3}, components)
		sp, err := core.NewSpace(sizes...)
		if err != nil {
			t.Fatal(err)
		}
		draw := func() (s core.State, parts []core.State) {
			for c := range components {
				parts = append(parts, core.State(rng.IntN(3)))
				s = sp.With(s, c, parts[c])
			}
			return s, parts
		}
		for range 200 {
			s, ps := draw()
			u, pu := draw()
			set := rng.Uint64()
			only, merged := sp.Only(s, set), sp.Merge(s, u, set)
			for c := range components {
				wantOnly, wantMerged := core.State(0), ps[c]
				if set>>c&1 != 0 {
					wantOnly, wantMerged = ps[c], pu[c]
				}
				if sp.Part(s, c) != ps[c] || sp.Part(only, c) != wantOnly || sp.Part(merged, c) != wantMerged {
					t.Fatalf("%d components, set %b, component %d: %d %d %d", components, set, c, sp.Part(s, c), sp.Part(only, c), sp.Part(merged, c))
				}
			}
		}
	}
	if _, err := core.NewSpace(slices.Repeat([]core.State{3}, 64)...); err == nil {
		t.Error("3^64 states are numbered")
	}
}
