package reduce_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/reduce"
)

func TestJobsDoNotMatter(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	for _, maxCalls := range []int{0, 7} {
		for i, tree := range postTrees(t, g, 12) {
			var want *reduce.Result
			var wantEvents []string
			for _, jobs := range []int{1, 2, 5} {
				var events []string
				slow := func(ctx context.Context, text []byte) (bool, error) {
					time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
					return postPredicate(ctx, text)
				}
				got, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, slow, reduce.Options{
					Jobs: jobs, MaxCalls: maxCalls,
					Trace: func(e reduce.Event) {
						events = append(events, fmt.Sprintf("%s %d %v %v %s", e.Pass, e.Calls, e.Cached, e.Accepted, e.Text))
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want, wantEvents = got, events
					continue
				}
				if diff := cmp.Diff(want.Stats, got.Stats, cmpopts.IgnoreFields(reduce.Stats{}, "Ahead")); diff != "" {
					t.Fatalf("sentence %d: %d jobs count differently from 1, -1 +%d:\n%s", i, jobs, jobs, diff)
				}
				if diff := cmp.Diff(wantEvents, events); diff != "" {
					t.Fatalf("sentence %d: %d jobs ask differently from 1, -1 +%d:\n%s", i, jobs, jobs, diff)
				}
			}
		}
	}
}

func TestBudgets(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	tree := postTrees(t, g, 1)[0]
	calls := 0
	count := func(ctx context.Context, text []byte) (bool, error) {
		calls++
		return postPredicate(ctx, text)
	}
	r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, count, reduce.Options{MaxCalls: 3})
	if err != nil || calls != 3 || r.Stats.Calls != 3 || !r.Stats.Stopped {
		t.Errorf("with MaxCalls 3: %d calls, %+v, %v", calls, r.Stats, err)
	}
	slow := func(ctx context.Context, text []byte) (bool, error) {
		if len(text) == len(tree.Text()) {
			return true, nil
		}
		<-ctx.Done()
		return false, ctx.Err()
	}
	r, err = reduce.Run(context.Background(), reduce.Input{Tree: tree}, slow, reduce.Options{Time: 10 * time.Millisecond})
	if err != nil || !r.Stats.Stopped || string(r.Text) != tree.Text() {
		t.Errorf("with a time budget: %+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	r, err = reduce.Run(ctx, reduce.Input{Tree: tree}, slow, reduce.Options{Jobs: 3})
	if !errors.Is(err, context.DeadlineExceeded) || r == nil {
		t.Errorf("when the caller's context ends: %+v, %v", r, err)
	}
}

func TestErrors(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	tree := postTrees(t, g, 1)[0]
	broken := errors.New("no such program")
	never := func(context.Context, []byte) (bool, error) { return false, nil }
	if _, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, never, reduce.Options{}); !errors.Is(err, reduce.ErrNotInteresting) {
		t.Errorf("a predicate that never holds: %v", err)
	}
	if _, err := reduce.Run(context.Background(), reduce.Input{}, never, reduce.Options{}); err == nil {
		t.Error("nothing to reduce: no error")
	}
	if _, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, never, reduce.Options{Algorithm: "magic"}); err == nil {
		t.Error("an unknown algorithm: no error")
	}
	for _, jobs := range []int{1, 4} {
		breaks := func(_ context.Context, text []byte) (bool, error) {
			if len(text) < len(tree.Text())/2 {
				return false, broken
			}
			return true, nil
		}
		r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, breaks, reduce.Options{Jobs: jobs})
		if !errors.Is(err, broken) || r == nil || len(r.Text) == 0 {
			t.Errorf("a predicate that breaks, %d jobs: %+v, %v", jobs, r, err)
		}
	}
}

