package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// Options controls a worker. Login, Dir and Definition are required.
type Options struct {
	Login
	Dir        string // the folder of the campaign
	Fleet      string // "" is main: a server has any number of fleets
	Replicas   int    // replicas of all buckets, if the server is a cluster; 0 is 1
	Name       string // the machine's name, for people
	Definition Definition
	AnySeed    bool // use the seed of the fleet; that of Definition is for a new one

	Block int           // places in a block; 0: about a lease of work
	Sync  time.Duration // the interval of exchanging findings and entries; 0 is 2 s

	Note func(text string) // shows the user a line; nil: silent
}

// DefinitionOf returns the definition for a campaign's options; edges is the size of the map of
// edges of its program, target the user's name for the program or "".
func DefinitionOf(o *campaign.Options, edges int, target string) Definition {
	command, _ := json.Marshal(o.Command)
	return Definition{
		V: version, Grammar: o.Grammar.SHA256, Start: o.Grammar.Start, Stream: o.Stream(), Command: string(command), Program: o.Program,
		Edges: edges, Target: target, Seed: o.Seed, Lease: DefaultLease,
	}
}

// The files of a worker in the folder of its campaign.
const (
	joinedName = "fleet.json"    // the definition of its fleet
	ownName    = "fleet-%d.json" // of the run with this number
)

// maxFile bounds these files, in bytes.
const maxFile = 1 << 20

// joined is the file that names the fleet of a folder.
type joined struct {
	Fleet      string     `json:"fleet"`
	Definition Definition `json:"definition"`
}

// Join compares the worker's definition with that of the fleet, and creates the fleet if it does
// not exist. A worker whose definition differs is refused. If the hub is unreachable, a former
// worker of the fleet, by the files of its folder, works alone until the hub is back.
func Join(ctx context.Context, o Options) (*Worker, error) {
	if o.Fleet == "" {
		o.Fleet = "main"
	}
	if o.Sync == 0 {
		o.Sync = 2 * time.Second
	}
	o.Replicas = max(o.Replicas, 1)
	if o.Note == nil {
		o.Note = func(string) {}
	}
	w := newWorker(o)
	nc, err := o.Connect(false)
	if away := err; err != nil {
		if e := w.joinAlone(); e != nil {
			return nil, errors.Join(err, e)
		}
		if nc, err = o.Connect(true); err != nil {
			return nil, err
		}
		w.setOnline(away)
	}
	if w.store, err = newStore(nc, o.Fleet); err == nil && w.online {
		if err = w.agree(ctx); err == nil {
			err = w.saveJoined()
		} else if ctx.Err() == nil && w.trouble(err) && w.joinAlone() == nil {
			w.setOnline(err)
			err = nil
		}
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	nc.SetReconnectHandler(func(*nats.Conn) { w.wakeAll() })
	return w, nil
}

// agree compares the definition of the fleet with the worker's own. It creates missing buckets
// and keys, so that a fleet continues after its server has lost all data.
func (w *Worker) agree(ctx context.Context) error {
	err := w.store.open(ctx)
	if missing(err) {
		if err = w.store.create(ctx, w.def.Lease, w.o.Replicas); err != nil {
			if e := w.store.open(ctx); e == nil {
				err = nil // another worker created them, with another lease
			}
		}
	}
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) {
		return fmt.Errorf("the server at %s has no JetStream: %w; start nats-server with -js", w.o.URL, err)
	}
	if err != nil {
		return fmt.Errorf("fleet %s at %s: %w", w.o.Fleet, w.o.URL, err)
	}
	for {
		data, _, err := get(ctx, w.store.state, "definition")
		if gone(err) {
			_, err = set(ctx, w.store.state, "definition", mustJSON(w.def), 0)
			if conflict(err) {
				continue
			}
			if err == nil {
				data = mustJSON(w.def)
			}
		}
		if err != nil {
			return err
		}
		def, err := parseDefinition(data)
		if err != nil {
			return fmt.Errorf("fleet %s at %s has no definition that can be read: %w; begin another one with --fleet NAME", w.o.Fleet, w.o.URL, err)
		}
		if d := def.difference(&w.def, w.o.AnySeed); d != "" {
			return fmt.Errorf("fleet %s at %s does something else: %s; give the same flags, grammar and program, or begin another fleet with --fleet NAME (where only the build differs, give all workers the same --target-id)", w.o.Fleet, w.o.URL, d)
		}
		if !w.agreed { // later the other goroutines read it
			w.def, w.o.AnySeed, w.agreed = *def, false, true
		}
		break
	}
	_, err = set(ctx, w.store.state, "ledger", mustJSON(ledger{V: version, Next: w.floor(), Slots: w.own.Slot}), 0)
	if conflict(err) {
		err = nil
	}
	return err
}

