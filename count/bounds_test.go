package count_test

import (
	"errors"
	"math/big"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/load"
)

// TestFloatsAreWithinTheirBounds compares every number of every node with the exact one.
func TestFloatsAreWithinTheirBounds(t *testing.T) {
	type test struct {
		name, text string
		unit       grammar.Unit
		most       int
		measure    grammar.Measure
		unknown    bool // no number is known
	}
	tests := []test{
		{name: "products of itself", text: `s = s s | s s s | "x" ;`, most: 150},
		{name: "parts that may be empty", text: `s = o "s" s o t? | "y" ; t = o s t | "t" o ; o = "a"? ;`, most: 100},
		{name: "parts in a circle", text: `a = "x" b | b c ; b = c a | "y" ; c = a b | "z" c | "c" ;`, most: 100},
		{name: "repetitions", text: `s = t+ | "(" s* ")" ; t = "a"{2,5} | [0-9]{3} ;`, most: 60, unit: grammar.Bytes},
		{name: "nodes", text: `s = "(" s s ")" | t* ; t = "a" | "b" t ;`, most: 90, unit: grammar.Nodes},
		{name: "terminals of many sizes", text: `s = [a-zä-ü一-丁] s | "long literal of more than sixteen bytes, and more than thirty-two" s s | "é" ;`, most: 200, unit: grammar.Bytes},
		{name: "growth that begins late", text: `s = "x" s | b ; b = "y"{300} c ; c = ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9") c | "z" ;`, most: 700},
		{name: "numbers that no scale keeps", text: `s = "x" o{1100} s | "y" ; o = e | f ; e = "" ; f = "" ;`, most: 3, unknown: true},
	}
	for _, name := range grammars.Names() {
		tests = append(tests, test{name: name, most: 40}, test{name: name, most: 40, unit: grammar.Bytes, measure: grammar.Exact})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var g *grammar.Grammar
			if tt.text == "" {
				g = grammars.Must(tt.name)
			} else {
				var err error
				if g, _, err = load.Source("s.ebnf", []byte(tt.text), load.Options{}); err != nil {
					t.Fatal(err)
				}
			}
			o := count.Options{Measure: tt.measure}
			table, err := count.New(t.Context(), g, count.Sizes(0, tt.most, tt.unit), o)
			if err != nil {
				t.Fatal(err)
			}
			f, err := core.NewFloats(t.Context(), (*core.Table)(table).Program(), tt.most, nil)
			if err != nil {
				t.Fatal(err)
			}
			d, err := core.NewDoubles(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			known, worst := checkBounds(t, (*core.Table)(table), f, d)
			t.Logf("scale %.3g; %d numbers known, at most %.2f of the bound off", f.Scale, known, worst)
			if (known == 0) != tt.unknown {
				t.Errorf("%d numbers are known", known)
			}
		})
	}
}

// checkBounds compares all numbers with exact ones. It returns how many are known, and the
// largest error as a share of its bound.
func checkBounds(t *testing.T, table *core.Table, f *core.Floats, d *core.Doubles) (known int, worst float64) {
	t.Helper()
	power := new(big.Float).SetPrec(precision).SetInt64(1)
	scale := new(big.Float).SetPrec(precision).SetFloat64(f.Scale)
	for n := 0; n <= f.Max; n++ {
		for i := range table.Program().Nodes {
			id := core.NodeID(i)
			exact := table.Count(id, n)
			if f.Has(id, n) != (exact.Sign() > 0) {
				t.Fatalf("node %d, size %d: Has says %v of %v", id, n, f.Has(id, n), exact)
			}
			want := new(big.Float).SetPrec(precision).SetInt(exact)
			want.Mul(want, power)
			if e := f.Error(id, n, 0); e < 1 {
				known++
				off := distance(new(big.Float).SetFloat64(f.At(id, n)), want)
				worst = max(worst, off/e)
				if !(off <= e) {
					t.Fatalf("node %d, size %d: %g is off by %g of %g, the bound is %g", id, n, f.At(id, n), off, want, e)
				}
			}
			if got, e := d.At(id, n); e < 1 {
				if off := distance(got, want); !(off <= e) {
					t.Fatalf("node %d, size %d: doubled, %g is off by %g of %g, the bound is %g", id, n, got, off, want, e)
				}
			} else if want.Cmp(got.Mul(got, big.NewFloat(2))) > 0 {
				t.Fatalf("node %d, size %d: doubled, %g is more than %g", id, n, want, got)
			}
		}
		power.Mul(power, scale)
	}
	return known, worst
}