func TestFlaky(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	tree := postTrees(t, g, 1)[0]
	asked := map[string]int{}
	// Everything short holds the first time only.
	flaky := func(_ context.Context, text []byte) (bool, error) {
		asked[string(text)]++
		return len(text) >= len(tree.Text())/2 || asked[string(text)] == 1, nil
	}
	r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, flaky, reduce.Options{Recheck: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Flaky == 0 || len(r.Text) < len(tree.Text())/2 {
		t.Errorf("the result %q does not hold: %+v", r.Text, r.Stats)
	}
}

// TestFlakyOnTheWay checks that a wrong yes during a long run is detected before the end, and
// costs no more than the steps since the last recheck.
func TestFlakyOnTheWay(t *testing.T) {
	text := []byte(strings.Repeat("lorem ipsum dolor\n", 40) + "needle")
	for _, jobs := range []int{1, 3} {
		var mu sync.Mutex
		asked := map[string]bool{}
		wrong := ""
		// The property is a needle; one text without it holds the first time.
		flaky := func(_ context.Context, text []byte) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			first := !asked[string(text)]
			asked[string(text)] = true
			if bytes.Contains(text, []byte("needle")) {
				return true, nil
			}
			if first && wrong == "" && len(text) < 600 && len(text) > 100 {
				wrong = string(text)
			}
			return first && wrong == string(text), nil
		}
		r, err := reduce.Run(context.Background(), reduce.Input{Text: text}, flaky, reduce.Options{Algorithm: "lines,bytes", Recheck: true, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		if wrong == "" || r.Stats.Flaky == 0 || string(r.Text) != "needle" {
			t.Errorf("%d jobs: got %q, want the needle; %q was the wrong yes; %d flaky", jobs, r.Text, wrong, r.Stats.Flaky)
		}
	}
	// A predicate that accepts everything once ends with an error that says so.
	asked := map[string]bool{}
	once := func(_ context.Context, text []byte) (bool, error) {
		first := !asked[string(text)]
		asked[string(text)] = true
		return first, nil
	}
	_, err := reduce.Run(context.Background(), reduce.Input{Text: text}, once, reduce.Options{Recheck: true})
	if !errors.Is(err, reduce.ErrFlaky) || strings.Contains(err.Error(), " 0 steps") {
		t.Errorf("a predicate that never says yes twice: %v", err)
	}
}

// TestYesOfAsks checks that a predicate that is wrong now and then is asked until the answers
// decide, and no more often.
func TestYesOfAsks(t *testing.T) {
	text := []byte(strings.Repeat("hay ", 20) + "needle" + strings.Repeat(" hay", 20))
	for _, o := range []reduce.Options{{Yes: 3, Asks: 5}, {Yes: 3, Asks: 5, Jobs: 3}} {
		var mu sync.Mutex
		asked := map[string][]bool{}
		rarelyWrong := func(_ context.Context, text []byte) (bool, error) {
			mu.Lock()
			defer mu.Unlock()
			n := len(asked[string(text)])
			holds := bytes.Contains(text, []byte("needle")) != (n == len(text)%3) // one of the first three answers is wrong
			asked[string(text)] = append(asked[string(text)], holds)
			return holds, nil
		}
		r, err := reduce.Run(context.Background(), reduce.Input{Text: text}, rarelyWrong, o)
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Text) != "needle" {
			t.Errorf("%d jobs: got %q", o.Jobs, r.Text)
		}
		for text, answers := range asked {
			if o.Jobs == 0 && len(answers) != 4 { // with more workers, speculative calls are repeated
				t.Errorf("%q was asked %d times: %v", text, len(answers), answers)
			}
		}
		if o.Jobs == 0 && r.Stats.Calls != len(asked) {
			t.Errorf("%d calls for %d texts", r.Stats.Calls, len(asked))
		}
	}
}

// TestCallsEnd: no call of the predicate outlives the run, also one that ignores its context.
func TestCallsEnd(t *testing.T) {
	text := []byte(strings.Repeat("hay ", 20) + "needle" + strings.Repeat(" hay", 20))
	for _, most := range []int{0, 7} {
		var running atomic.Int32
		slow := func(_ context.Context, text []byte) (bool, error) {
			running.Add(1)
			defer running.Add(-1)
			time.Sleep(100 * time.Microsecond)
			return bytes.Contains(text, []byte("needle")), nil
		}
		for range 10 {
			if _, err := reduce.Run(t.Context(), reduce.Input{Text: text}, slow, reduce.Options{Jobs: 4, MaxCalls: most}); err != nil {
				t.Fatal(err)
			}
			if n := running.Load(); n != 0 {
				t.Fatalf("at most %d calls: %d are still running", most, n)
			}
		}
	}
}

func TestBestSoFar(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	for _, tree := range postTrees(t, g, 20) {
		var kept [][]byte
		r, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{
			Best: func(text []byte, _ *derive.Tree) error {
				kept = append(kept, bytes.Clone(text))
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range kept {
			if ok, _ := postPredicate(context.Background(), text); !ok {
				t.Errorf("kept %q, which does not hold", text)
			}
			if i > 0 && len(text) > len(kept[i-1]) {
				t.Errorf("kept %q after %q", text, kept[i-1])
			}
		}
		if string(kept[0]) != tree.Text() || !bytes.Equal(kept[len(kept)-1], r.Text) {
			t.Errorf("kept %q … %q for %q to %q", kept[0], kept[len(kept)-1], tree.Text(), r.Text)
		}
	}
}

// memory is a Cache.
type memory struct {
	mu sync.Mutex
	m  map[[32]byte]bool
}

func (c *memory) Get(key [32]byte) (bool, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	holds, known := c.m[key]
	return holds, known
}

func (c *memory) Put(key [32]byte, holds bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[key] = holds
}

// TestCache checks that a run that resumes an interrupted one asks nothing twice.
func TestCache(t *testing.T) {
	g := mustLoad(t, "post", postGrammar)
	for _, tree := range postTrees(t, g, 20) {
		want, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cache := &memory{m: map[[32]byte]bool{}}
		first, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{Cache: cache, MaxCalls: want.Stats.Calls / 2})
		if err != nil {
			t.Fatal(err)
		}
		rest, err := reduce.Run(context.Background(), reduce.Input{Tree: tree}, postPredicate, reduce.Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if first.Stats.Calls+rest.Stats.Calls != want.Stats.Calls || !bytes.Equal(rest.Text, want.Text) {
			t.Errorf("%d and %d calls to %q, want %d to %q", first.Stats.Calls, rest.Stats.Calls, rest.Text, want.Stats.Calls, want.Text)
		}
	}
}

// TestKinds checks that the counters of kinds of edits add up to those of their pass, for any
// number of workers.
func TestKinds(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		holds := func(_ context.Context, text []byte) (bool, error) {
			return strings.Contains(string(text), "area("), nil
		}
		r, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(luaText)}, holds, reduce.Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Stats.Passes {
			if p.Name == "input" {
				continue
			}
			sum := reduce.PassStats{Name: p.Name, Kinds: p.Kinds}
			for _, k := range p.Kinds {
				sum.Tries, sum.Calls, sum.Accepted, sum.Bytes = sum.Tries+k.Tries, sum.Calls+k.Calls, sum.Accepted+k.Accepted, sum.Bytes+k.Bytes
			}
			if d := cmp.Diff(p, sum); d != "" {
				t.Errorf("%d jobs: -pass +kinds:\n%s", jobs, d)
			}
		}
	}
}

// TestFewCalls checks that the plan for few calls asks fewer questions, the same for any number of
// workers, and that a run that goes on asks the rest of them.
func TestFewCalls(t *testing.T) {
	run := func(o reduce.Options) *reduce.Result {
		t.Helper()
		holds := func(_ context.Context, text []byte) (bool, error) {
			return regexp.MustCompile(`(?s)function.*area\(.*\).*ipairs`).Match(text), nil
		}
		r, err := reduce.Run(t.Context(), reduce.Input{Text: []byte(luaText)}, holds, o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole, few := run(reduce.Options{}), run(reduce.Options{FewCalls: true})
	if whole.Stats.FewCalls || !few.Stats.FewCalls || few.Stats.Calls >= whole.Stats.Calls {
		t.Errorf("%d calls by the usual plan, %d by that for few", whole.Stats.Calls, few.Stats.Calls)
	}
	if r := run(reduce.Options{FewCalls: true, Jobs: 3}); string(r.Text) != string(few.Text) || r.Stats.Calls != few.Stats.Calls {
		t.Errorf("3 jobs: %d calls to %q; one: %d to %q", r.Stats.Calls, r.Text, few.Stats.Calls, few.Text)
	}
	cache := answers{}
	first := run(reduce.Options{FewCalls: true, Cache: cache, MaxCalls: 20})
	rest := run(reduce.Options{FewCalls: true, Cache: cache})
	if n := first.Stats.Calls + rest.Stats.Calls; n != few.Stats.Calls || string(rest.Text) != string(few.Text) {
		t.Errorf("%d calls in two runs to %q; in one %d to %q", n, rest.Text, few.Stats.Calls, few.Text)
	}
}
