package derive_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
	"github.com/gramfuzz/gramfuzz/load"
)

var ctx = context.Background()

func read(t *testing.T, source string) *grammar.Grammar {
	t.Helper()
	g, err := load.String(source)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const listGrammar = `list = "[" "]" | "[" item ("," item)* "]" ; item = [a-c] | list | "nil" ;`

// TestReplay checks that Replay is total: the effect of each kind of value, and the normal
// form.
func TestReplay(t *testing.T) {
	g := read(t, listGrammar)
	tests := []struct {
		name    string
		choices []int
		text    string
		normal  []int
	}{
		{"as recorded", []int{1, 0, 2, 1, 2, 0}, "[c,nil]", []int{1, 0, 2, 1, 2, 0}},
		{"nothing: the least derivation", nil, "[]", []int{0}},
		{"too short: the rest is least", []int{1, 1}, "[[]]", []int{1, 1, 0, 0}},
		{"too long: the rest is dropped", []int{0, 5, 5}, "[]", []int{0}},
		{"out of range: modulo", []int{3, 5, 4, 0}, "[nil]", []int{1, 2, 0}},
		{"negative: modulo", []int{-3, -4, 2, 0}, "[nil]", []int{1, 2, 0}},
		{"default stands for a whole subtree", []int{1, derive.Default, 1, 2, 0}, "[a,nil]", []int{1, 0, 0, 1, 2, 0}},
	}
	for _, test := range tests {
		tree, err := derive.NewMachine(g, derive.Options{}).Run(ctx, derive.Replay(test.choices))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if tree.Text() != test.text {
			t.Errorf("%s: text %q, want %q", test.name, tree.Text(), test.text)
		}
		if diff := cmp.Diff(test.normal, tree.Choices()); diff != "" {
			t.Errorf("%s: normal form (-want +got)\n%s", test.name, diff)
		}
	}
}

// TestReplayIsTotal checks on random grammars that every sequence of numbers gives a
// derivation, and that its normal form replays to the same tree.
func TestReplayIsTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 300 {
		g := brute.Random(rng)
		m := derive.NewMachine(g, derive.Options{})
		for range 20 {
			choices := make([]int, rng.IntN(30))
			for i := range choices {
				choices[i] = rng.IntN(12) - 2
			}
			tree, err := m.Run(ctx, derive.Replay(choices))
			if err != nil {
				t.Fatalf("%v: %v\n%s", choices, err, load.Native(g))
			}
			again, err := m.Run(ctx, derive.Strict(tree.Choices()))
			if err != nil {
				t.Fatalf("%v: strict: %v\n%s", tree.Choices(), err, load.Native(g))
			}
			if diff := cmp.Diff(tree.Choices(), again.Choices(), cmpopts.EquateEmpty()); diff != "" || again.Text() != tree.Text() {
				t.Fatalf("%v does not replay: %s\n%s", tree.Choices(), diff, load.Native(g))
			}
			checkSpans(t, tree)
		}
	}
}

// checkSpans checks that nodes nest, and that each subtree's part of the choices is within its
// parent's.
func checkSpans(t *testing.T, tree *derive.Tree) {
	t.Helper()
	for i, n := range tree.Nodes() {
		if n.End <= i || n.End > len(tree.Nodes()) || n.From > n.To {
			t.Fatalf("node %d: %+v", i, n)
		}
		tree.Children(i, func(child int) bool {
			k := tree.Nodes()[child]
			if k.End > n.End || k.From < n.From || k.To > n.To {
				t.Errorf("child %d of node %d is not inside it", child, i)
			}
			return true
		})
	}
}

func TestStrict(t *testing.T) {
	g := read(t, listGrammar)
	for _, choices := range [][]int{{}, {1}, {2}, {1, 0, 7}, {-1}} {
		if _, err := derive.NewMachine(g, derive.Options{}).Run(ctx, derive.Strict(choices)); err == nil {
			t.Errorf("%v was replayed", choices)
		}
	}
}

