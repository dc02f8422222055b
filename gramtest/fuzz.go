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

// Fuzz checks a property under go test -fuzz. The engine's bytes are choices, one byte
// for a decision with up to 256 outcomes. So every input is a sentence, and the
// engine's coverage guides the choices. The seeds are sentences as [Check] draws them.
// Without -fuzz the seeds and the files of testdata/fuzz are run.
//
//	func FuzzParse(f *testing.F) {
//		gramtest.Fuzz(f, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) { … })
//	}
//
// [Seed], [Bound], [Strategy] and [Swarm] say which sentences are seeds, and [Hooks]
// applies to all. Other options have no effect: sentences are never damaged.
//
// The engine minimizes a failing input for up to a minute, byte by byte, without
// seeing the grammar. Shorten that by -fuzzminimizetime=1s or 10x, and let Check
// shrink the printed sentence instead.
func Fuzz(f *testing.F, g *grammar.Grammar, prop func(t *T, s *Sentence), opts ...Option) {
	f.Helper()
	c := newConfig(opts)
	c.draw.Damage, c.draw.Brief = 0, true
	r := &runner{tb: f, g: g, c: c, prop: prop, stats: newStatistics()}
	if !c.seeded {
		c.draw.Seed, c.seeded = 1, true // the engine wants the same seeds each time
	}
	if err := r.prepare(); err != nil {
		f.Fatalf("gramtest: %v", err)
	}
	ctx := context.Background()
	m := fuzzMachine(g, r.deriveOptions())
	for i := range uint64(fuzzSeeds) {
		// One in eight of each block, so that every generator has its turn.
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

// fuzzOne runs the property on one sentence. It logs the sentence of a panic and
// panics again, so that the engine sees a crash.
func fuzzOne(tt *testing.T, prop property, tree *derive.Tree) {
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
