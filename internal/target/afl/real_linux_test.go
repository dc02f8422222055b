package afl

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/afltest"
	"github.com/gramfuzz/gramfuzz/internal/target"
)

func TestRealPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		source     string
		args       []string
		persistent bool
		code       int // of "A"
	}{
		{"persistent", "persistent.c", nil, true, 0},
		{"standard input", "plain.c", nil, false, 2},
		{"file", "plain.c", []string{target.Placeholder}, false, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := Start(context.Background(), Options{
				Args: append([]string{afltest.Compile(t, filepath.Join("testdata", tt.source))}, tt.args...), Scratch: t.TempDir(), Timeout: 500 * time.Millisecond,
			})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if d.Persistent() != tt.persistent || d.SharedInput() != tt.persistent {
				t.Errorf("persistent %v, shared input %v", d.Persistent(), d.SharedInput())
			}
			if n := len(d.Map()); n < 4 || n > 4096 {
				t.Errorf("a map of %d bytes for a small program", n)
			}
			edges := func(input string) []byte {
				t.Helper()
				if _, err := d.Run(context.Background(), []byte(input)); err != nil {
					t.Fatal(err)
				}
				return bytes.Clone(d.Map())
			}
			edges("warm up") // the first turn of a persistent loop takes edges of its own
			x, a, again := edges("xxxxxxx"), edges("A"), edges("xxxxxxx")
			if !bytes.Equal(x, again) || bytes.Equal(x, a) {
				t.Errorf("maps %v, %v and %v", x, a, again)
			}
			for range 2 { // also after each other
				for _, run := range []struct {
					input string
					kind  target.Kind
					code  int
				}{{"ABCD", target.Signaled, 0}, {"A", target.Exited, tt.code}, {"hang", target.TimedOut, 0}} {
					res, err := d.Run(context.Background(), []byte(run.input))
					if err != nil || res.Kind != run.kind || res.Code != run.code {
						t.Errorf("%q: %v, %v", run.input, res, err)
					}
				}
			}
		})
	}
}

// BenchmarkPersistent measures executions of a trivial program.
func BenchmarkPersistent(b *testing.B) {
	d, err := Start(context.Background(), Options{Args: []string{afltest.Compile(b, filepath.Join("testdata", "persistent.c"))}})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Run(context.Background(), []byte("AB")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
