package fleet

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// TestBrokenLoop checks that a panic of a worker's own goroutines is one of the campaign.
func TestBrokenLoop(t *testing.T) {
	h := startHub(t, HubOptions{})
	runs := make(chan struct{})
	began := sync.OnceFunc(func() { close(runs) })
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(func(string) string {
		began()
		return ""
	}))
	w.campaign.Runs = 0
	w.fleet.Note = func(string) { panic("broken") } // the hub is unreachable
	var closing sync.WaitGroup
	closing.Go(func() {
		<-runs
		h.Close()
	})
	defer func() {
		began() // in case there was no run
		closing.Wait()
		if p, ok := recover().(*campaign.Panic); !ok || p.String() != "broken" {
			t.Errorf("the panic is %v", p)
		}
	}()
	_, err := w.run(t.Context())
	t.Errorf("it ended with %v", err)
}