// TestDeepTree expands, replays, measures and renders a tree a million nodes deep.
func TestDeepTree(t *testing.T) {
	g := read(t, `a = "(" a ")" | "x" ;`)
	const depth = 1_000_000
	choices := make([]int, depth+1)
	choices[depth] = 1
	tree, err := derive.NewMachine(g, derive.Options{}).Run(ctx, derive.Replay(choices))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("(", depth) + "x" + strings.Repeat(")", depth); tree.Text() != want {
		t.Errorf("text of %d bytes, want %d", len(tree.Text()), len(want))
	}
	facts := g.Facts(nil, grammar.Exact)
	if d := derive.Depth(tree, facts); d != depth+1 {
		t.Errorf("depth %d, want %d", d, depth+1)
	}
	if n := derive.Size(tree, facts, grammar.Terminals); n != 2*depth+1 {
		t.Errorf("size %d, want %d", n, 2*depth+1)
	}
}

func TestErrors(t *testing.T) {
	g := read(t, `a = b "!" ; b = "(" b ")" | c ; c = "x" ;`)
	_, err := derive.NewMachine(g, derive.Options{MaxDepth: 2}).Run(ctx, derive.Replay(nil))
	if err == nil || err.Error() != "rule a needs at least depth 3, not 2" {
		t.Errorf("too small a depth: %v", err)
	}
	forever := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return 0, nil })
	if _, err := derive.NewMachine(g, derive.Options{MaxNodes: 1000}).Run(ctx, forever); !errors.Is(err, derive.ErrTooLarge) {
		t.Errorf("a derivation without end: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := derive.NewMachine(g, derive.Options{}).Run(cancelled, forever); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	bad := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Full, nil })
	if _, err := derive.NewMachine(g, derive.Options{}).Run(ctx, bad); err == nil {
		t.Error("a value that cannot be taken was")
	}
}

// TestBoundsHold checks that within a bound only values that can finish are offered: random
// choosers never meet a dead end and never exceed the bound.
func TestBoundsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	random := derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })
	for range 200 {
		g := brute.Random(rng)
		facts := g.Facts(nil, grammar.Exact)
		limit := facts.Depth(g.Root, grammar.Any) + rng.IntN(3)
		m := derive.NewMachine(g, derive.Options{Facts: facts, MaxDepth: limit, Repeat: 3})
		for range 10 {
			tree, err := m.Run(ctx, random)
			if err != nil {
				t.Fatalf("depth %d: %v\n%s", limit, err, load.Native(g))
			}
			if d := derive.Depth(tree, facts); d > limit {
				t.Errorf("depth %d, bound %d\n%s", d, limit, load.Native(g))
			}
		}
	}
}

// TestDraft checks that a tree of Run does not change, and that a draft is overwritten and
// takes no memory of its own. MaxSize applies to later derivations.
func TestDraft(t *testing.T) {
	g := read(t, listGrammar)
	m := derive.NewMachine(g, derive.Options{MaxSize: 100})
	kept, err := m.Run(ctx, derive.Replay([]int{1, 0, 2, 1, 2, 0}))
	if err != nil {
		t.Fatal(err)
	}
	draft, err := m.Draft(ctx, derive.Replay([]int{1, 0, 1, 0}))
	if err != nil {
		t.Fatal(err)
	}
	copied := draft.Clone()
	long := []int{1, 2, 1, 2, 1, 2, 0}
	if _, err := m.Draft(ctx, derive.Replay(long)); err != nil {
		t.Fatal(err)
	}
	if kept.Text() != "[c,nil]" || copied.Text() != "[b]" || draft.Text() != "[nil,nil,nil]" {
		t.Errorf("the trees are %q and %q, the draft %q", kept.Text(), copied.Text(), draft.Text())
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := m.Draft(ctx, derive.Replay(nil)); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("%v allocations for a draft", n)
	}
	m.MaxSize = 3
	if small, err := m.Run(ctx, derive.Replay(long)); err != nil || small.Text() != "[nil]" {
		t.Errorf("within 3 terminals it is %v, %v", small.Text(), err)
	}
}