const precision = 600

// distance returns the error of got relative to want.
func distance(got, want *big.Float) float64 {
	if want.Sign() == 0 && got.Sign() == 0 {
		return 0
	}
	d := new(big.Float).SetPrec(precision).Sub(got, want)
	off, _ := d.Abs(d).Quo(d, want).Float64()
	return off
}

// TestLeastAboveBound: a bound below the least size is refused before anything is made, with the nearest size;
// with names it is that of the sentences that obey them.
func TestLeastAboveBound(t *testing.T) {
	for _, c := range []struct {
		src  string
		unit grammar.Unit
		want string
	}{
		{src: `s = t [0-9]{300000} ; t = [a-z]* ;`, want: "no sentence of 0 to 3 terminals; nearest is 300000"}, // too many elements to count
		{src: `s = "ab" "cd" ;`, unit: grammar.Bytes, want: "no sentence of 0 to 3 bytes; nearest is 4"},
		{src: `s = n n ; n = a ; a = "" | "x" n ;`, unit: grammar.Nodes, want: "no sentence of 0 to 3 nodes; nearest is 5"},
		{src: `s = ("d" n @define(v))* "." "." "." n @use(v) ; n = [ab] ;`, want: "no sentence of 0 to 3 terminals; nearest is 6"},
		{src: `s = ("d" n @define(v))* [0-9]{3000} n @use(v) ; n = [ab] ;`, want: "no sentence of 0 to 3 terminals; each has at least 3001"},
	} {
		g := load.MustString(c.src)
		_, err := count.New(ctx, g, count.Sizes(0, 3, c.unit), count.Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}

// TestSizeZero: size 0 in terminals is a bound, not the zero Bound, and counts what the first size of
// a range does.
func TestSizeZero(t *testing.T) {
	if b := count.Size(0, grammar.Terminals); b == (count.Bound{}) || b != count.Sizes(0, 0, grammar.Terminals) || b.ByDepth() {
		t.Errorf("the bound is %+v", b)
	}
	for _, src := range []string{`s = T ; @token T = [a]* ;`, `s = "a"? ;`, `s = "a" ;`, `s = "" | "b" s ;`} {
		g := load.MustString(src)
		for _, unit := range []grammar.Unit{grammar.Terminals, grammar.Bytes, grammar.Nodes} {
			some, err := count.New(t.Context(), g, count.Sizes(0, 3, unit), count.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := some.At(0).String()
			none, err := count.New(t.Context(), g, count.Size(0, unit), count.Options{})
			got := "0"
			if err == nil {
				got = none.Total().String()
			} else if !errors.As(err, new(*count.EmptyError)) {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s: %s of no %v, want %s", src, got, unit, want)
			}
		}
	}
}

// TestNothingWithNames checks the error where names alone exclude every derivation: it names them, and the
// limits to raise.
func TestNothingWithNames(t *testing.T) {
	for _, c := range []struct {
		src  string
		b    count.Bound
		want string
	}{
		{`s = n @fresh(v) n @fresh(v) ; n = [ab] ;`, count.Size(2, grammar.Terminals), "rule s derives nothing with the names that are in play; take more with --pool"},
		{`s = ("d" n @fresh(v))+ "." n @use(w) ; n = [ab] ; t = n @fresh(w) ;`, count.Depth(4), "rule s derives nothing with the names that are in play; take more with --pool, or raise --repeat"},
	} {
		g, _, err := load.Source("", []byte(c.src), load.Options{Notation: "ebnf"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = count.New(ctx, g, c.b, count.Options{Names: gctx.Options{Pool: 1}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}
