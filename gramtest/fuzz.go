package gramtest

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// fuzzSeeds is the number of sentences that Fuzz gives to the engine as seeds.
const fuzzSeeds = 64

// seedStep takes one sentence in eight of each block, so that every generator contributes.
const seedStep = 8

// Fuzz checks a property under go test -fuzz. The engine's bytes are choices, one byte
// for a decision with up to 256 outcomes. So every input is a sentence, and the
// engine's coverage guides the choices. The seeds are sentences as [Check] draws them.
// They are run first: one that fails is shrunk, kept and reported as by Check. Then
// the engine runs them again, with the files of testdata/fuzz, and with -fuzz goes on.
//
//	func FuzzParse(f *testing.F) {
//		gramtest.Fuzz(f, grammars.Must("json"), func(t *gramtest.T, s *gramtest.Sentence) { … })
//	}
//
// [Seed], [Bound], [Strategy] and [Swarm] say which sentences are seeds. [Timeout],
// [Shrink] and [Dir] apply to them, and [Hooks] to all. Other options have no effect:
// sentences are never damaged.
//
// The engine minimizes a found input for up to a minute, byte by byte, without knowledge of the
// grammar. Shorten that by -fuzzminimizetime=1s or 10x, and let Check shrink the printed
// sentence instead.
func Fuzz(f *testing.F, g *grammar.Grammar, prop func(t *T, s *Sentence), opts ...Option) {
	f.Helper()
	c := newConfig(opts)
	c.draw.Damage = 0
	r := &runner{tb: f, g: g, c: c, prop: prop, site: callSite(), stats: newStatistics()}
	if job, ok := childJob(); ok {
		r.child(f, job)
		return
	}
	if !c.seeded {
		c.draw.Seed, c.seeded = 1, true // the engine needs the same seeds in every run
	}
	if err := r.prepare(); err != nil {
		f.Fatalf("gramtest: %v", err)
	}
	ctx := context.Background()
	worker := slices.Contains(os.Args, "-test.fuzzworker") // the engine has run the seeds itself
	if !worker && (c.failures && r.failFiles(ctx) || r.seeds(ctx)) {
		return
	}
	m := fuzzMachine(g, r.deriveOptions())
	for i := range uint64(fuzzSeeds) {
		tree, err := r.src.Tree(ctx, i*seedStep)
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
	// The engine runs one input at a time in each process, but does not document it.
	var mu sync.Mutex
	f.Fuzz(func(tt *testing.T, data []byte) {
		mu.Lock()
		tree, err := fromBytes(ctx, m, data)
		mu.Unlock()
		if errors.As(err, new(*lex.JoinError)) {
			tt.Skip("gramtest: ", err) // a derivation without a text
		}
		if err != nil {
			tt.Fatalf("gramtest: %v", err)
		}
		fuzzOne(tt, prop, tree)
	})
}

// seeds runs the property on the seeds and reports the first that fails.
func (r *runner) seeds(ctx context.Context) bool {
	r.tb.Helper()
	for i := range uint64(fuzzSeeds) {
		in, err := r.input(ctx, i*seedStep)
		if err != nil {
			r.tb.Fatalf("gramtest: %v", err)
		}
		r.fallback = in.tree
		f, err := r.ask(ctx, in.text, false)
		if err != nil {
			r.tb.Fatalf("gramtest: %v", err)
		}
		if f != nil {
			r.failed(ctx, &found{failure: f, input: in})
			return true
		}
	}
	return false
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
