package sample

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/marks"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// stratified returns the distribution of a stratum's sentences: each size in which the chain
// occurs is equally likely, and within a size each derivation that has the chain.
func stratified(all []listed, chain []*grammar.Expr, spread Spread) (derivations []string, p []float64) {
	bySize := map[int]int{}
	total := 0
	var has []listed
	for _, d := range all {
		if brute.Has(d.parts, chain...) {
			has = append(has, d)
			bySize[d.step]++
			total++
		}
	}
	for _, d := range has {
		derivations = append(derivations, d.choices)
		if spread == ByCount {
			p = append(p, 1/float64(total))
		} else {
			p = append(p, 1/float64(len(bySize))/float64(bySize[d.step]))
		}
	}
	return derivations, p
}

var balancedBounds = []struct {
	bound  count.Bound
	spread Spread
}{
	{count.Sizes(0, 5, grammar.Terminals), Even},
	{count.Sizes(0, 4, grammar.Bytes), ByCount},
	{count.Sizes(0, 7, grammar.Nodes), Even},
	{count.Bound{Depth: 3, Repeat: 2}, Even},
}

// TestBalancedIsExact compares every stratum of small grammars with a filter over all
// derivations: by chi-square, at 0.001 divided by the number of tests.
func TestBalancedIsExact(t *testing.T) {
	var tests, uncorrected [maxStrength + 1]int
	for src, g := range smallGrammars() {
		for _, bb := range balancedBounds {
			all := listAll(t, g, bb.bound, 150)
			if len(all) == 0 {
				continue
			}
			for strength := 1; strength <= maxStrength; strength++ {
				o := Options{Bound: bb.bound, Spread: bb.spread, Strategy: Balanced, Strength: strength, Measure: grammar.Exact, Seed: 7}
				n, biased := strataAreExact(t, src, g, o, all)
				tests[strength] += n
				uncorrected[strength] += biased
			}
		}
	}
	t.Logf("strata tested, by strength: %v; without the correction %v fail", tests[1:], uncorrected[1:])
	for strength, least := range map[int]int{1: 8, 2: 5} {
		if tests[strength] < 150 || uncorrected[strength] < least {
			t.Errorf("strength %d: %d strata tested, %d of them fail without the correction", strength, tests[strength], uncorrected[strength])
		}
	}
}

func strataAreExact(t *testing.T, src string, g *grammar.Grammar, o Options, all []listed) (tests, biased int) {
	t.Helper()
	s, err := New(t.Context(), g, o)
	if err != nil {
		t.Fatalf("%s, %v: %v", src, o.Bound, err)
	}
	b := s.draw.(*balanced)
	src1 := &balancedSource{b: b}
	var rec fastdraw.Recording
	n := uint64(len(b.turn))
	if b.turn[0].part.Expr == nil {
		return 0, 0
	}
	// Strength 1: every part of some derivation is there.
	if o.Strength == 1 {
		for _, part := range marks.Parts(g) {
			want, _ := stratified(all, []*grammar.Expr{part.Expr}, o.Spread)
			is := slices.ContainsFunc(b.turn, func(st stratum) bool { return st.part.Expr == part.Expr })
			if is != (len(want) > 0) {
				t.Errorf("%s, %v: %d derivations have %s, which has a turn: %v", src, o.Bound, len(want), part.Name, is)
			}
		}
	}
	const draws = 12
	seen := map[string]bool{}
	for i := range 3 * n {
		turn, err := b.at(t.Context(), i)
		if err != nil {
			if want, _ := stratified(all, nil, o.Spread); o.Strength > 1 && len(want) > 0 {
				return tests, biased // no derivation has so many parts
			}
			t.Fatal(err)
		}
		p, st := turn.p, turn.stratum
		chain := append(slices.Clone(p.chain), st.part.Expr)
		key := fmt.Sprint(chain)
		want, expect := stratified(all, chain, o.Spread)
		if seen[key] || len(want) < 2 {
			continue
		}
		seen[key] = true
		tests++
		check := func(draw func(i uint64) (string, bool)) float64 {
			counts := make([]int, len(want))
			for j := range uint64(draws * len(want)) {
				got, ok := draw(j)
				if !ok {
					continue
				}
				at := slices.Index(want, got)
				if at < 0 {
					t.Fatalf("%s, %v: %s has not all parts of the stratum %v", src, o.Bound, got, st.part.Name)
				}
				counts[at]++
			}
			return brute.ChiSquare(counts, expect)
		}
		chi := check(func(j uint64) (string, bool) {
			rec.Reset()
			if _, _, err := src1.drawn(t.Context(), nil, &rec, turn, j); err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(rec.AppendChoices(nil)), true
		})
		if chi < 1e-3/3000 {
			t.Errorf("%s, %v, %d parts up to %s: p = %g over %d derivations", src, o.Bound, len(chain), st.part.Name, chi, len(want))
		}
		// Take a marked place, however many there are.
		chi = check(func(j uint64) (string, bool) {
			d := &src1.pointed
			d.begin(t.Context(), p, o.Seed, j)
			at := len(st.steps)
			if o.Spread == Even {
				at = d.r.Bits.Intn(at)
			}
			from, err := d.marked(st, at)
			if err != nil {
				t.Fatal(err)
			}
			for {
				if _, _, err := d.try(nil, &rec, st, from); err != nil {
					t.Fatal(err)
				}
				if d.met > 0 {
					return fmt.Sprint(rec.AppendChoices(nil)), true
				}
			}
		})
		if chi < 1e-3/3000 {
			biased++
		}
	}
	return tests, biased
}

