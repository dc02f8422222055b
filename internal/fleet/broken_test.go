package fleet

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/campaign"
)

// A panic of a worker's own goroutines is one of the campaign.
func TestBrokenLoop(t *testing.T) {
	h := startHub(t, HubOptions{})
	w := newTestWorker(filepath.Join(t.TempDir(), "found"), h.URL(), fails(two))
	w.campaign.Runs = 0
	noted := make(chan struct{})
	w.fleet.Note = func(string) { // the hub is out of reach
		close(noted)
		panic("broken")
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		h.Close()
	}()
	defer func() {
		<-noted
		if p, ok := recover().(*campaign.Panic); !ok || p.String() != "broken" {
			t.Errorf("the panic is %v", p)
		}
	}()
	_, err := w.run(t.Context())
	t.Errorf("it ended with %v", err)
}
