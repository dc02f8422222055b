package fleet

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
)

// write writes a temporary file.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// userKey makes a key: the public part and a file with the seed.
func userKey(t *testing.T) (public, seedFile string) {
	t.Helper()
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	if public, err = pair.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return public, write(t, string(seed))
}

// TestHubRefuses checks that a hub refuses to start if it would be open, or has invalid settings.
func TestHubRefuses(t *testing.T) {
	public, _ := userKey(t)
	keys, token := write(t, "# workers\n"+public+"\n"), write(t, "secret\n")
	tests := []struct {
		name string
		o    HubOptions
		want string
	}{
		{"all addresses", HubOptions{Listen: ":4222"}, "would let in whoever reaches it"},
		{"an address", HubOptions{Listen: "192.0.2.1:4222"}, "would let in whoever reaches it"},
		{"a token in the clear", HubOptions{Listen: "0.0.0.0:4222", TokenFile: token}, "would let in whoever reaches it"},
		{"IPv6", HubOptions{Listen: "[::]:4222"}, "would let in whoever reaches it"},
		{"no port", HubOptions{Listen: "127.0.0.1"}, "is not an address"},
		{"a wrong port", HubOptions{Listen: "127.0.0.1:70000"}, "is not an address"},
		{"no keys", HubOptions{NKeysFile: write(t, "# none\n")}, "no public key"},
		{"a wrong key", HubOptions{NKeysFile: write(t, "\nSUAsecret\n")}, `:2: "SUAsecret" is not a public key`},
		{"two ways", HubOptions{NKeysFile: keys, TokenFile: token}, "leave one out"},
		{"an empty token", HubOptions{TokenFile: write(t, "\n")}, "has no token"},
		{"no token file", HubOptions{TokenFile: filepath.Join(t.TempDir(), "none")}, "no such file"},
		{"a certificate without key", HubOptions{TLS: TLSFiles{Cert: keys}}, "go together"},
		{"no certificate", HubOptions{TLS: TLSFiles{Cert: keys, Key: keys}}, "give a certificate and its key as PEM"},
		{"a CA alone", HubOptions{TLS: TLSFiles{CA: keys}}, "has no certificate"},
	}
	for _, test := range tests {
		test.o.Data = filepath.Join(t.TempDir(), "hub")
		h, err := NewHub(test.o)
		if err == nil {
			h.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: the error is %v", test.name, err)
		}
		if _, err := os.Stat(test.o.Data); err == nil {
			t.Errorf("%s: a folder was made", test.name)
		}
	}
}

// TestCredentials checks that workers connect with the demanded credentials, and not without.
func TestCredentials(t *testing.T) {
	public, seed := userKey(t)
	_, other := userKey(t)
	token := write(t, "secret\n")
	byToken := startHub(t, HubOptions{TokenFile: token})
	byKey := startHub(t, HubOptions{Listen: "0.0.0.0:0", NKeysFile: write(t, public+"\n")})
	tests := []struct {
		name string
		l    Login
		ok   bool
	}{
		{"no token", Login{URL: byToken.URL()}, false},
		{"the token", Login{URL: byToken.URL(), TokenFile: token}, true},
		{"another token", Login{URL: byToken.URL(), TokenFile: write(t, "other")}, false},
		{"no key", Login{URL: byKey.URL()}, false},
		{"the key", Login{URL: byKey.URL(), NKeyFile: seed}, true},
		{"another key", Login{URL: byKey.URL(), NKeyFile: other}, false},
		{"no address", Login{URL: "http://127.0.0.1"}, false},
		{"no seed", Login{URL: byKey.URL(), NKeyFile: token}, false},
	}
	for _, test := range tests {
		nc, err := test.l.Connect(false)
		if err == nil {
			nc.Close()
		}
		if (err == nil) != test.ok {
			t.Errorf("%s: the error is %v", test.name, err)
		}
	}
	for _, h := range []*Hub{byToken, byKey} {
		if _, err := h.Conn().RTT(); err != nil {
			t.Errorf("the hub cannot reach its own server: %v", err)
		}
	}
}

// TestOneHubAFolder checks that two hubs cannot share a folder; a new one can use the folder of
// one that has ended.
func TestOneHubAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hub")
	h := startHub(t, HubOptions{Data: dir})
	if _, err := NewHub(HubOptions{Data: dir, Listen: "127.0.0.1:0"}); err == nil || !strings.Contains(err.Error(), "another hub has this folder") {
		t.Errorf("the error of a second hub is %v", err)
	}
	taken := strings.TrimPrefix(h.URL(), "nats://")
	if _, err := NewHub(HubOptions{Data: filepath.Join(t.TempDir(), "other"), Listen: taken}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("the error of a hub on the same port is %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := h.Run(ctx); err != nil {
		t.Errorf("a hub that is ended says %v", err)
	}
	h.Close()
	startHub(t, HubOptions{Data: dir})
}
