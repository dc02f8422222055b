package fleet

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// startHub starts a hub in a new folder.
func startHub(t *testing.T, o HubOptions) *Hub {
	t.Helper()
	if o.Data == "" {
		o.Data = filepath.Join(t.TempDir(), "hub")
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	h, err := NewHub(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// fails makes a driver whose failure is f's result: "" is no failure.
func fails(f func(text string) string) campaign.Drive {
	return campaign.Func(func(_ context.Context, text []byte) (*campaign.Ran, error) {
		r := &campaign.Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}}
		if detail := f(string(text)); detail != "" {
			r.Outcome = target.Outcome{Class: target.Crash, Detail: detail}
		}
		return r, nil
	})
}

// two fails in two ways.
func two(text string) string {
	switch {
	case strings.Contains(text, "((("):
		return "deep"
	case strings.Contains(text, "/ 0"):
		return "zero"
	}
	return ""
}

// logged is a coordinator that logs the places run.
type logged struct {
	*Worker
	mu  *sync.Mutex
	ran map[uint64]int
}

func (l logged) Ran(i uint64) {
	l.mu.Lock()
	l.ran[i]++
	l.mu.Unlock()
	l.Worker.Ran(i)
}

// worker is a process of a fleet in a test.
type worker struct {
	fleet    Options
	campaign campaign.Options
	log      logged
}

// newTestWorker returns a worker with a short campaign in the folder dir.
func newTestWorker(dir, url string, drive campaign.Drive) *worker {
	w := &worker{log: logged{mu: &sync.Mutex{}, ran: map[uint64]int{}}}
	w.campaign = campaign.Options{
		Dir: dir, Drive: drive, Runs: 2_000, Seed: 7, Command: []string{"calc", "{}"},
		Grammar: derive.GrammarRef{Name: "expr", SHA256: grammars.Must("expr").SHA256, Start: "expr"},
	}
	w.fleet = Options{Login: Login{URL: url}, Dir: dir, Name: "here", Sync: 50 * time.Millisecond, Block: testBlock}
	w.fleet.Definition = DefinitionOf(&w.campaign, 0, "")
	w.fleet.Definition.Lease = time.Hour // so that no key expires on a slow disk
	return w
}

// run runs a worker to its end.
func (w *worker) run(ctx context.Context) (*campaign.Summary, error) {
	j, err := Join(ctx, w.fleet)
	if err != nil {
		return nil, err
	}
	w.log.Worker = j
	w.campaign.Seed, w.campaign.Coordinator, w.campaign.Event = j.Seed(), w.log, j.Event
	c, err := campaign.New(ctx, grammars.Must("expr"), w.campaign)
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	if err := j.Start(ctx, c.Folder(), c.Number()); err != nil {
		return nil, errors.Join(err, c.Close(), j.Close())
	}
	sum, err := c.Run(ctx)
	return sum, errors.Join(err, j.Close())
}

// runAll runs workers concurrently.
func runAll(t *testing.T, workers ...*worker) []*campaign.Summary {
	t.Helper()
	sums := make([]*campaign.Summary, len(workers))
	var group sync.WaitGroup
	for i, w := range workers {
		w.fleet.Note = func(text string) { t.Logf("worker %d: %s", i, text) }
		group.Go(func() {
			var err error
			if sums[i], err = w.run(t.Context()); err != nil {
				t.Errorf("worker %d: %v", i, err)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return sums
}

// placesRun counts the places that were run more than once, and those that the fleet gave out and
// nobody ran.
func placesRun(most uint64, workers ...*worker) (never, twice int) {
	for i := range most {
		n := 0
		for _, w := range workers {
			n += w.log.ran[i]
		}
		if n == 0 {
			never++
		}
		twice += max(n-1, 0)
	}
	return never, twice
}

// look returns the status of the fleet main.
func look(t *testing.T, h *Hub) *Status {
	t.Helper()
	w, err := NewWatch(h.Conn(), "")
	if err != nil {
		t.Fatal(err)
	}
	st, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestWorkersShare runs three workers: no place is run twice, none is left out except in blocks
// that were given back, and all end with all findings.
func TestWorkersShare(t *testing.T) {
	h := startHub(t, HubOptions{})
	var all []*worker
	for i := range 3 {
		w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
		w.campaign.Jobs = 1 + i%2
		all = append(all, w)
	}
	runAll(t, all...)
	st := look(t, h)
	never, twice := placesRun(st.Sentences, all...)
	left := 0
	for _, l := range st.Leases {
		if l.Worker != "" {
			t.Errorf("block %d was not given back", l.Block)
		}
		left += int(l.Left)
	}
	if twice != 0 || never != left {
		t.Errorf("of %d places %d were run twice; %d were never run and %d are left", st.Sentences, twice, never, left)
	}
	if len(st.Findings) != 2 || len(st.Refused) != 0 {
		t.Errorf("the fleet is %+v", st)
	}
	checkChanges(t, h, st)
	if st.Runs < 6_000 {
		t.Errorf("the fleet knows of %d runs", st.Runs)
	}
	// A fourth one takes the places that were given back.
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.campaign.Runs = uint64(left) + 500 // some runs are not of the stream
	runAll(t, w)
	if never, twice := placesRun(st.Sentences, append(all, w)...); never != 0 || twice != 0 {
		t.Errorf("in the end %d places were never run, %d twice", never, twice)
	}
	folder, err := campaign.Open(w.campaign.Dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := folder.Findings()
	if err != nil || len(got) != 2 || !got[0].Shrunk {
		t.Errorf("the fourth has %d findings; %v", len(got), err)
	}
}

// checkChanges checks that a block costs one change of the ledger each time it is given out.
func checkChanges(t *testing.T, h *Hub, st *Status) {
	t.Helper()
	s, err := newStore(h.Conn(), "main")
	if err != nil {
		t.Fatal(err)
	}
	state, err := s.info(t.Context(), "KV_"+s.bucket("state"))
	if err != nil {
		t.Fatal(err)
	}
	const definition, begun, slots, backs = 1, 1, 3, 3 * (3 + 3) // a worker gives back up to three blocks at its end, and asks again if the answer is late
	if most := st.Sentences/testBlock + st.Taken + definition + begun + slots + backs; state.State.LastSeq > most {
		t.Errorf("%d places in blocks of %d took %d changes, more than %d", st.Sentences, testBlock, state.State.LastSeq, most)
	}
}
