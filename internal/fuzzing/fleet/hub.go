package fleet

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// DefaultListen is the default address of a hub, for hubs and workers.
const DefaultListen = "127.0.0.1:4222"

// HubOptions controls a hub. Data is required.
type HubOptions struct {
	Data   string // the folder of the server's files; created if missing
	Listen string // "" is [DefaultListen]; port 0 is a free one

	TokenFile string // the file of the token that workers need; "": none
	NKeysFile string // the file of the users' public keys, one on a line; "": none
	TLS       TLSFiles

	// NoSync leaves syncing to the operating system: a power failure may lose the last two
	// minutes of acknowledged messages.
	NoSync bool
}

// TLSFiles are PEM files. A hub with a CA demands certificates of it from workers.
type TLSFiles struct{ Cert, Key, CA string }

// config reads the files; nil if there are none.
func (t TLSFiles) config() (*tls.Config, error) {
	if t == (TLSFiles{}) {
		return nil, nil
	}
	if (t.Cert == "") != (t.Key == "") {
		return nil, errors.New("--tls-cert and --tls-key go together; give both")
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Cert != "" {
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w; give a certificate and its key as PEM", t.Cert, t.Key, err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	if t.CA != "" {
		pem, err := files.Read(t.CA, maxCredentials)
		if err != nil {
			return nil, err
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate; give a PEM file", t.CA)
		}
		c.ClientCAs, c.ClientAuth = c.RootCAs, tls.RequireAndVerifyClientCert
	}
	return c, nil
}

// Hub is an embedded NATS server with JetStream.
type Hub struct {
	server *server.Server
	lock   *corpus.Lock
	conn   *nats.Conn
	log    *hubLog
}

// NewHub starts a hub. It refuses to listen where anybody could connect: beyond loopback it
// demands nkeys, or TLS with certificates of workers or a token.
func NewHub(o HubOptions) (_ *Hub, err error) {
	opts, own, err := o.server()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("the hub's folder cannot be made: %w", err)
	}
	h := &Hub{log: &hubLog{}}
	path := filepath.Join(o.Data, "lock")
	if h.lock, err = corpus.TryLock(path); err != nil {
		return nil, fmt.Errorf("%s: %w; another hub has this folder, give --data another one", path, err)
	}
	defer func() {
		if err != nil {
			h.Close()
		}
	}()
	if h.server, err = server.NewServer(opts); err != nil {
		return nil, err
	}
	h.server.SetLoggerV2(h.log, false, false, false)
	h.server.Start()
	for begin := time.Now(); !h.server.ReadyForConnections(checkEvery); {
		if h.log.isFatal() || time.Since(begin) > readyWait {
			return nil, fmt.Errorf("the hub cannot start: %s; check --listen and --data", h.log.last("it was not ready in time"))
		}
	}
	h.conn, err = nats.Connect("", append(own, nats.InProcessServer(h.server), nats.Name("hub"), nats.MaxReconnects(-1))...)
	return h, err
}

// readyWait bounds the start of the server, which reads its files.
const readyWait = time.Minute

// server returns the server's options, and those of the hub's own connection to it.
func (o *HubOptions) server() (*server.Options, []nats.Option, error) {
	if o.Listen == "" {
		o.Listen = DefaultListen
	}
	host, portText, err := net.SplitHostPort(o.Listen)
	port, portErr := strconv.ParseUint(portText, 10, 16)
	if err != nil || portErr != nil {
		return nil, nil, fmt.Errorf("--listen %s is not an address; write one such as %s", o.Listen, DefaultListen)
	}
	opts := &server.Options{
		ServerName: "gramfuzz", Host: host, Port: int(port), NoSigs: true,
		JetStream: true, StoreDir: o.Data, SyncAlways: !o.NoSync,
	}
	if port == 0 {
		opts.Port = server.RANDOM_PORT
	}
	if opts.TLSConfig, err = o.TLS.config(); err != nil {
		return nil, nil, err
	}
	if opts.TLSConfig != nil {
		if o.TLS.Cert == "" {
			return nil, nil, errors.New("--tls-ca alone encrypts nothing; give --tls-cert and --tls-key too")
		}
		opts.TLS, opts.TLSVerify, opts.TLSTimeout = true, o.TLS.CA != "", 10
	}
	var own []nats.Option
	if o.TokenFile != "" {
		if opts.Authorization, err = readToken(o.TokenFile); err != nil {
			return nil, nil, err
		}
		own = append(own, nats.Token(opts.Authorization))
	}
	if o.NKeysFile != "" {
		if o.TokenFile != "" {
			return nil, nil, errors.New("--token-file and --nkeys are two ways to know workers; leave one out")
		}
		if opts.Nkeys, err = readNKeys(o.NKeysFile); err != nil {
			return nil, nil, err
		}
		user, option, err := ownKey()
		if err != nil {
			return nil, nil, err
		}
		opts.Nkeys, own = append(opts.Nkeys, user), append(own, option)
	}
	known := o.NKeysFile != "" || opts.TLS && (o.TLS.CA != "" || o.TokenFile != "")
	if !isLoopback(host) && !known {
		return nil, nil, fmt.Errorf("--listen %s would let in whoever reaches it; give --nkeys with the public keys of workers, or --tls-cert and --tls-key with --tls-ca or --token-file; or listen on 127.0.0.1 and come in by ssh -L", o.Listen)
	}
	return opts, own, nil
}

