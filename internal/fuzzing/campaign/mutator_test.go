package campaign

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

func newMutator(t *testing.T, g *grammar.Grammar, o MutatorOptions) *Mutator {
	t.Helper()
	m, err := NewMutator(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMutator checks that mutants of any texts are sentences, short enough, and the same for the
// same seed.
func TestMutator(t *testing.T) {
	g := grammars.Must("expr")
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one := newMutator(t, g, MutatorOptions{Seed: 1})
	two := newMutator(t, g, MutatorOptions{Seed: 1})
	text, other := []byte("(1 + 2) * 3"), []byte("-7 / (4 - (5))")
	changed := 0
	for i := range 500 {
		if i%50 == 7 {
			text = []byte("no sentence")
		}
		a, err := one.Mutate(t.Context(), text, other, 60)
		if err != nil {
			t.Fatal(err)
		}
		b, err := two.Mutate(t.Context(), text, other, 60)
		if err != nil || !bytes.Equal(a, b) {
			t.Fatalf("mutant %d is %q and %q, %v", i, a, b, err)
		}
		if a == nil {
			continue
		}
		if _, err := p.Parse(t.Context(), "mutant", string(a)); err != nil || len(a) > 60 {
			t.Fatalf("mutant %d, %q: %v", i, a, err)
		}
		if !bytes.Equal(a, text) {
			changed++
		}
		text, other = a, text
	}
	if changed < 300 {
		t.Errorf("only %d of 500 mutants are other texts", changed)
	}
}

// TestMutatorDamages checks that about the demanded share of mutants is damaged, that texts that are no
// sentences are changed further, and that the same seed gives the same mutants.
func TestMutatorDamages(t *testing.T) {
	g := grammars.Must("expr")
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const runs, kept = 1000, "?!?!?!?!"
	for _, tt := range []struct {
		damage, least, most float64 // the share of mutants that are no sentences
	}{{0, 0, 0}, {0.25, 0.1, 0.3}, {1, 0.4, 0.95}} {
		one := newMutator(t, g, MutatorOptions{Seed: 1, Damage: tt.damage})
		two := newMutator(t, g, MutatorOptions{Seed: 1, Damage: tt.damage})
		invalid, further := 0, 0
		for i := range runs {
			text := []byte("(1 + 2) * 3")
			if i%2 == 1 {
				text = []byte("(1 " + kept + " 3")
			}
			a, err := one.Mutate(t.Context(), text, nil, 1000)
			if err != nil {
				t.Fatal(err)
			}
			b, err := two.Mutate(t.Context(), text, nil, 1000)
			if err != nil || !bytes.Equal(a, b) {
				t.Fatalf("mutant %d is %q and %q, %v", i, a, b, err)
			}
			if _, err := p.Parse(t.Context(), "mutant", string(a)); err != nil {
				invalid++
			}
			if bytes.Contains(a, []byte(kept[:4])) {
				further++
			}
		}
		t.Logf("damage %v: %d of %d mutants are no sentences, %d are made from one that is none", tt.damage, invalid, runs, further)
		if share := float64(invalid) / runs; share < tt.least || share > tt.most {
			t.Errorf("damage %v: %d of %d mutants are no sentences, want a share of %v to %v", tt.damage, invalid, runs, tt.least, tt.most)
		}
		if (further > 0) != (tt.damage > 0) {
			t.Errorf("damage %v: %d mutants are made from a text that is no sentence", tt.damage, further)
		}
	}
}

// TestMutatorKeepsFields checks that mutants of images are images, with the lengths and checksums
// of their chunks.
func TestMutatorKeepsFields(t *testing.T) {
	g := grammars.Must("png")
	m := newMutator(t, g, MutatorOptions{Seed: 1})
	var text, other []byte
	had := map[string]bool{}
	for i := range 200 {
		mutant, err := m.Mutate(t.Context(), text, other, 400)
		if err != nil {
			t.Fatal(err)
		}
		if mutant == nil {
			continue
		}
		if _, err := png.Decode(bytes.NewReader(mutant)); err != nil || len(mutant) > 400 {
			t.Fatalf("mutant %d, %x: %v", i, mutant, err)
		}
		had[string(mutant)] = true
		text, other = mutant, text
	}
	if len(had) < 50 {
		t.Errorf("only %d different mutants", len(had))
	}
}

// TestServe checks that the server answers each connection, and closes one with invalid requests.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), l, grammars.Must("expr"), MutatorOptions{Seed: 1}) }()
	ask := func(conn net.Conn, text string, most uint32) (string, error) {
		req := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
		req = binary.LittleEndian.AppendUint32(req, 0)
		req = binary.LittleEndian.AppendUint32(req, most)
		if _, err := conn.Write(append(req, text...)); err != nil {
			return "", err
		}
		var n [4]byte
		if _, err := io.ReadFull(conn, n[:]); err != nil {
			return "", err
		}
		out := make([]byte, binary.LittleEndian.Uint32(n[:]))
		_, err := io.ReadFull(conn, out)
		return string(out), err
	}
	for range 2 {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for range 20 {
			if out, err := ask(conn, "(1 + 2)", 1000); err != nil || out == "" {
				t.Fatalf("%q, %v", out, err)
			}
		}
		if out, err := ask(conn, "(1 + 2)", 0); err != nil || out != "" {
			t.Errorf("a mutant of at most 0 bytes is %q, %v", out, err)
		}
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(bytes.Repeat([]byte{0xff}, 12)); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a request of 4 GiB is answered")
	}
}

// TestMutatorLeavesOut checks that mutants that are likely to be slow are mostly left out: those with
// a division take a thousand times as long as others.
func TestMutatorLeavesOut(t *testing.T) {
	m := newMutator(t, grammars.Must("expr"), MutatorOptions{Seed: 1})
	slow := func(mutants int) (n int) {
		for range mutants {
			mutant, err := m.Mutate(t.Context(), []byte("1 * 2"), []byte("(3 / 4) * 5"), 100)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.ContainsRune(mutant, '/') {
				n++
				m.Took(200 * time.Millisecond)
			} else {
				m.Took(200 * time.Microsecond)
			}
		}
		return n
	}
	first, then := slow(100), slow(1000)
	t.Logf("%d of the first 100 are slow, %d of 1,000 after them", first, then)
	if first < 5 || then == 0 || then > 50 {
		t.Errorf("%d of the first 100 are slow, %d of 1,000 after them; want many, then a few", first, then)
	}
}
