package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Status is the state of a fleet.
type Status struct {
	Fleet     string            `json:"fleet"`
	Command   string            `json:"command"`
	Seed      uint64            `json:"seed"`
	Runs      uint64            `json:"runs"`       // runs of the program that were reported to the ledger
	PerSecond float64           `json:"per_second"` // runs per second of the live workers
	Sentences uint64            `json:"sentences"`  // sentences given out
	Entries   uint64            `json:"entries"`
	Workers   []WorkerStatus    `json:"workers"`
	Findings  []FindingStatus   `json:"findings"`
	Leases    []LeaseStatus     `json:"leases"`
	Taken     uint64            `json:"taken_over"` // blocks taken over from workers that died
	Refused   map[string]uint64 `json:"refused"`    // messages, by reason: of all live workers, and of this query
}

// WorkerStatus is the state of a worker.
type WorkerStatus struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Runs      uint64  `json:"runs"`
	PerSecond float64 `json:"per_second"`
	Labels    int     `json:"labels"`
	LastWord  float64 `json:"last_word"` // seconds ago
	Lag       uint64  `json:"lag"`       // entries of others that it does not have yet
	Lost      uint64  `json:"lost"`      // blocks that others took over
	Own       uint64  `json:"own"`       // sentences run while the hub was unreachable
}

// FindingStatus is the state of a kind of failure.
type FindingStatus struct {
	Key       string `json:"key"`
	Signature string `json:"signature"`
	Bytes     int    `json:"bytes"`
	Shrunk    bool   `json:"shrunk"`
	Shrinker  string `json:"shrinker,omitempty"`
}

// LeaseStatus is the state of a block.
type LeaseStatus struct {
	Block  uint64 `json:"block"`
	Left   uint64 `json:"left"`   // places not run at the last report to the ledger
	Worker string `json:"worker"` // "": none
	Alive  bool   `json:"alive"`
}

// Watch observes a fleet from outside. It belongs to one goroutine.
type Watch struct {
	s        *store
	def      *Definition
	records  uint64
	findings map[string]FindingStatus
	refused  map[string]uint64
}

// NewWatch returns a watch of the fleet of that name; "" is main.
func NewWatch(nc *nats.Conn, name string) (*Watch, error) {
	s, err := newStore(nc, cmp.Or(name, "main"))
	return &Watch{s: s, findings: map[string]FindingStatus{}, refused: map[string]uint64{}}, err
}

// ErrNoFleet says that the fleet does not exist yet.
var ErrNoFleet = errors.New("this fleet does not exist yet; gramfuzz fuzz --hub begins it")

func (w *Watch) refuse(err error) { w.refused[refusal(err)]++ }

// Status returns the state of the fleet.
func (w *Watch) Status(ctx context.Context) (*Status, error) {
	if err := w.open(ctx); err != nil {
		return nil, err
	}
	l, _, err := w.s.ledger(ctx)
	if err != nil {
		return nil, err
	}
	st := &Status{
		Fleet: w.s.name, Command: w.def.Command, Seed: w.def.Seed, Runs: l.Runs, Sentences: l.Next, Taken: l.Taken,
		Refused: map[string]uint64{}, Workers: []WorkerStatus{}, Findings: []FindingStatus{}, Leases: []LeaseStatus{},
	}
	entries, err := w.s.info(ctx, "KV_"+w.s.bucket("entries"))
	if err != nil {
		return nil, err
	}
	st.Entries = entries.State.Msgs
	alive, err := w.workers(ctx, st, entries.State.LastSeq)
	if err != nil {
		return nil, err
	}
	for _, b := range l.Open {
		lease := LeaseStatus{Block: b.ID, Worker: b.Owner, Alive: alive[b.Owner]}
		for _, s := range b.Spans {
			lease.Left += s.To - s.From
		}
		st.Leases = append(st.Leases, lease)
	}
	if err := w.readFindings(ctx); err != nil {
		return nil, err
	}
	for _, f := range w.findings {
		st.Findings = append(st.Findings, f)
	}
	slices.SortFunc(st.Findings, func(a, b FindingStatus) int { return strings.Compare(a.Key, b.Key) })
	for why, n := range w.refused {
		st.Refused[why] += n
	}
	return st, nil
}

// open reads the definition, once.
func (w *Watch) open(ctx context.Context) error {
	if err := w.s.open(ctx); err != nil {
		if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("fleet %s: %w", w.s.name, ErrNoFleet)
		}
		return fmt.Errorf("fleet %s: %w; does the server run, with JetStream?", w.s.name, err)
	}
	data, _, err := get(ctx, w.s.state, "definition")
	if gone(err) {
		return fmt.Errorf("fleet %s: %w", w.s.name, ErrNoFleet)
	}
	if err == nil {
		w.def, err = parseDefinition(data)
	}
	return err
}

// workers adds the workers that have keys.
func (w *Watch) workers(ctx context.Context, st *Status, lastEntry uint64) (alive map[string]bool, err error) {
	stream := "KV_" + w.s.bucket("workers")
	alive = map[string]bool{}
	keys, err := w.s.workers.ListKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stream, err)
	}
	for id := range keys.Keys() {
		e, err := w.s.workers.Get(ctx, id)
		if gone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := parseReport(e.Value())
		if err != nil {
			w.refuse(err)
			continue
		}
		alive[id] = true
		st.PerSecond += r.PerSecond
		for why, n := range r.Refused {
			st.Refused[why] += n
		}
		st.Workers = append(st.Workers, WorkerStatus{
			ID: id, Name: r.Name, Runs: r.Runs, PerSecond: r.PerSecond, Labels: r.Labels, LastWord: max(time.Since(e.Created()).Seconds(), 0),
			Lag: lastEntry - min(r.Imported, lastEntry), Lost: r.Lost, Own: r.Offline,
		})
	}
	slices.SortFunc(st.Workers, func(a, b WorkerStatus) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return alive, nil
}

// readFindings reads the findings that changed since the last call.
func (w *Watch) readFindings(ctx context.Context) (err error) {
	w.records, err = w.s.since(ctx, "KV_"+w.s.bucket("findings"), "", w.records, func(m message) error {
		if m.removed {
			delete(w.findings, m.key)
			return nil
		}
		f, err := parseFindingMessage(m.data)
		if err != nil {
			w.refuse(err)
			return nil
		}
		record := f.Record
		if f.Object != "" {
			if record, err = w.s.object(ctx, f.Object); err != nil {
				w.refuse(err)
				return nil
			}
		}
		fd, err := parseRecord(m.key, record, w.def.Grammar)
		if err != nil {
			w.refuse(err)
			return nil
		}
		w.findings[m.key] = FindingStatus{fd.Key, fd.Signature, len(fd.Record.Text), fd.Shrunk, f.Shrinker}
		return nil
	})
	return err
}
