package gramtest

import (
	"context"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// fuzzSeeds is how many sentences Fuzz gives to the engine to begin with.
const fuzzSeeds = 64

// Fuzz checks a property under go test -fuzz: the engine's bytes are choices, one
// byte for a decision with up to 256 outcomes, so that every input is a
// sentence, none is skipped, and the engine's coverage guides the choices. Its
// seeds are sentences of the schedule of [Check]. Without -fuzz the seeds and
// what is in testdata/fuzz are run.
//
//	func FuzzParse(f *testing.F) {
//		gramtest.Fuzz(f, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) { … })
//	}
//
// Of the options, Seed, Bound (of the seeds), Lanes, Strategy, Swarm and Hooks
// count; sentences are never damaged.
//
// The engine minimizes what it finds by itself, byte by byte, for up to a minute
// and without seeing the grammar: give -fuzzminimizetime=1s or 10x and let
// Check's reducer do it, with the printed sentence as a test.
func Fuzz(f *testing.F, g *grammar.Grammar, prop func(t *T, s *Sentence), opts ...Option) {
	f.Helper()
	c := newConfig(opts)
	c.draw.Damage, c.draw.Brief = 0, true
	r := &runner{tb: f, g: g, c: c, prop: prop, seen: newSeen()}
	if !c.seeded {
		c.draw.Seed, c.seeded = 1, true // the engine wants the same seeds each time
	}
	if err := r.prepare(); err != nil {
		f.Fatalf("gramtest: %v", err)
	}
	ctx := context.Background()
	m := fuzzMachine(g, r.deriveOptions())
	for i := range uint64(fuzzSeeds) {
		// One in eight of each block, so that every lane has its turn.
		tree, err := r.src.Tree(ctx, i*8)
		if err == nil {
			var data []byte
			if data, err = toBytes(ctx, m, tree.Choices()); err == nil {
				f.Add(data)
			}
		}
		if err != nil {
			f.Fatalf("gramtest: %v", err)
		}
	}
	// The engine runs one input at a time in each process, but does not say so.
	var mu sync.Mutex
	f.Fuzz(func(tt *testing.T, data []byte) {
		mu.Lock()
		tree, err := fromBytes(ctx, m, data)
		mu.Unlock()
		if err != nil {
			tt.Fatalf("gramtest: %v", err)
		}
		fuzzOne(tt, prop, tree)
	})
}

// fuzzOne runs the property on one sentence. A panic is let go on after the
// sentence is told, so that the engine sees the crash that it is.
func fuzzOne(tt *testing.T, prop Property, tree *derive.Tree) {
	t := &T{name: tt.Name()}
	s := &Sentence{text: tree.AppendText(nil), t: t, tree: func() (*derive.Tree, error) { return tree, nil }}
	defer func() {
		v := recover()
		if _, stopped := v.(stop); v != nil && !stopped {
			tt.Logf("gramtest: the sentence\n%s", indent(showText(s.text)))
			panic(v)
		}
		if t.failure != nil {
			tt.Errorf("gramtest: the property fails for\n%s%s\nat %s\n%s", indent(showText(s.text)), t.failure.message, t.failure.frame, t.logs.String())
		}
	}()
	prop(t, s)
}
