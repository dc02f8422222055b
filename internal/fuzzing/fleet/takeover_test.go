package fleet

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// takeovers measures how long lost leases wait for a process that goes on with their blocks.
//
// Its clock stands still while the hub does not answer, and while no worker has run anything
// for a second. The time between two looks counts for four times its plan at most, so the
// clock is as slow as the machine.
type takeovers struct {
	x     *trial
	store *store
	end   chan struct{}
	group sync.WaitGroup

	mu     sync.Mutex
	clock  time.Duration
	lost   map[uint64]lostLease // by block
	others int                  // blocks that another worker took
	waited []time.Duration      // by the clock: of all blocks that were taken over
}

// lostLease is a block whose process has died, or cannot be reached.
type lostLease struct {
	block
	since time.Duration // by the clock
}

// lookEvery is the time between two looks at the ledger.
const lookEvery = 50 * time.Millisecond

// watchTakeovers begins to look.
func (x *trial) watchTakeovers() *takeovers {
	x.t.Helper()
	nc, err := x.login.Connect(true)
	if err != nil {
		x.t.Fatal(err)
	}
	k := &takeovers{x: x, end: make(chan struct{}), lost: map[uint64]lostLease{}}
	if k.store, err = newStore(nc, "main"); err != nil {
		x.t.Fatal(err)
	}
	x.await("the ledger", func() bool { return k.store.open(x.t.Context()) == nil })
	k.group.Go(k.watch)
	x.t.Cleanup(func() {
		close(k.end)
		k.group.Wait()
		nc.Close()
	})
	return k
}

func (k *takeovers) watch() {
	ran, last, grown := int64(0), time.Now(), time.Time{}
	for {
		select {
		case <-k.end:
			return
		case <-time.After(lookEvery):
		}
		l, _, err := k.store.ledger(k.x.t.Context())
		now, sum := time.Now(), k.x.ranBytes()
		if sum > ran {
			grown = now
		}
		k.mu.Lock()
		if err == nil && now.Sub(grown) < time.Second {
			k.clock += min(now.Sub(last), 4*lookEvery)
		}
		if err == nil {
			k.look(l)
		}
		k.mu.Unlock()
		ran, last = sum, now
	}
}

// ranBytes is the length of the logs of all workers, which grow with each place.
func (x *trial) ranBytes() (sum int64) {
	for i := range x.workers {
		if info, err := os.Stat(fmt.Sprintf("%s/ran%d", x.dir, i)); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// look finds the blocks that were taken over: another worker owns them, or the next process of
// their worker has reported progress on them. The lock must be held.
func (k *takeovers) look(l *ledger) {
	for id, lost := range k.lost {
		i := slices.IndexFunc(l.Open, func(b block) bool { return b.ID == id })
		if i >= 0 && l.Open[i].Owner == lost.Owner && slices.Equal(l.Open[i].Spans, lost.Spans) {
			continue
		}
		if i >= 0 && l.Open[i].Owner != lost.Owner {
			k.others++
		}
		k.waited = append(k.waited, k.clock-lost.since)
		delete(k.lost, id)
	}
}

// lose notes the leases of a worker, which is dead or cut off, as lost.
func (k *takeovers) lose(worker int) {
	k.x.t.Helper()
	var mine own
	path := filepath.Join(k.x.dir, fmt.Sprint("worker", worker), fmt.Sprintf(ownName, 1))
	if data, err := os.ReadFile(path); err != nil || strictJSON(data, &mine) != nil {
		return // it has not joined yet
	}
	k.x.await("the ledger", func() bool {
		l, _, err := k.store.ledger(k.x.t.Context())
		if err != nil {
			return false
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.look(l)
		for _, b := range l.Open {
			if old, ok := k.lost[b.ID]; b.Owner == mine.ID && (!ok || old.Token != b.Token) {
				k.lost[b.ID] = lostLease{b, k.clock} // another token: another process had it, and is dead, too
			}
		}
		return true
	})
}

// awaitAll waits until all blocks are taken over.
func (k *takeovers) awaitAll() {
	k.x.t.Helper()
	k.x.await("taking over", func() bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return len(k.lost) == 0
	})
}

// check checks that every lease was taken over, and logs how long that took: with a slow disk it
// is more than the few leases that it takes elsewhere.
func (k *takeovers) check() {
	k.x.t.Helper()
	k.awaitAll()
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waited) == 0 {
		k.x.t.Error("no lease was lost")
		return
	}
	slices.SortFunc(k.waited, cmp.Compare[time.Duration])
	k.x.t.Logf("%d leases of %v were lost, %d of their blocks went to another worker; half waited up to %v, the longest %v",
		len(k.waited), victimLease, k.others, k.waited[len(k.waited)/2], k.waited[len(k.waited)-1])
}