// TestBalancedReachesAll checks that every part has occurred after as many sentences as there
// are strata.
func TestBalancedReachesAll(t *testing.T) {
	for _, src := range brute.Small {
		g := load.MustString(src)
		s, err := New(t.Context(), g, Options{Bound: count.Sizes(0, 30, grammar.Terminals), Strategy: Balanced, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		b := s.draw.(*balanced)
		had := map[*grammar.Expr]bool{}
		c := s.Source()
		for i := range b.turn {
			tree, err := c.Tree(t.Context(), uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range brute.Parts(tree) {
				had[e] = true
			}
		}
		for _, p := range marks.Parts(g) {
			if !had[p.Expr] {
				t.Errorf("%s: no sentence has %s", src, p.Name)
			}
		}
	}
}

// TestBalancedWithNames checks that a stratum's sentences are equally likely with names too,
// compared with the derivations that count lists.
func TestBalancedWithNames(t *testing.T) {
	g := load.MustString(`program = stmt+ ; stmt = "let " name@define(v) "=" value ";" | "print " value ";" ; value = name@use(v) | "0" ; name = [a-c] ;`)
	b := count.Sizes(6, 8, grammar.Terminals)
	names := gctx.Options{Pool: 2}
	s, err := New(t.Context(), g, Options{Bound: b, Strategy: Balanced, Names: names, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	d := s.draw.(*balanced)
	c := s.Source()
	for i, st := range d.turn {
		at := map[string]int{}
		var p []float64
		for _, n := range st.steps {
			table, err := count.New(t.Context(), g, count.Size(n, b.Unit), count.Options{Names: names, Containing: st.part.Name})
			if err != nil {
				t.Fatal(err)
			}
			for r := range table.Total().Int64() {
				tree, err := table.Unrank(big.NewInt(r))
				if err != nil {
					t.Fatal(err)
				}
				at[fmt.Sprint(tree.Choices())] = len(p)
				p = append(p, 1/float64(len(st.steps))/float64(table.Total().Int64()))
			}
		}
		counts := make([]int, len(p))
		for j := range 30 * len(p) {
			tree, err := c.Tree(t.Context(), uint64(i+j*len(d.turn)))
			if err != nil {
				t.Fatal(err)
			}
			k, ok := at[fmt.Sprint(tree.Choices())]
			if !ok {
				t.Fatalf("%q has no %s, or has a name that is not defined", tree.Text(), st.part.Name)
			}
			counts[k]++
		}
		if chi := brute.ChiSquare(counts, p); chi < 1e-4 {
			t.Errorf("%s: p = %g over %d derivations", st.part.Name, chi, len(p))
		}
	}
}

func TestBalancedRefuses(t *testing.T) {
	g := load.MustString(`t = "x" | "(" t t ")" ;`)
	var none *count.EmptyError
	if _, err := New(t.Context(), g, Options{Strategy: Balanced, Bound: count.Size(2, grammar.Terminals)}); !errors.As(err, &none) {
		t.Errorf("a size without a sentence: %v", err)
	}
	if _, err := New(t.Context(), g, Options{Strategy: Balanced, Strength: 4}); err == nil {
		t.Error("strength 4 is taken")
	}
	s, err := New(t.Context(), g, Options{Strategy: Balanced, Strength: 3, Bound: count.Size(1, grammar.Terminals)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Source().Text(t.Context(), 0); err == nil {
		t.Error("three parts in a sentence of one terminal")
	}
}

// unread are grammars with parts that their lexers never read. Inside brackets, kotlin's lexer
// hides the line breaks that its syntax rules require. In xsd-regex, an escape required
// between brackets is another token there (charOrEsc/1).
var unread = map[string]int{"kotlin/kotlin-formal": 53, "xsd-regex": 1}

// TestBalancedReachesAllReal is the same on real grammars, except for parts that their lexers
// never read: on every fourth, and on all with GRAMFUZZ_LONG.
func TestBalancedReachesAllReal(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	list, err := os.ReadFile(filepath.Join(data, "grammars", "dev.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	row, tried, drawn := 0, 0, 0
	for line := range strings.Lines(string(list)) {
		f := strings.Split(line, "\t")
		row++
		if f[1] == "path" || os.Getenv("GRAMFUZZ_LONG") == "" && row%4 != 0 {
			continue
		}
		tried++
		g, _, err := load.File(filepath.Join(data, "grammars", "dev", f[1]), load.Options{Start: f[2]})
		if err != nil {
			t.Errorf("%s: %v", f[1], err)
			continue
		}
		s, err := New(t.Context(), g, Options{Strategy: Balanced, Seed: 3, MaxMemory: 1 << 30})
		if err != nil {
			t.Errorf("%s: %v", f[1], err)
			continue
		}
		had := map[*grammar.Expr]bool{}
		c := s.Source()
		for i := range s.balanced.turn {
			tree, err := c.Tree(t.Context(), uint64(i))
			if err != nil {
				t.Errorf("%s: %v", f[1], err)
				continue
			}
			drawn++
			for _, e := range brute.Parts(tree) {
				had[e] = true
			}
		}
		var missing []string
		for _, st := range s.balanced.turn {
			if !had[st.part.Expr] {
				missing = append(missing, st.part.Name)
			}
		}
		if len(missing) > unread[f[1]] {
			t.Errorf("%s: no sentence has %v", f[1], missing)
		}
	}
	t.Logf("%d grammars, %d sentences", tried, drawn)
	if tried < 6 {
		t.Errorf("%d grammars", tried)
	}
}

// TestBalancedOfGreatNumbers checks numbers beyond float64. A derivation of this depth has a
// part at hundreds of places, so marked ones would hardly ever be accepted.
func TestBalancedOfGreatNumbers(t *testing.T) {
	g := load.MustString(`t = "x" | "(" t t ")" ;`)
	s, err := New(t.Context(), g, Options{Bound: count.Depth(13), Strategy: Balanced, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := s.draw.(*balanced)
	if bits := b.first.nums.table.Total().BitLen(); bits < 1100 {
		t.Fatalf("numbers of %d bits", bits)
	}
	c := &balancedSource{b: b}
	for i, st := range b.turn {
		c.pointed.begin(t.Context(), b.first, 1, uint64(i))
		from, err := c.pointed.marked(st, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, taken, err := c.pointed.try(nil, nil, st, from); !taken || err != nil {
			t.Errorf("%s: not taken at the first try, in which it has %d places; %v", st.part.Name, c.pointed.met, err)
		}
	}
}

// TestRowsBeginWithPartsUnseen checks that the first sentences of a row ask for parts that no
// earlier one has. They are the same in any order, and each can be drawn alone.
func TestRowsBeginWithPartsUnseen(t *testing.T) {
	sources := []string{
		`v = "[" (v ("," v)*)? "]" | "{" (p ("," p)*)? "}" | "0" | "-" v ; p = "k" ":" v | v "=" v? ;`,
		`s = a b c ; a = "x" | "y" ; b = "0" | "1" | "2" "2"? ; c = "." | "!" ;`, // after c nothing comes
	}
	for _, src := range sources {
		g := load.MustString(src)
		for strength := 2; strength <= maxStrength; strength++ {
			o := Options{Bound: count.Sizes(0, 12, grammar.Terminals), Strategy: Balanced, Strength: strength, Seed: 4}
			s, err := New(t.Context(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			c := s.Source()
			n := s.balanced.start[len(s.balanced.turn)]
			texts := make([]string, n)
			type sentence struct {
				assignment
				parts []*grammar.Expr
			}
			rows := map[string][]sentence{}
			for i := range n {
				a, err := s.balanced.at(t.Context(), i)
				if err != nil {
					t.Fatal(err)
				}
				tree, err := c.Tree(t.Context(), i)
				if err != nil {
					t.Fatal(err)
				}
				texts[i] = tree.Text()
				key := fmt.Sprint(a.row.p.chain)
				rows[key] = append(rows[key], sentence{a, brute.Parts(tree)})
			}
			fresh := 0
			for _, row := range rows {
				slices.SortFunc(row, func(x, y sentence) int { return int(x.place) - int(y.place) })
				for k, x := range row {
					seen := func(st stratum) bool {
						chain := append(slices.Clone(x.row.p.chain), st.part.Expr)
						return slices.ContainsFunc(row[:k], func(y sentence) bool { return brute.Has(y.parts, chain...) })
					}
					switch all := !slices.ContainsFunc(x.row.strata, func(st stratum) bool { return !seen(st) }); {
					case x.place != uint64(k):
						t.Errorf("%s, strength %d: place %d of a row is at %d", src, strength, x.place, k)
					case !seen(x.stratum):
						fresh++
					case !all:
						t.Errorf("%s, strength %d: place %d of a row has its turn for %s, which an earlier sentence has", src, strength, k, x.stratum.part.Name)
					}
				}
			}
			if fresh < len(rows) {
				t.Errorf("%s, strength %d: %d sentences of %d rows have a part of their own", src, strength, fresh, len(rows))
			}
			for _, i := range []uint64{n - 1, 17, 9, n / 2} {
				alone, err := New(t.Context(), g, o)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := alone.Source().Text(t.Context(), i); got != texts[i] || err != nil {
					t.Errorf("%s, strength %d: sentence %d alone is %q (%v), after the others %q", src, strength, i, got, err, texts[i])
				}
			}
		}
	}
}

// TestRowsOfSeldomPartsAreLonger checks that parts that are rare in plain derivations get more
// of the first sentences, with at most ten per part in all.
func TestRowsOfSeldomPartsAreLonger(t *testing.T) {
	g := load.MustString(`s = v+ ; v = [a-z] [a-z] [a-z] | "!" w "!" | "?" ; w = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" ;`)
	s, err := New(t.Context(), g, Options{Strategy: Balanced, Strength: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := s.balanced
	begins := map[string]uint64{}
	for k, st := range b.turn {
		begins[st.part.Name] = b.begins(uint64(k))
	}
	want := map[string]uint64{"s/*": 1, "v/0": 1, "v/1": 12, "v/2": 1}
	for d := range 10 {
		want[fmt.Sprint("w/", d)] = 12
	}
	if diff := cmp.Diff(want, begins); diff != "" {
		t.Errorf("first sentences of rows, -want +got:\n%s", diff)
	}
	if n := uint64(len(b.turn)); b.start[n] > firstOfRow*n {
		t.Errorf("%d first sentences of %d rows", b.start[n], n)
	}
}

// TestPairsWithoutText checks that the turn of a pair without a readable text goes to others.
// Few texts of this grammar are read as they were made.
func TestPairsWithoutText(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	g, _, err := load.File(filepath.Join(data, "grammars", "dev", "semver"), load.Options{Start: "semver"})
	if err != nil {
		t.Fatal(err)
	}
	redrawn := 0
	s, err := New(t.Context(), g, Options{Strategy: Balanced, Strength: 2, Seed: 1, Redrawn: func() { redrawn++ }})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Source()
	for i := range uint64(120) {
		if _, err := c.Text(t.Context(), i); err != nil {
			t.Errorf("after %d derivations without a text: %v", redrawn, err)
		}
	}
	if redrawn < samePairs {
		t.Errorf("%d derivations without a text are too few for this test", redrawn)
	}
}
