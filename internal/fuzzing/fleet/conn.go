package fleet

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// Login has the address of a server and the credentials.
type Login struct {
	URL       string // nats://HOST:PORT or tls://HOST:PORT, several separated by commas
	TokenFile string
	NKeyFile  string // the file with the seed of a user's key
	TLS       TLSFiles
}

// requestTime bounds one request to the server, and so the time in which a stalled connection is
// noticed.
const requestTime = 3 * time.Second

// connectTime bounds one attempt to connect.
const connectTime = 10 * time.Second

// Connect connects to a server. With retry it need not exist yet.
func (l *Login) Connect(retry bool) (*nats.Conn, error) {
	for _, u := range strings.Split(l.URL, ",") {
		if p, err := url.Parse(u); err != nil || p.Host == "" || p.Scheme != "nats" && p.Scheme != "tls" {
			return nil, fmt.Errorf("%.200q is not an address of a hub; write one such as nats://127.0.0.1:4222", u)
		}
	}
	o := []nats.Option{
		nats.Name("gramfuzz"), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, time.Second),
		nats.Timeout(connectTime), nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.RetryOnFailedConnect(retry),
		nats.ReconnectBufSize(-1), // a request that cannot be sent fails at once; it is repeated later
	}
	if l.TokenFile != "" {
		token, err := readToken(l.TokenFile)
		if err != nil {
			return nil, err
		}
		o = append(o, nats.Token(token))
	}
	if l.NKeyFile != "" {
		key, err := nats.NkeyOptionFromSeed(l.NKeyFile)
		if err != nil {
			return nil, fmt.Errorf("--nkey-file %s: %w; nk -gen user makes a seed", l.NKeyFile, err)
		}
		o = append(o, key)
	}
	c, err := l.TLS.config()
	if err != nil {
		return nil, err
	}
	if c != nil {
		o = append(o, nats.Secure(c))
	}
	nc, err := nats.Connect(l.URL, o...)
	if err != nil {
		return nil, fmt.Errorf("no way to the hub at %s: %w; start one with gramfuzz hub --data DIR, or check the address and the credentials", l.URL, err)
	}
	return nc, nil
}

// store gives access to the buckets of a fleet.
type store struct {
	name string
	nc   *nats.Conn
	js   jetstream.JetStream

	state, workers, findings, entries jetstream.KeyValue
	texts                             jetstream.ObjectStore
}

// bucket returns the name of a bucket of the fleet.
func (s *store) bucket(part string) string { return "gramfuzz_" + s.name + "_" + part }

func newStore(nc *nats.Conn, name string) (*store, error) {
	if !fleetName.MatchString(name) {
		return nil, fmt.Errorf("--fleet %.80q is not a name; it has up to 40 letters, digits and hyphens", name)
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(requestTime), jetstream.WithPublishAsyncTimeout(requestTime))
	return &store{name: name, nc: nc, js: js}, err
}

// open finds the buckets. The error is jetstream.ErrBucketNotFound where there is no fleet.
func (s *store) open(ctx context.Context) (err error) {
	for _, b := range []struct {
		kv   *jetstream.KeyValue
		part string
	}{{&s.state, "state"}, {&s.workers, "workers"}, {&s.findings, "findings"}, {&s.entries, "entries"}} {
		kv, err := s.js.KeyValue(ctx, s.bucket(b.part))
		if err != nil {
			return err
		}
		keep(b.kv, kv)
	}
	texts, err := s.js.ObjectStore(ctx, s.bucket("texts"))
	keep(&s.texts, texts)
	return err
}

// keep sets a handle if there is none yet. Handles are names, so they stay valid when a bucket is
// recreated, and other goroutines use them.
func keep[T comparable](handle *T, now T) {
	var none T
	if *handle == none {
		*handle = now
	}
}

// create creates missing buckets.
func (s *store) create(ctx context.Context, lease time.Duration, replicas int) (err error) {
	kept := func(part string, history uint8) jetstream.KeyValueConfig {
		return jetstream.KeyValueConfig{Bucket: s.bucket(part), MaxValueSize: maxValue, History: history, Replicas: replicas}
	}
	// The keys of workers are short-lived, so they are kept in memory.
	live := kept("workers", 1)
	live.TTL, live.Storage = lease, jetstream.MemoryStorage
	for _, b := range []struct {
		kv     *jetstream.KeyValue
		config jetstream.KeyValueConfig
	}{{&s.state, kept("state", ledgerHistory)}, {&s.workers, live}, {&s.findings, kept("findings", 1)}, {&s.entries, kept("entries", 1)}} {
		kv, err := s.js.CreateKeyValue(ctx, b.config)
		if err != nil {
			return err
		}
		keep(b.kv, kv)
	}
	texts, err := s.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: s.bucket("texts"), Replicas: replicas})
	if err != nil {
		return err
	}
	keep(&s.texts, texts)
	_, err = s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: s.bucket("refuted"), Subjects: []string{s.refutedSubject(">")}, Storage: jetstream.MemoryStorage, Replicas: replicas,
		MaxAge: time.Hour, MaxMsgSize: maxValue, MaxBytes: 64 << 20, MaxMsgsPerSubject: 4096, AllowDirect: true,
	})
	return err
}

// ledgerHistory is the number of values of the ledger that are kept: after an invalid one, the
// last valid value counts.
const ledgerHistory = 8

func (s *store) refutedSubject(key string) string { return "gramfuzz." + s.name + ".refuted." + key }

// wrongLast is the server's error code for a wrong last sequence without the right one; the
// client has no constant for it.
const wrongLast jetstream.ErrorCode = 10164

