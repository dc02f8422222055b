package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gramfuzz/gramfuzz/internal/base/ahead"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// Worker is one process of a fleet. It is safe for concurrent use.
type Worker struct {
	o       Options
	def     Definition
	agreed  bool // def is that of the fleet, and does not change
	store   *store
	folder  *campaign.Folder
	ownPath string

	ctx    context.Context // ends at Close
	cancel context.CancelFunc
	group  sync.WaitGroup
	broken chan *campaign.Panic // the panic of a loop
	wake   struct{ renew, lease, exchange chan struct{} }

	changing sync.Mutex // held while the worker changes its part of the ledger; taken before mu

	mu       sync.Mutex
	own      own
	online   bool
	token    uint64 // 0: not registered
	revision uint64 // the revision of the worker's key
	held     []*held
	finished []*held
	running  map[uint64]*held     // places that were handed out and not run yet
	ready    chan struct{}        // closed and replaced when there are places to hand out
	failed   error                // set when there will be no more places
	rate     float64              // places per second in the blocks run so far; 0: unknown
	absent   map[string]time.Time // workers whose key is gone, and the time at which that was noticed
	high     uint64               // the highest place known to be given out
	told     uint64               // runs reported to the ledger
	report   selfReport

	exchange  exchange
	abandoned atomic.Bool
}

// held is a block of this worker.
type held struct {
	id, token uint64
	own       bool   // one of its own places
	todo      []span // not handed out
	active    int    // places handed out and not run
	size      uint64
	begun     time.Time // the time at which its first place was handed out
}

func newWorker(o Options) *Worker {
	w := &Worker{o: o, def: o.Definition, online: true, running: map[uint64]*held{}, ready: make(chan struct{}), broken: make(chan *campaign.Panic, 3), absent: map[string]time.Time{}}
	w.report = selfReport{V: version, Name: cut(o.Name), Refused: map[string]uint64{}}
	w.wake.renew, w.wake.lease, w.wake.exchange = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	w.exchange.init()
	return w
}

func cut(name string) string { return name[:min(len(name), maxName)] }

// Seed returns the seed of the fleet.
func (w *Worker) Seed() uint64 { return w.def.Seed }

// Name implements campaign.Coordinator.
func (w *Worker) Name() string { return w.o.Fleet }

// Part implements campaign.Coordinator.
func (w *Worker) Part() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.own.Slot
}

// signal wakes a loop.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (w *Worker) wakeAll() {
	signal(w.wake.renew)
	signal(w.wake.lease)
	signal(w.wake.exchange)
}

// loop calls do at a wake-up and at least once per interval, until the worker is closed.
func (w *Worker) loop(wake chan struct{}, every time.Duration, do func()) {
	defer ahead.Catch(func(p *campaign.Panic) { w.broken <- p })
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		do()
		select {
		case <-w.ctx.Done():
			return
		case <-wake:
		case <-t.C:
		}
	}
}

// setOnline notes whether the hub is reachable, and tells the user when that changes.
func (w *Worker) setOnline(err error) {
	online := err == nil
	w.mu.Lock()
	changed := w.online != online
	w.online = online
	w.mu.Unlock()
	switch {
	case changed && online:
		w.o.Note("the hub is back; what was found meanwhile goes there")
	case changed && errors.Is(err, nats.ErrReconnectBufExceeded):
		err = errors.New("the connection is lost")
		fallthrough
	case changed:
		w.o.Note(fmt.Sprintf("the hub is out of reach (%v); going on alone, what is found stays in the folder until it is back", err))
	}
}

func (w *Worker) isOnline() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.online && w.token != 0
}

// register creates the worker's key, under a new token, and reclaims its blocks.
func (w *Worker) register(ctx context.Context) error {
	if err := w.agree(ctx); err != nil {
		return err
	}
	if w.own.Slot == 0 {
		var slot uint64
		if err := w.store.change(ctx, func(l *ledger) bool {
			slot = min(l.Slots+1, maxSlots)
			l.Slots = slot
			return true
		}); err != nil {
			return err
		}
		w.mu.Lock()
		w.own.Slot = slot
		err := w.saveOwn()
		w.mu.Unlock()
		if err != nil {
			return err
		}
	}
	w.changing.Lock()
	defer w.changing.Unlock()
	_, old, err := get(ctx, w.store.workers, w.own.ID)
	if err != nil && !gone(err) {
		return err
	}
	token, err := set(ctx, w.store.workers, w.own.ID, mustJSON(w.reportNow()), old)
	if err != nil {
		return err
	}
	mine := map[uint64]bool{}
	if err := w.store.change(ctx, func(l *ledger) bool {
		clear(mine)
		l.reclaim(w.own.ID, token)
		for _, b := range l.Open {
			if b.Owner == w.own.ID {
				mine[b.ID] = true
			}
		}
		return len(mine) > 0
	}); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.token, w.revision = token, token
	lost := map[uint64]bool{}
	for _, h := range append(slices.Clone(w.held), w.finished...) {
		h.token, lost[h.id] = token, !mine[h.id]
	}
	w.drop(lost)
	return nil
}