// isLoopback reports whether a host is reachable from this machine only.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// maxCredentials bounds a file of tokens, keys or certificates, in bytes.
const maxCredentials = 1 << 20

// readToken reads a token from a file.
func readToken(path string) (string, error) {
	data, err := files.Read(path, maxCredentials)
	if err != nil {
		return "", fmt.Errorf("the token cannot be read: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", fmt.Errorf("%s has no token; write some 32 random characters into it", path)
	}
	return token, nil
}

// readNKeys reads the public keys of users.
func readNKeys(path string) (users []*server.NkeyUser, err error) {
	data, err := files.Read(path, maxCredentials)
	if err != nil {
		return nil, fmt.Errorf("the keys cannot be read: %w", err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		key := strings.TrimSpace(line)
		if key == "" || strings.HasPrefix(key, "#") {
			continue
		}
		if !nkeys.IsValidPublicUserKey(key) {
			return nil, fmt.Errorf("%s:%d: %.80q is not a public key of a user; it begins with U, and nk -gen user makes one", path, number, key)
		}
		users = append(users, &server.NkeyUser{Nkey: key})
	}
	if len(users) == 0 {
		return nil, fmt.Errorf("%s has no public key of a user; nk -gen user makes one", path)
	}
	return users, nil
}

// ownKey makes a key for the hub's own connection.
func ownKey() (*server.NkeyUser, nats.Option, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return nil, nil, err
	}
	public, err := pair.PublicKey()
	return &server.NkeyUser{Nkey: public}, nats.Nkey(public, pair.Sign), err
}

// Serve runs a hub and the page of a fleet until ctx is done. note is told their addresses; guard runs what serves
// the page.
func Serve(ctx context.Context, o HubOptions, page, fleet string, note func(format string, a ...any), guard func(func() error) error) error {
	hub, err := NewHub(o)
	if err != nil {
		return err
	}
	defer hub.Close()
	watch, err := NewWatch(hub.Conn(), fleet)
	if err != nil {
		return err
	}
	p, err := NewPage(watch, page)
	if err != nil {
		return err
	}
	note("workers: gramfuzz fuzz --hub %s …; page: %s", hub.URL(), p.URL())
	ctx, cancel := context.WithCancelCause(ctx)
	go func() { cancel(guard(func() error { return p.Run(ctx) })) }()
	if err := hub.Run(ctx); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// URL returns the address of the hub for workers.
func (h *Hub) URL() string { return h.server.ClientURL() }

// Conn returns a connection to the hub that needs no credentials.
func (h *Hub) Conn() *nats.Conn { return h.conn }

// Traffic is the traffic of a hub since it started.
type Traffic struct{ Messages, Bytes uint64 }

// Traffic counts the messages and bytes in both directions, replies included.
func (h *Hub) Traffic() (Traffic, error) {
	v, err := h.server.Varz(nil)
	if err != nil {
		return Traffic{}, err
	}
	return Traffic{uint64(v.InMsgs + v.OutMsgs), uint64(v.InBytes + v.OutBytes)}, nil
}

// checkEvery is the interval in which a hub checks that its server can still store data.
const checkEvery = 100 * time.Millisecond

// Run waits until ctx is done, which is no error, or until the server can no longer store data,
// because its disk is full or broken.
func (h *Hub) Run(ctx context.Context) error {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if !h.server.JetStreamEnabled() || !h.server.Running() || h.log.failed() {
			return fmt.Errorf("the hub can keep nothing more: %s; make room where --data is and start it again (workers go on meanwhile, and lose nothing)", h.log.last("the server has ended"))
		}
	}
}

// Close shuts the hub down.
func (h *Hub) Close() {
	if h.conn != nil {
		h.conn.Close()
	}
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
	_ = h.lock.Unlock()
}

// hubLog keeps the last error that the server logged.
type hubLog struct {
	mu          sync.Mutex
	text        string
	full, fatal bool
}

func (l *hubLog) note(format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := fmt.Sprintf(format, v...)
	l.text = text
	for _, sign := range []string{"no space left", "disk quota", "input/output error", "read-only file system"} {
		l.full = l.full || strings.Contains(text, sign)
	}
}

func (l *hubLog) failed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

func (l *hubLog) isFatal() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fatal
}

// last returns the last error, or the text otherwise.
func (l *hubLog) last(otherwise string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" {
		return otherwise
	}
	return l.text
}

func (l *hubLog) Noticef(string, ...any)         {}
func (l *hubLog) Debugf(string, ...any)          {}
func (l *hubLog) Tracef(string, ...any)          {}
func (l *hubLog) Warnf(format string, v ...any)  { l.note(format, v) }
func (l *hubLog) Errorf(format string, v ...any) { l.note(format, v) }
func (l *hubLog) Fatalf(format string, v ...any) {
	l.note(format, v)
	l.mu.Lock()
	l.fatal = true
	l.mu.Unlock()
}
