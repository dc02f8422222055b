package fleet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// exchange tracks the findings and entries of the fleet that a worker knows.
type exchange struct {
	dirty atomic.Bool // the folder may have findings that the fleet lacks

	mu       sync.Mutex
	findings map[string]*known
	attempts uint64

	// Only the loop uses these.
	entries               map[string]bool // names of the fleet's entries
	nextEntry, nextRecord uint64
}

// known is a finding of the fleet.
type known struct {
	revision uint64
	message  *findingMessage   // nil: it was refused
	finding  *campaign.Finding // nil: it was refused
}

func (x *exchange) init() {
	x.findings, x.entries = map[string]*known{}, map[string]bool{}
	x.dirty.Store(true)
}

// shrinkers adds the workers that shrink findings to a set.
func (x *exchange) shrinkers(to map[string]bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, k := range x.findings {
		if k.finding != nil && !k.finding.Shrunk {
			to[k.message.Shrinker] = true
		}
	}
}

// exchanging exchanges findings and entries with the fleet.
func (w *Worker) exchanging() {
	w.loop(w.wake.exchange, w.o.Sync, func() {
		if !w.isOnline() {
			w.abandoned.Store(true) // no worker reports that it shrinks
			return
		}
		if err := w.exchangeOnce(w.ctx); err != nil && w.ctx.Err() == nil {
			var disk *fs.PathError
			if errors.As(err, &disk) {
				w.o.Note(fmt.Sprintf("the folder cannot take what others found: %v", err))
				return
			}
			signal(w.wake.renew) // the renewal finds out whether the hub is reachable
		}
	})
}

func (w *Worker) exchangeOnce(ctx context.Context) error {
	for _, step := range []func(context.Context) error{w.pullFindings, w.pushFindings, w.pushEntries, w.pullEntries} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	w.lookForAbandoned()
	return nil
}

// lookForAbandoned looks for findings that no worker shrinks.
func (w *Worker) lookForAbandoned() {
	x := &w.exchange
	x.mu.Lock()
	defer x.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	found := false
	for _, k := range x.findings {
		if k.finding != nil && !k.finding.Shrunk && w.mayShrink(k.message.Shrinker) {
			found = true
		}
	}
	w.abandoned.Store(found)
}

// mayShrink reports whether this worker may take a finding over from its shrinker. The lock must
// be held.
func (w *Worker) mayShrink(shrinker string) bool {
	return shrinker == "" || shrinker == w.own.ID || w.dead(shrinker)
}

// pullFindings copies the findings of other workers to the folder.
func (w *Worker) pullFindings(ctx context.Context) (err error) {
	x := &w.exchange
	before := x.nextRecord
	defer func() {
		if x.nextRecord < before { // the server has lost its data
			x.dirty.Store(true)
			x.mu.Lock()
			clear(x.findings)
			x.mu.Unlock()
		}
	}()
	x.nextRecord, err = w.store.since(ctx, "KV_"+w.store.bucket("findings"), "", x.nextRecord, func(m message) error {
		if m.removed {
			return nil
		}
		k, err := w.readFinding(ctx, m.key, m.data, m.revision)
		if err != nil {
			if w.trouble(err) {
				return err
			}
			w.refuse(err)
			return nil
		}
		_, err = w.folder.Keep(clone(k.finding))
		return err
	})
	return err
}

// clone copies a finding, since keeping it in a folder changes it.
func clone(fd *campaign.Finding) *campaign.Finding {
	c := *fd
	return &c
}

// trouble reports whether an error comes from the connection, and not from a message.
func (w *Worker) trouble(err error) bool {
	return missing(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrConnectionClosed) || !w.store.nc.IsConnected()
}

// readFinding reads a finding of the fleet and remembers it, unless a newer one is known.
func (w *Worker) readFinding(ctx context.Context, key string, data []byte, revision uint64) (*known, error) {
	k := &known{revision: revision}
	m, err := parseFindingMessage(data)
	if err == nil {
		record := m.Record
		if m.Object != "" {
			record, err = w.store.object(ctx, m.Object)
		}
		if err == nil {
			k.finding, err = parseRecord(key, record, w.def.Grammar)
		}
	}
	if err == nil {
		k.message = m
	} else if w.trouble(err) {
		return nil, err
	}
	x := &w.exchange
	x.mu.Lock()
	if old := x.findings[key]; findingKey.MatchString(key) && (old == nil || old.revision < revision) {
		x.findings[key] = k
	}
	x.mu.Unlock()
	return k, err
}

