package stream_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/mutate"
	"github.com/gramfuzz/gramfuzz/parse"
	"github.com/gramfuzz/gramfuzz/stream"
)

func mustOpen(t testing.TB, g *grammar.Grammar, p stream.Plan) *stream.Stream {
	t.Helper()
	s, err := p.Open(t.Context(), g, stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var walk, weights = stream.Generator{Strategy: "walk"}, stream.Generator{Strategy: stream.RandomWeights}

// times counts the texts of a kind among the first n of a generator.
func times(t testing.TB, g *grammar.Grammar, l stream.Generator, n uint64, is func(text string) bool) (found int) {
	t.Helper()
	src := mustOpen(t, g, stream.Plan{Seed: 1, Strategy: stream.Mixed, Mix: []stream.Generator{l}}).Source()
	var text []byte
	for i := range n {
		var err error
		if text, err = src.Append(t.Context(), text[:0], i); err != nil {
			t.Fatal(err)
		}
		if is(string(text)) {
			found++
		}
	}
	return found
}

// TestMixed: sentences are a function of (seed, i), the undamaged ones are the
// texts of their trees, and all are within the bound.
func TestMixed(t *testing.T) {
	for _, name := range []string{"json", "expr", "assign"} {
		g := grammars.Must(name)
		s := mustOpen(t, g, stream.Plan{Seed: 4, Strategy: stream.Mixed, Damage: stream.DefaultDamage})
		facts := g.Facts(nil, grammar.Structure)
		one, two := s.Source(), s.Source()
		const n = 8 * stream.Block
		for k := range uint64(n) {
			i := (k*77 + 5) % n // one of the streams is drawn in another order
			text, err := one.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			again, err := two.Append(t.Context(), []byte("x"), i)
			if err != nil || "x"+string(text) != string(again) {
				t.Fatalf("%s: sentence %d is %q and %q, %v", name, i, text, again, err)
			}
			tree, err := one.Tree(t.Context(), i)
			if err != nil {
				t.Fatal(err)
			}
			drawn, same, err := stream.Draw(t.Context(), two, nil, i)
			if err != nil || string(drawn) != string(text) || same.Text() != tree.Text() {
				t.Fatalf("%s: sentence %d is drawn as %q of %q, %v", name, i, drawn, same.Text(), err)
			}
			place, err := stream.PlaceOf(t.Context(), one, i)
			if err != nil || place.Index != i {
				t.Fatalf("%s: sentence %d stands at %+v, %v", name, i, place, err)
			}
			if !place.Damaged && tree.Text() != string(text) {
				t.Fatalf("%s: sentence %d is %q and its tree %q", name, i, text, tree.Text())
			}
			if size := derive.Size(tree, facts, grammar.Terminals); size > s.Bound().Max {
				t.Fatalf("%s: sentence %d has size %d, outside of %v", name, i, size, s.Bound())
			}
			damaged, err := mutate.Apply([]byte(tree.Text()), mutate.Edits([]byte(tree.Text()), text))
			if err != nil || string(damaged) != string(text) {
				t.Fatalf("%s: tree and edits give %q, not %q", name, damaged, text)
			}
		}
	}
}

// TestWeightsReach: some weights make sentences that a fair walk hardly ever makes.
func TestWeightsReach(t *testing.T) {
	g := grammars.Must("json")
	is := func(text string) bool { return strings.Contains(text, "0.00") }
	fair := times(t, g, walk, 2000, is)
	weighted := times(t, g, weights, 2000, is)
	if weighted <= 2*fair || weighted == 0 {
		t.Errorf("0.00: %d of walks with random weights, %d of fair ones", weighted, fair)
	}
}

// levels has a short sentence below many operator levels.
const levels = `e = a ("||" a)* ; a = b ("&&" b)* ; b = c ("=" c)? ; c = d ("+" d)* ; d = f ("*" f)* ; f = "-"? g ;
g = h ("[" e "]")* ; h = "x" | "y" | "z" | "f(" e ")" | "(" e ")" | "[" e "]" ;`

// TestWeightsAreLean checks that walks with random weights get below operator levels, and that
// one name occurs twice in a sentence.
func TestWeightsAreLean(t *testing.T) {
	g, _, err := load.Source("levels.ebnf", []byte(levels), load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"f([x])", "y=y"} {
		is := func(text string) bool { return text == want }
		fair := times(t, g, walk, 8000, is)
		weighted := times(t, g, weights, 8000, is)
		if weighted <= 2*fair || weighted == 0 {
			t.Errorf("%s: %d of walks with random weights, %d of fair ones", want, weighted, fair)
		}
	}
}

// TestBlocks checks that the generators draw blocks in turn.
func TestBlocks(t *testing.T) {
	g := grammars.Must("expr")
	generators := []stream.Generator{{}, {Strategy: "walk", Swarm: "both"}, weights}
	mixed := mustOpen(t, g, stream.Plan{Seed: 9, Strategy: stream.Mixed, Mix: generators}).Source()
	for l := range generators {
		p := stream.Plan{Seed: random.Next(9 + uint64(l)*random.Gamma), Strategy: generators[l].Strategy}
		if generators[l].Swarm != "" {
			p.Swarm = &stream.SwarmPlan{Mode: generators[l].Swarm, Every: stream.Block}
		}
		alone := mustOpen(t, g, p).Source()
		var want, got []string
		for i := range uint64(2 * stream.Block) {
			w, err := alone.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			at := (i/stream.Block*uint64(len(generators))+uint64(l))*stream.Block + i%stream.Block
			o, err := mixed.Append(t.Context(), nil, at)
			if err != nil {
				t.Fatal(err)
			}
			want, got = append(want, string(w)), append(got, string(o))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("generator %d (-want +got):\n%s", l, diff)
		}
	}
}

func TestAllocs(t *testing.T) {
	s, err := (&stream.Plan{Seed: 1, Damage: 0.25}).Open(t.Context(), grammars.Must("json"), stream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	dst := make([]byte, 0, 1<<16)
	draw := func(n uint64) {
		for i := range n {
			if _, err := src.Append(t.Context(), dst, i); err != nil {
				t.Fatal(err)
			}
		}
	}
	draw(20_000) // warm up
	if a := testing.AllocsPerRun(3, func() { draw(1000) }); math.Round(a/1000) > 0 {
		t.Errorf("%v allocations for 1000 sentences", a)
	}
}

// TestLayout checks that every generator separates tokens that would join.
func TestLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "words.ebnf")
	const words = "words = WORD | WORD words ;\n@token WORD = \"a\"+ ;\n@skip SPACE = \" \" ;\n"
	if err := os.WriteFile(path, []byte(words), 0o666); err != nil {
		t.Fatal(err)
	}
	g, _, err := grammars.Load(path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	src := mustOpen(t, g, stream.Plan{Seed: 3, Strategy: stream.Mixed}).Source()
	facts := g.Facts(nil, grammar.Structure)
	for i := range uint64(8 * stream.Block) {
		tree, err := src.Tree(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		f, err := p.Parse(t.Context(), "words", tree.Text())
		if err != nil {
			t.Fatal(err)
		}
		read, err := f.Tree(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a, b := derive.Size(tree, facts, grammar.Terminals), derive.Size(read, facts, grammar.Terminals); a != b {
			t.Fatalf("sentence %d, %q: drawn with %d words, read as %d", i, tree.Text(), a, b)
		}
	}
}