// reportNow returns the value of the worker's key.
func (w *Worker) reportNow() selfReport {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.report
	r.Slot = w.own.Slot
	r.Refused = map[string]uint64{}
	for k, n := range w.report.Refused {
		r.Refused[k] = n
	}
	return r
}

// refuse counts a message that was refused.
func (w *Worker) refuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Refused[refusal(err)]++
}

// renewing keeps the worker's key alive and looks for workers whose key has expired.
func (w *Worker) renewing() {
	w.loop(w.wake.renew, w.def.Lease/3, func() {
		err := w.renew()
		if err == nil {
			err = w.lookForDead()
		}
		w.noteError(err)
	})
}

// noteError notes whether a request's error means that the hub is unreachable.
func (w *Worker) noteError(err error) {
	if w.ctx.Err() == nil {
		w.setOnline(err)
	}
}

func (w *Worker) renew() error {
	w.mu.Lock()
	token, revision := w.token, w.revision
	w.mu.Unlock()
	if token == 0 {
		return w.register(w.ctx)
	}
	now, err := set(w.ctx, w.store.workers, w.own.ID, mustJSON(w.reportNow()), revision)
	if conflict(err) || missing(err) {
		return w.register(w.ctx) // the lease has expired, or the answer to the last renewal was lost
	}
	if err == nil {
		w.mu.Lock()
		w.revision = now
		w.mu.Unlock()
	}
	return err
}

// lookForDead checks that the workers that have blocks or shrink findings are alive.
func (w *Worker) lookForDead() error {
	l, _, err := w.store.ledger(w.ctx)
	if err != nil {
		return err
	}
	others := map[string]bool{}
	for _, b := range l.Open {
		others[b.Owner] = true
	}
	w.exchange.shrinkers(others)
	delete(others, "")
	delete(others, w.own.ID)
	alive, err := w.store.alive(w.ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.high = max(w.high, l.Next)
	if err != nil {
		clear(w.absent)
		return err
	}
	for id := range w.absent {
		if alive[id] || !others[id] {
			delete(w.absent, id)
		}
	}
	for id := range others {
		if _, ok := w.absent[id]; !ok && !alive[id] {
			w.absent[id] = time.Now()
		}
	}
	return nil
}

// dead reports whether a worker's key has been gone for a lease: it had that time to return. The
// lock must be held.
func (w *Worker) dead(id string) bool {
	since, ok := w.absent[id]
	return ok && time.Since(since) >= w.def.Lease
}

func (w *Worker) floor() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.high
}

// Event handles the events of the campaign; it is the Event of its [campaign.Options].
func (w *Worker) Event(e campaign.Event) {
	switch e.Kind {
	case campaign.Progress, campaign.Ended:
		w.mu.Lock()
		w.report.Runs, w.report.PerSecond, w.report.Labels = e.Stats.Runs, e.Stats.PerSecond, e.Stats.Labels
		w.mu.Unlock()
	case campaign.Found, campaign.Shrunk:
		w.exchange.dirty.Store(true)
		signal(w.wake.exchange)
	}
}

// closeTime bounds Close. In the setup of deploy, Kubernetes kills after 15 s.
const closeTime = 10 * time.Second

// Close gives back the places that were not run, sends the last findings and entries, and leaves
// the fleet. Unsent ones stay in the folder.
func (w *Worker) Close() error {
	if w.cancel == nil {
		w.store.nc.Close()
		return nil
	}
	w.cancel()
	w.group.Wait()
	defer w.store.nc.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	w.mu.Lock()
	online := w.online && w.token != 0
	w.mu.Unlock()
	if online {
		w.exchange.dirty.Store(true)
		if err := errors.Join(again(ctx, w.giveBack), again(ctx, w.exchangeOnce), again(ctx, w.lastWord)); err != nil {
			w.o.Note(fmt.Sprintf("the hub could not be told everything: %v; the next run from this folder tells it", err))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.saveOwn()
}

// again repeats a step while its answers come too late and there is time.
func again(ctx context.Context, step func(context.Context) error) error {
	for {
		err := step(ctx)
		if late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout); !late || ctx.Err() != nil {
			return err
		}
	}
}

// giveBack gives the worker's blocks back, without the places that were run.
func (w *Worker) giveBack(ctx context.Context) error {
	w.mu.Lock()
	token := w.token
	left := map[uint64][]span{}
	for _, h := range append(slices.Clone(w.held), w.finished...) {
		if !h.own {
			left[h.id] = w.left(h)
		}
	}
	runs := w.report.Runs - w.told
	w.mu.Unlock()
	return w.store.change(ctx, func(l *ledger) bool {
		l.Runs += runs
		return l.giveBack(w.own.ID, token, left) || runs > 0
	})
}

// lastWord sends the worker's numbers for the last time; then its key expires.
func (w *Worker) lastWord(ctx context.Context) error {
	w.mu.Lock()
	revision := w.revision
	w.mu.Unlock()
	last := mustJSON(w.reportNow())
	_, err := set(ctx, w.store.workers, w.own.ID, last, revision)
	if conflict(err) { // a renewal was cut off before its answer came, or the lease has expired
		if _, revision, err = get(ctx, w.store.workers, w.own.ID); gone(err) {
			return nil
		}
		if err == nil {
			_, err = set(ctx, w.store.workers, w.own.ID, last, revision)
		}
	}
	return err
}