// TestAhead checks the expressions ahead of each decision: later parts of open sequences and
// enclosing repetitions that may continue, but nothing past or in the decision itself.
func TestAhead(t *testing.T) {
	g := read(t, `s = ("a" | "b") (t | "c"){0,2} ; t = "(" ("d" | "e") ")" ;`)
	m := derive.NewMachine(g, derive.Options{})
	// Decisions: a or b, continue, t or c, d or e, continue, t or c.
	choices := []int{0, 1, 0, 0, 1, 1}
	tests := []struct {
		name string
		is   func(e *grammar.Expr) bool
		want []bool
	}{
		{"the repetition", func(e *grammar.Expr) bool { return e.Op == grammar.Rep }, []bool{true, false, true, true, false, false}},
		{`")"`, func(e *grammar.Expr) bool { return e.Text == ")" }, []bool{false, false, false, true, false, false}},
		{`"("`, func(e *grammar.Expr) bool { return e.Text == "(" }, make([]bool, 6)},
		{"the first choice", func(e *grammar.Expr) bool { return e.Op == grammar.Choice && e.Children[0].Text == "a" }, make([]bool, 6)},
	}
	for _, tt := range tests {
		less := make([]uint16, len(g.Exprs))
		for _, e := range g.Exprs {
			less[e.ID] = 5
			if tt.is(e) {
				less[e.ID] = 4
			}
		}
		var got []bool
		_, err := m.Run(ctx, derive.ChooserFunc(func(*derive.Decision) (int, error) {
			if m.Ahead(less, 4) {
				t.Errorf("%s: 4 is not less than 4", tt.name)
			}
			got = append(got, m.Ahead(less, 5))
			return choices[len(got)-1], nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s is ahead (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestNoTree checks that a text without a tree and its sizes equal those of the tree.
func TestNoTree(t *testing.T) {
	g := read(t, `s = (item ";" | WORD+ | "é")* ; item = [a-c] | "(" s ")" ; @token WORD = [x-z]+ DIGIT ; @fragment DIGIT = [0-9] "," ;`)
	mark := func(e *grammar.Expr) (string, bool) { return "<" + e.Op.String() + ">", e.Op == grammar.Lit }
	want := strings.NewReplacer(";", "<literal>", "(", "<literal>", ")", "<literal>", "é", "<literal>", "a", "a<class>", "b", "b<class>", "c", "c<class>", ",", ",<reference>")
	for unit := range grammar.Nodes + 1 {
		facts := g.Facts(nil, grammar.Structure)
		o := derive.Options{MaxSize: 30, Unit: unit, Facts: facts}
		trees := derive.NewMachine(g, o)
		o.NoTree = true
		texts := derive.NewMachine(g, o)
		o.Mark = mark
		marked := derive.NewMachine(g, o)
		for seed := range uint64(300) {
			draw := func() derive.Chooser {
				rng := rand.New(rand.NewPCG(seed, uint64(unit)))
				return derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })
			}
			tree, err := trees.Draft(ctx, draw())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []*derive.Machine{texts, marked} {
				text := tree.Text()
				if m == marked {
					text = want.Replace(text)
				}
				m.Text = []byte(">")
				bare, err := m.Draft(ctx, draw())
				if err != nil || string(m.Text) != ">"+text {
					t.Fatalf("%q, %v, want %q", m.Text, err, text)
				}
				if diff := cmp.Diff(tree.Choices(), bare.Choices(), cmpopts.EquateEmpty()); diff != "" {
					t.Fatal(diff)
				}
				if size, depth := derive.Size(tree, facts, unit), derive.Depth(tree, facts); m.Size != size || m.Depth != depth {
					t.Fatalf("%q: size %d, depth %d; of the tree %d, %d", text, m.Size, m.Depth, size, depth)
				}
			}
		}
	}
}