// conflict reports whether a compare-and-set failed because another worker was faster.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == wrongLast)
}

// gone reports whether a key does not exist, which is no error of the connection.
func gone(err error) bool { return errors.Is(err, jetstream.ErrKeyNotFound) }

// missing reports whether a bucket does not exist, for example one in memory after a restart of
// the server.
func missing(err error) bool {
	for _, e := range []error{jetstream.ErrBucketNotFound, jetstream.ErrStreamNotFound, jetstream.ErrNoStreamResponse, nats.ErrNoResponders} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// get reads a key.
func get(ctx context.Context, kv jetstream.KeyValue, key string) (data []byte, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	e, err := kv.Get(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	return e.Value(), e.Revision(), nil
}

// set replaces a revision of a key; 0: there is none.
func set(ctx context.Context, kv jetstream.KeyValue, key string, data []byte, old uint64) (revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if old == 0 {
		return kv.Create(ctx, key, data)
	}
	return kv.Update(ctx, key, data, old)
}

// message is a message of a stream.
type message struct {
	key      string // the last part of the subject
	revision uint64
	data     []byte
	removed  bool
}

// fetchBatch is the number of messages of one request.
const fetchBatch = 256

// since calls do for each message of a stream from a revision on, and returns the revision after
// them. It starts from the beginning if the stream was recreated.
func (s *store) since(ctx context.Context, stream, filter string, from uint64, do func(message) error) (next uint64, err error) {
	info, err := s.info(ctx, stream)
	if err != nil {
		return from, err
	}
	if info.State.LastSeq+1 < from {
		from = 1
	}
	if info.State.LastSeq < from || info.State.Msgs == 0 {
		return max(from, info.State.LastSeq+1), nil
	}
	cfg := jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, InactiveThreshold: 10 * time.Second, FilterSubject: filter,
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(from, 1),
	}
	create, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	consumer, err := s.js.CreateConsumer(create, stream, cfg)
	if err != nil {
		return from, err
	}
	defer func() {
		remove, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
		defer cancel()
		_ = s.js.DeleteConsumer(remove, stream, consumer.CachedInfo().Name) // otherwise it expires
	}()
	for pending := consumer.CachedInfo().NumPending; pending > 0 && ctx.Err() == nil; {
		batch, err := consumer.Fetch(int(min(pending, fetchBatch)), jetstream.FetchMaxWait(requestTime))
		if err != nil {
			return from, err
		}
		pending = 0 // unless a message reports more
		for m := range batch.Messages() {
			meta, err := m.Metadata()
			if err != nil {
				return from, err
			}
			subject := m.Subject()
			removed := m.Headers().Get("KV-Operation") != "" || m.Headers().Get(jetstream.MarkerReasonHeader) != ""
			err = do(message{subject[strings.LastIndexByte(subject, '.')+1:], meta.Sequence.Stream, m.Data(), removed})
			if err != nil {
				return from, err
			}
			pending, from = meta.NumPending, meta.Sequence.Stream+1
		}
		if err := batch.Error(); err != nil {
			return from, err
		}
	}
	return from, ctx.Err()
}

// info requests the state of a stream.
func (s *store) info(ctx context.Context, stream string) (*jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	str, err := s.js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	return str.CachedInfo(), nil
}

// alive lists the workers that have keys.
func (s *store) alive(ctx context.Context) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	stream, err := s.js.Stream(ctx, "KV_"+s.bucket("workers"))
	if err != nil {
		return nil, err
	}
	prefix := s.subject("workers", "")
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(prefix+">"))
	if err != nil {
		return nil, err
	}
	alive := map[string]bool{}
	for subject := range info.State.Subjects {
		alive[strings.TrimPrefix(subject, prefix)] = true
	}
	return alive, nil
}

// maxPause bounds the pause before the ledger is tried again.
const maxPause = 2 * time.Second

// change reads the ledger, calls do to change it, and writes it back; if another worker was
// faster it tries again. It writes nothing if do returns false. The pause before the next attempt
// is random, up to twice the time of the last one, doubled with each attempt: workers that start
// together spread out, however slow the server is.
func (s *store) change(ctx context.Context, do func(*ledger) bool) error {
	for try := 0; ; try++ {
		begin := time.Now()
		l, revision, err := s.ledger(ctx)
		if err != nil {
			return err
		}
		if !do(l) {
			return nil
		}
		_, err = set(ctx, s.state, "ledger", mustJSON(l), revision)
		if err == nil || !conflict(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.pause(min(2*time.Since(begin)<<min(try, 10), maxPause), revision)):
		}
	}
}

// pause returns a time below longest, different for each connection and revision.
func (s *store) pause(longest time.Duration, revision uint64) time.Duration {
	id, _ := s.nc.GetClientID()
	return time.Duration(random.Next(id^random.Mix(revision)) % uint64(max(longest, 1)))
}

// ledger reads the ledger. An unreadable one is taken from its history.
func (s *store) ledger(ctx context.Context) (l *ledger, revision uint64, err error) {
	data, revision, err := get(ctx, s.state, "ledger")
	if err != nil {
		return nil, 0, err
	}
	if l, err = parseLedger(data); err == nil {
		return l, revision, nil
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	history, e := s.state.History(ctx, "ledger")
	if e != nil {
		return nil, 0, errors.Join(err, e)
	}
	for i := len(history) - 1; i >= 0; i-- {
		if old, e := parseLedger(history[i].Value()); e == nil {
			return old, history[len(history)-1].Revision(), nil
		}
	}
	return nil, 0, fmt.Errorf("the ledger of fleet %s is unreadable: %w; begin another fleet with --fleet", s.name, err)
}
