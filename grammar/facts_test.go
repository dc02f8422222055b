package grammar_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

// least is what the facts say of a start rule: depths, then sizes.
type least struct {
	Depth, NonEmptyDepth    int
	Terminals, Bytes, Nodes int
}

func leastOf(f *grammar.Facts, e *grammar.Expr) least {
	return least{
		f.Depth(e, grammar.Any), f.Depth(e, grammar.NonEmpty),
		f.Size(e, grammar.Terminals, grammar.Any), f.Size(e, grammar.Bytes, grammar.Any), f.Size(e, grammar.Nodes, grammar.Any),
	}
}

func TestFacts(t *testing.T) {
	const never = grammar.Never
	tests := []struct {
		src              string
		structure, exact least
	}{
		{`s = "abc" ;`, least{1, 1, 1, 3, 2}, least{1, 1, 1, 3, 2}},
		{`s = () | "a" ;`, least{1, 1, 0, 0, 1}, least{1, 1, 0, 0, 1}},
		{`s = "" ;`, least{1, never, 0, 0, 1}, least{1, never, 0, 0, 1}},
		{`s = t t ; t = "x" | "(" s ")" ;`, least{2, 2, 2, 2, 5}, least{2, 2, 2, 2, 5}},
		{`s = N "+" N ; @token N = d d ; @fragment d = [0-9] ;`, least{1, 1, 3, 5, 4}, least{3, 3, 5, 5, 12}},
		{`s = e{3} ; e = "x"? ;`, least{2, 2, 0, 0, 4}, least{2, 2, 0, 0, 4}},
		{`s = ("ab" e){2,} ; e = "x"+ | s ;`, least{2, 2, 4, 6, 7}, least{2, 2, 4, 6, 7}},
		{`s = ["é€"] ;`, least{1, 1, 1, 1, 2}, least{1, 1, 1, 1, 2}},
		{`s = [é€] ;`, least{1, 1, 1, 2, 2}, least{1, 1, 1, 2, 2}},
		{`s = "x" W "y" ; @skip W = " " ;`, least{1, 1, 2, 2, 3}, least{1, 1, 2, 2, 3}},
		{`s = "x"{0} | "y" ;`, least{1, 1, 0, 0, 1}, least{1, 1, 0, 0, 1}},
		{`s = s "x" | a ; a = b ; b = c ; c = "z" ;`, least{4, 4, 1, 1, 5}, least{4, 4, 1, 1, 5}},
	}
	for _, test := range tests {
		g := load.MustString(test.src)
		if d := cmp.Diff(test.structure, leastOf(g.Facts(nil, grammar.Structure), g.Root)); d != "" {
			t.Errorf("%s, structure: -want +got\n%s", test.src, d)
		}
		if d := cmp.Diff(test.exact, leastOf(g.Facts(nil, grammar.Exact), g.Root)); d != "" {
			t.Errorf("%s, exact: -want +got\n%s", test.src, d)
		}
	}
}

func TestElementWant(t *testing.T) {
	for src, want := range map[string]grammar.Want{
		`s = (("a"?))* ;`:                     grammar.NonEmpty,
		`s = ("a" "b"?)* ;`:                   grammar.Any,
		`s = ("a"?){2,5} ;`:                   grammar.Any,
		`t = "x" | s ; s = e+ ; e = e e e* ;`: grammar.Any, // s derives nothing at all
	} {
		g := load.MustString(src)
		if got := g.Facts(nil, grammar.Exact).ElementWant(g.Rule("s").Body); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	g := load.MustString(`s = "x" | "(" s ")" | n ; n = [0-9] | "-" n ;`)
	s, n := g.Rule("s").Body, g.Rule("n").Body
	if g.Alts != 5 || s.FirstAlt != 0 || n.FirstAlt != 3 {
		t.Fatalf("%d alternatives, first of s %d, of n %d", g.Alts, s.FirstAlt, n.FirstAlt)
	}
	m := grammar.NewMask(g)
	m.Set(s, 0, false)
	if m.On(s, 0) || !m.On(s, 1) || !m.On(n, 0) {
		t.Error("another alternative is off than the one switched")
	}
	if d := cmp.Diff(least{2, 2, 1, 1, 3}, leastOf(g.Facts(m, grammar.Exact), g.Root)); d != "" {
		t.Errorf("without x: -want +got\n%s", d)
	}
	off := m.Clone()
	off.Set(n, 0, false)
	if f := g.Facts(off, grammar.Exact); f.Productive(g.Root) || f.CanBeNonEmpty(n) {
		t.Error("still productive without digits and x")
	}
	if !m.On(n, 0) {
		t.Error("changing a clone changed the original")
	}
	off.Set(s, 0, true)
	if !g.Facts(off, grammar.Exact).Productive(g.Root) {
		t.Error("not productive with x on again")
	}
	digits := n.Children[0]
	m.SetClass(digits.ID, grammar.NewSet(grammar.Range{Lo: '7', Hi: '8'}, grammar.Range{Lo: 'x', Hi: 'y'}))
	if got := m.Gen(digits); !slices.Equal(got.Ranges(), []grammar.Range{{Lo: '7', Hi: '8'}}) {
		t.Errorf("the class generates %v", got.Ranges())
	}
	m.SetClass(digits.ID, grammar.Set{})
	if g.Facts(m, grammar.Exact).Productive(g.Root) {
		t.Error("still productive with an empty class")
	}
	var none *grammar.Mask
	if !none.On(s, 0) || none.Gen(digits).Len() != 10 {
		t.Error("the nil mask switches something off")
	}
}

func TestAlphabet(t *testing.T) {
	tests := []struct {
		src   string
		ascii int // how many characters the class in s generates
	}{
		{`s = [^a] ;`, 95 - 1},
		{`s = . ;`, 95},
		{`s = [^a] "é\n" ;`, 95 - 1 + 2},
		{`s = [^a] [\u0400-\u040f] ;`, 95 - 1 + 16},
		{`s = [^a] [\u0400-\U0010ffff] ;`, 95 - 1},
		{`s = [^ -~] ;`, 0x110000 - 0x800 - 95},
	}
	for _, test := range tests {
		g := load.MustString(test.src)
		class := g.Rule("s").Body
		if class.Op == grammar.Seq {
			class = class.Children[0]
		}
		if got := class.Gen.Len(); got != test.ascii {
			t.Errorf("%s generates %d characters, want %d", test.src, got, test.ascii)
		}
		wide, _ := checked(test.src, load.Options{Unicode: true})
		for _, e := range wide.Exprs {
			if e.Op == grammar.Class && !slices.Equal(e.Gen.Ranges(), e.Set.Ranges()) {
				t.Errorf("%s: with all of Unicode a class is cut", test.src)
			}
		}
	}
}