func (w *Worker) saveJoined() error {
	d := new(corpus.Disk)
	if err := d.MkdirAll(w.o.Dir); err != nil {
		return err
	}
	return d.WriteSynced(filepath.Join(w.o.Dir, joinedName), append(mustJSON(joined{w.o.Fleet, w.def}), '\n'))
}

// joinAlone takes the definition from the folder.
func (w *Worker) joinAlone() error {
	path := filepath.Join(w.o.Dir, joinedName)
	data, err := files.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s was in no fleet yet, so it cannot begin alone; start the hub first", w.o.Dir)
	}
	if err != nil {
		return err
	}
	var j joined
	if err := strictJSON(data, &j); err != nil {
		return fmt.Errorf("%s: %w; remove it and start the hub", path, err)
	}
	if j.Fleet != w.o.Fleet {
		return fmt.Errorf("%s was in fleet %q, not in %q, so it cannot begin alone; start the hub first", w.o.Dir, j.Fleet, w.o.Fleet)
	}
	if d := j.Definition.difference(&w.def, w.o.AnySeed); d != "" {
		return fmt.Errorf("%s was in fleet %s, which does something else: %s; give the same flags, grammar and program, or start the hub first", w.o.Dir, j.Fleet, d)
	}
	w.def, w.o.AnySeed, w.agreed = j.Definition, false, true
	return nil
}

// own is the state of a worker between runs.
type own struct {
	ID   string `json:"id"`
	Slot uint64 `json:"slot"` // the number of its own places; 0: none yet
	Next uint64 `json:"next"` // the first of its own places that it did not begin, from 0
	Left []span `json:"left"` // earlier places that it did not run
}

// Start starts the worker in the fleet, for the run of that number of a folder.
func (w *Worker) Start(ctx context.Context, folder *campaign.Folder, number int) error {
	w.folder = folder
	w.ownPath = filepath.Join(w.o.Dir, fmt.Sprintf(ownName, number))
	data, err := files.Read(w.ownPath, maxFile)
	switch {
	case err == nil:
		if err := strictJSON(data, &w.own); err != nil {
			return fmt.Errorf("%s: %w; remove it", w.ownPath, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case !w.online:
		return fmt.Errorf("%s is missing and the hub is out of reach: this run was in no fleet yet; start the hub first", w.ownPath)
	}
	if w.own.ID == "" {
		w.own.ID = rand.Text()
	}
	for _, s := range w.own.Left {
		w.add(&held{own: true, todo: []span{s}})
	}
	if w.online {
		err := w.register(ctx)
		if err != nil && w.own.Slot > 0 && ctx.Err() == nil && w.trouble(err) {
			w.setOnline(err)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	w.group.Go(w.renewing)
	w.group.Go(w.leasing)
	w.group.Go(w.exchanging)
	return nil
}

// saveOwn writes the file of the worker's own places. The lock must be held.
func (w *Worker) saveOwn() error {
	w.own.Left = nil
	for _, h := range w.held {
		if h.own {
			w.own.Left = append(w.own.Left, w.left(h)...)
		}
	}
	return new(corpus.Disk).WriteSynced(w.ownPath, append(mustJSON(w.own), '\n'))
}
