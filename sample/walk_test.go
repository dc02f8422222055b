package sample_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/load"
	"github.com/gramfuzz/gramfuzz/sample"
)

// TestLargeWalks: a bound of terminals does not limit the text of a token. A walk that exceeds
// the memory is repeated, and if nearly all do, an error says so.
func TestLargeWalks(t *testing.T) {
	const memory = 1 << 20
	for _, c := range []struct {
		token string
		some  bool // of the sentences have an error
	}{
		{"T : 'x' T T | 'y'", false},
		{"T : 'x' T T | 'x' T T T | 'x' T T T T | 'x' T T T T T | 'y'", true},
	} {
		g, _, err := load.Source("Large.g4", []byte("grammar Large;\ns : T+ ;\n"+c.token+" ;"), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := sample.New(context.Background(), g, sample.Options{Strategy: sample.Walk, Seed: 1, MaxMemory: memory})
		if err != nil {
			t.Fatal(err)
		}
		src, failed := s.Source(), false
		for i := range uint64(300) {
			if _, err := src.Append(context.Background(), nil, i); err != nil {
				failed = true
				if !errors.Is(err, derive.ErrTooLarge) || !strings.Contains(err.Error(), "8 walks within size 1 to 51 terminals") {
					t.Fatalf("%s: %v", c.token, err)
				}
			}
		}
		if failed != c.some {
			t.Errorf("%s: a sentence failed: %v, want %v", c.token, failed, c.some)
		}
	}
}

// TestCompiledWalks compares compiled walks with those of a machine: the same texts, choices
// and sizes.
func TestCompiledWalks(t *testing.T) {
	all := map[string]*grammar.Grammar{}
	for _, name := range grammars.Names() {
		all[name] = grammars.Must(name)
	}
	for name, source := range map[string]string{
		"empty.ebnf":  `s = a a* b? ; a = "x"? b? ; b = "y"* ("z" a)? ; `,
		"weight.ebnf": `s = "a" s %3 | "b" t s | "c" %0 | "d" ; t = [ß-é0-9]{0,3} (s | "")* ("q" (s | ""))? ;`,
		"tokens.g4":   "grammar tokens;\ns : (T | 'kw' | U s | V)* EOF ;\nT : [a-z]+ | 'x' T 'x' ;\nU : '=' '='? ;\nV : ('a' | 'é')+ ;\nWS : ' ' -> skip ;",
	} {
		g, _, err := load.Source(name, []byte(source), load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = g
	}
	if os.Getenv("GRAMFUZZ_LONG") != "" && os.Getenv("GRAMFUZZ_DATA") != "" {
		for path, start := range realGrammars(t) {
			g, _, err := load.File(path, load.Options{Start: start})
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(path)] = g
		}
	}
	compiled := 0
	for name, g := range all {
		if g.Binary {
			continue
		}
		if walksAsMachine(t, name, g) {
			compiled++
		}
	}
	if compiled < len(all)/2 {
		t.Errorf("only %d of %d grammars have compiled walks", compiled, len(all))
	}
}

// walksAsMachine compares the walks of a grammar, and reports whether they are compiled.
func walksAsMachine(t *testing.T, name string, g *grammar.Grammar) (compiled bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	least, depth := g.Facts(nil, grammar.Exact), g.Facts(nil, grammar.Exact).Depth(g.Root, grammar.Any)
	mask := grammar.NewMask(g)
	for _, e := range g.Exprs {
		for i := range e.Children {
			if e.Op == grammar.Choice && rng.IntN(20) == 0 {
				mask.Set(e, i, false)
			}
		}
	}
	for _, o := range []sample.Options{
		{}, {Bound: count.Depth(depth)}, {Bound: count.Depth(depth + 3)}, {Mask: mask},
		{Bound: count.Sizes(0, least.Size(g.Root, grammar.Bytes, grammar.Any)+9, grammar.Bytes)},
		{Bound: count.Sizes(0, least.Size(g.Root, grammar.Nodes, grammar.Any)+5, grammar.Nodes), Measure: grammar.Exact},
		{Strategy: sample.Weighted, Measure: grammar.Exact}, {Strategy: sample.Weighted, MaxMemory: 1 << 14},
	} {
		if o.Strategy == sample.Uniform {
			o.Strategy = sample.Walk
		}
		s, err := sample.New(ctx, g, o)
		other, err2 := sample.New(ctx, g, o)
		if err != nil || err2 != nil {
			continue // nothing is within the bound
		}
		if !sample.MachineWalks(other) {
			continue
		}
		compiled = true
		src, want := s.Source(), other.Source()
		var a, b sample.Sentence
		for i := range uint64(20) {
			err, err2 := src.Sentence(ctx, &a, i), want.Sentence(ctx, &b, i)
			if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("%s, %+v, sentence %d: %v; of a machine %v", name, o.Bound, i, err, err2)
			}
			if err == nil && (!slices.Equal(a.Choices, b.Choices) || !bytes.Equal(a.Text, b.Text) || a.Size != b.Size || a.Depth != b.Depth) {
				t.Fatalf("%s, %+v, sentence %d: %q, size %d, depth %d; of a machine %q, %d, %d", name, o.Bound, i, a.Text, a.Size, a.Depth, b.Text, b.Size, b.Depth)
			}
			text, err := src.Append(ctx, nil, i)
			if err2 == nil && (err != nil || string(text) != string(b.Text)) {
				t.Fatalf("%s, sentence %d: %q, %v; of a machine %q", name, i, text, err, b.Text)
			}
		}
	}
	return compiled
}

// TestWalkEnds checks that a walk ends where the smallest alternative never leads to an end: a name that is
// used and not defined yet keeps the list going, and its definition brings another use.
func TestWalkEnds(t *testing.T) {
	for _, src := range []string{
		`@forward(v) s = r* ; r = n @use(v) n @fresh(v) ("(" n @use(v) n @use(v) ")") @scope(v) | "." ; n = [a-c]{1,2} ;`,
		`@forward(v) s = r s | "" ; r = n @use(v) ";" n @use(v) n @fresh(v) | "." | "," ; n = [a-d] ;`,
	} {
		g := load.MustString(src)
		m, err := gctx.NewMachine(g, derive.Options{MaxSize: 50, MaxNodes: 1 << 15})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 300 {
			if _, err := m.Draft(t.Context(), derive.ChooserFunc(func(d *derive.Decision) (int, error) { return d.Value(rng.IntN(d.N)), nil })); err != nil {
				t.Errorf("%s: walk %d: %v", src, i, err)
				break
			}
		}
	}
}
