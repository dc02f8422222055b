package gramtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// seedVariable gives the seed of checks that have no option Seed.
const seedVariable = "GRAMFUZZ_SEED"

// Check checks that the property holds for sentences of the grammar: first those of earlier
// failures, then new ones, as many as the options say. The first sentence that violates the
// property is shrunk and fails the test.
//
// The property is called on one goroutine, which is not that of the test. It must
// give the same answer whenever it is called with the same sentence. Beside drawing
// and the property, a sentence costs some tens of nanoseconds. Nothing is allocated
// but the texts, many at a time.
func Check(t testing.TB, g *grammar.Grammar, prop func(t *T, s *Sentence), opts ...Option) {
	t.Helper()
	r := &runner{tb: t, g: g, c: newConfig(opts), prop: prop, site: callSite(), stats: newStatistics()}
	if job, ok := childJob(); ok {
		r.child(t, job)
		return
	}
	if err := r.c.guideError(); err != nil {
		t.Fatalf("gramtest: %v", err)
	}
	if r.c.isolate {
		r.isolated()
		return
	}
	r.check()
}

func (r *runner) check() {
	r.tb.Helper()
	if err := r.prepare(); err != nil {
		r.tb.Fatalf("gramtest: %v", err)
	}
	ctx := context.Background()
	if r.c.failures && (r.unfinished(ctx) || r.failFiles(ctx)) {
		return
	}
	r.running = startRunning(r.key(), r.c.draw.Seed, r.c.failures)
	out := r.watched(ctx)
	r.running.end()
	switch {
	case out.err != nil:
		r.tb.Fatalf("gramtest: %v (seed %d)", out.err, r.c.draw.Seed)
	case out.failure != nil:
		r.failed(ctx, out)
		return
	}
	r.passed()
}

// passed logs the statistics and fails the test if a requirement on them is not met.
func (r *runner) passed() {
	r.tb.Helper()
	if table := r.stats.table(); table != "" && testing.Verbose() {
		r.tb.Logf("gramtest: %d sentences of seed %d, %d left out\n%s", r.stats.run, r.c.draw.Seed, r.stats.discarded, table)
	}
	if problems := r.stats.missing(r.c.cover); len(problems) > 0 {
		r.tb.Fatalf("gramtest: after %d sentences of seed %d:\n%s\n%s", r.stats.run, r.c.draw.Seed, strings.Join(problems, "\n"), r.stats.table())
	}
}

// prepare determines the seed and makes the sampler.
func (r *runner) prepare() (err error) {
	if !r.c.seeded {
		r.c.draw.Seed = rand.Uint64() >> 11 // all JSON readers keep 53 bits
		if text := os.Getenv(seedVariable); text != "" {
			if r.c.draw.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
				return fmt.Errorf("%s=%q is no seed; give a number from 0 to 2^64-1", seedVariable, text)
			}
		}
	}
	if r.stream, err = r.c.draw.Open(context.Background(), r.g, r.c.draw.Options); err != nil {
		return err
	}
	r.src = r.stream.Source()
	return nil
}

// failed shrinks, stores and reports a failure.
func (r *runner) failed(ctx context.Context, out *found) {
	r.tb.Helper()
	in, err := out.input, error(nil)
	switch {
	case in == nil:
		in, err = r.input(ctx, out.index)
	case in.tree == nil:
		in.tree, err = r.treeOf(ctx, in.choices)
	}
	if err != nil {
		r.tb.Fatalf("gramtest: %s, and the sentence cannot be drawn again: %v", out.failure.message, err)
	}
	r.report(r.shrunk(ctx, in, out.failure))
	if out.failure.kind == kindMemory {
		// The property still runs, and nothing else stops it before it uses up the machine's
		// memory.
		panic("gramtest: " + r.tb.Name() + ": " + out.failure.message)
	}
}

// callSite returns the place of the call into this package. It distinguishes several checks in
// one test.
func callSite() string {
	for _, f := range callers(0) {
		if !ours(f) {
			return path.Base(f.File) + ":" + strconv.Itoa(f.Line)
		}
	}
	return ""
}

// key identifies the check among all tests of a folder.
func (r *runner) key() string { return r.tb.Name() + " " + r.site }