// refresh reads a finding's key; nil: it does not exist.
func (w *Worker) refresh(ctx context.Context, key string) (*known, error) {
	data, revision, err := get(ctx, w.store.findings, key)
	if gone(err) {
		w.exchange.mu.Lock()
		delete(w.exchange.findings, key)
		w.exchange.mu.Unlock()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k, err := w.readFinding(ctx, key, data, revision)
	if k != nil {
		err = nil // a refused finding is replaced
	}
	return k, err
}

// pushFindings sends the findings of the folder that are better than the fleet's.
func (w *Worker) pushFindings(ctx context.Context) error {
	x := &w.exchange
	if !x.dirty.Swap(false) {
		return nil
	}
	all, err := w.folder.Findings()
	for _, fd := range all {
		if err == nil && fd.Fixed.IsZero() && fd.Record.Grammar.SHA256 == w.def.Grammar {
			_, err = w.pushFinding(ctx, fd)
		}
	}
	if err != nil {
		x.dirty.Store(true)
	}
	return err
}

// pushFinding sets a finding's key if the finding is better than the fleet's, and returns the
// fleet's finding afterwards.
func (w *Worker) pushFinding(ctx context.Context, fd *campaign.Finding) (*known, error) {
	x := &w.exchange
	x.mu.Lock()
	k := x.findings[fd.Key]
	x.mu.Unlock()
	for {
		if k != nil && k.finding != nil && !fd.Better(k.finding) {
			return k, nil
		}
		x.mu.Lock()
		x.attempts++
		m := &findingMessage{V: version, Worker: w.own.ID, Attempt: x.attempts}
		x.mu.Unlock()
		if k != nil && k.message != nil && !fd.Shrunk {
			m.Shrinker, m.Begun = k.message.Shrinker, k.message.Begun
		}
		var err error
		if m.Record, err = fd.Append(nil); err != nil {
			return nil, err
		}
		if len(m.Record) > inlineText {
			if m.Object, err = w.store.putObject(ctx, m.Record); err != nil {
				return nil, err
			}
			m.Record = nil
		}
		if k, err = w.setFinding(ctx, fd.Key, k, m, fd); k != nil || err != nil {
			return k, err
		}
		if k, err = w.refresh(ctx, fd.Key); err != nil {
			return nil, err
		}
	}
}

// setFinding replaces a known finding; nil without an error: another worker was faster.
func (w *Worker) setFinding(ctx context.Context, key string, old *known, m *findingMessage, fd *campaign.Finding) (*known, error) {
	revision := uint64(0)
	if old != nil {
		revision = old.revision
	}
	revision, err := set(ctx, w.store.findings, key, mustJSON(m), revision)
	if conflict(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k := &known{revision, m, clone(fd)}
	w.exchange.mu.Lock()
	w.exchange.findings[key] = k
	w.exchange.mu.Unlock()
	return k, nil
}

// Abandoned implements campaign.Coordinator.
func (w *Worker) Abandoned() bool { return w.abandoned.Swap(false) }

// Claim implements campaign.Coordinator. While the hub is unreachable the worker shrinks its
// findings alone.
func (w *Worker) Claim(ctx context.Context, fd *campaign.Finding) (*campaign.Claim, error) {
	alone := &campaign.Claim{Release: func() {}}
	if !w.isOnline() {
		return alone, nil
	}
	k, err := w.pushFinding(ctx, fd)
	for err == nil {
		if k != nil && k.finding != nil {
			w.mu.Lock()
			may := w.mayShrink(k.message.Shrinker)
			w.mu.Unlock()
			if k.finding.Shrunk || !may {
				return nil, nil
			}
			m := *k.message
			m.Shrinker, m.Begun = w.own.ID, true
			var mine *known
			mine, err = w.setFinding(ctx, fd.Key, k, &m, k.finding)
			if mine != nil {
				return w.claimed(ctx, fd.Key, k.message.Begun), nil
			}
			if err != nil {
				break
			}
		}
		if k, err = w.refresh(ctx, fd.Key); err == nil && (k == nil || k.finding == nil) {
			k, err = w.pushFinding(ctx, fd)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return alone, nil
}

// claimed returns the claim on a finding that this worker shrinks.
func (w *Worker) claimed(ctx context.Context, key string, begun bool) *campaign.Claim {
	a := &answers{w: w, key: key, no: map[answer]bool{}}
	if begun {
		a.load(ctx)
	}
	return &campaign.Claim{Answers: a, Release: func() {
		a.flush()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
		defer cancel()
		w.unclaim(ctx, key)
	}}
}

// unclaim leaves an unshrunk finding to others. If that fails, another worker takes it over when
// this one is gone.
func (w *Worker) unclaim(ctx context.Context, key string) {
	if local, err := w.folder.Finding(key); err == nil && local.Shrunk {
		w.exchange.dirty.Store(true)
		signal(w.wake.exchange)
		return
	}
	k, err := w.refresh(ctx, key)
	if err != nil || k == nil || k.message == nil || k.message.Shrinker != w.own.ID {
		return
	}
	m := *k.message
	m.Shrinker = ""
	_, _ = w.setFinding(ctx, key, k, &m, k.finding)
}

// pushBatch is the number of entries sent to the server concurrently.
const pushBatch = 128

// pushEntries sends the texts of the folder's queue that the fleet lacks. They stay in the
// folder.
func (w *Worker) pushEntries(ctx context.Context) error {
	x := &w.exchange
	names, err := w.folder.Texts()
	if err != nil {
		return err
	}
	type sent struct {
		name   string
		future jetstream.PubAckFuture
	}
	var batch []sent
	wait := func() error {
		for _, s := range batch {
			select {
			case <-s.future.Ok():
			case err := <-s.future.Err():
				if !conflict(err) { // otherwise the fleet has it
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
			x.entries[s.name] = true
		}
		batch = batch[:0]
		return nil
	}
	for _, name := range names {
		if x.entries[name] {
			continue
		}
		text, err := w.folder.Text(name)
		if err != nil || len(text) > maxText {
			x.entries[name] = true // removed meanwhile, set aside, or never to be sent
			continue
		}
		m := &entryMessage{V: version, Grammar: w.def.Grammar, Text: text}
		if len(text) > inlineText {
			if m.Object, err = w.store.putObject(ctx, text); err != nil {
				return err
			}
			m.Text = nil
		}
		future, err := w.store.js.PublishMsgAsync(&nats.Msg{Subject: w.store.subject("entries", name), Data: mustJSON(m)}, jetstream.WithExpectLastSequencePerSubject(0))
		if err != nil {
			return err
		}
		batch = append(batch, sent{name, future})
		if len(batch) == pushBatch {
			if err := wait(); err != nil {
				return err
			}
		}
	}
	return wait()
}

// pullEntries writes the texts of others to the folder's queue, where the campaign looks for
// them.
func (w *Worker) pullEntries(ctx context.Context) (err error) {
	x := &w.exchange
	before := x.nextEntry
	defer func() {
		if x.nextEntry < before { // the server has lost its data
			clear(x.entries)
		}
	}()
	x.nextEntry, err = w.store.since(ctx, "KV_"+w.store.bucket("entries"), "", x.nextEntry, func(m message) error {
		if m.removed || x.entries[m.key] {
			return nil
		}
		e, err := parseEntry(m.key, m.data, w.def.Grammar)
		if err == nil && e.Object != "" {
			if e.Text, err = w.store.object(ctx, e.Object); err != nil && w.trouble(err) {
				return err
			}
		}
		if err != nil {
			w.refuse(err)
			return nil
		}
		x.entries[m.key] = true
		return w.folder.AddText(e.Text)
	})
	w.mu.Lock()
	w.report.Imported = max(x.nextEntry, 1) - 1
	w.mu.Unlock()
	return err
}

// subject returns the subject of a key.
func (s *store) subject(part, key string) string { return "$KV." + s.bucket(part) + "." + key }

// putObject stores a large value under the hash of its content.
func (s *store) putObject(ctx context.Context, data []byte) (name string, err error) {
	name = corpus.Name(data)
	if _, err := s.texts.GetInfo(ctx, name); err == nil {
		return name, nil
	}
	_, err = s.texts.PutBytes(ctx, name, data)
	return name, err
}

// object reads a large value, and checks it against its name.
func (s *store) object(ctx context.Context, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*requestTime)
	defer cancel()
	info, err := s.texts.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	if info.Size > 2*maxText {
		return nil, refuse("too large", "an object of %d bytes, more than %d", info.Size, 2*maxText)
	}
	data, err := s.texts.GetBytes(ctx, name)
	if err != nil {
		return nil, err
	}
	if corpus.Name(data) != name {
		return nil, fmt.Errorf("object %s has another content", name)
	}
	return data, nil
}
