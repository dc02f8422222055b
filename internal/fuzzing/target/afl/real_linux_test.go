package afl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
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
		{"file as afl-fuzz has it", "plain.c", []string{"@@"}, false, 2},
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
			turn := func(input string) *target.Result { // again if a busy machine did not let it end in time
				t.Helper()
				for {
					res, err := d.Run(context.Background(), []byte(input))
					if err != nil {
						t.Fatal(err)
					}
					if res.Kind != target.TimedOut || input == "hang" {
						return res
					}
				}
			}
			edges := func(input string) []byte {
				t.Helper()
				turn(input)
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
					if res := turn(run.input); res.Kind != run.kind || res.Code != run.code {
						t.Errorf("%q: %v", run.input, res)
					}
				}
			}
		})
	}
}

// TestCompares checks the comparisons that a compiled program records.
func TestCompares(t *testing.T) {
	t.Parallel()
	source := filepath.Join("testdata", "compares.c")
	d, err := Start(context.Background(), Options{Args: []string{afltest.Compile(t, source, "AFL_LLVM_CMPLOG=1")}, Scratch: t.TempDir(), CmpLog: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const text = "0123456789abcdeX"
	for range 2 {
		all, err := d.Compare(context.Background(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			all[i].Place = 0
		}
		for _, want := range []gocov.Comparison{
			{Width: 8, X: 123456789, Y: 123456789012}, {Width: 8, X: 123456789012, Y: 123456789, Constant: true},
			{Width: 4, X: 123456789, Y: 99887766}, {S: text, T: "Hello", Fold: true},
			{S: text, T: "abcdefghijkl", Fold: true}, {S: text, T: "0123456789abcdef", Fold: true},
		} {
			if !slices.Contains(all, want) {
				t.Errorf("no %+v in %+v", want, all)
			}
		}
	}
}

// TestNoCompares checks that programs that record nothing, or that cannot be known to, are refused.
func TestNoCompares(t *testing.T) {
	t.Parallel()
	d, err := Start(context.Background(), Options{Args: []string{afltest.Compile(t, filepath.Join("testdata", "plain.c"))}, Scratch: t.TempDir(), CmpLog: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 2 * mostSilent {
		if _, err = d.Compare(context.Background(), []byte("A")); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "records no comparisons; compile it with AFL_LLVM_CMPLOG=1") {
		t.Errorf("got %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CheckCmpLog(text); err == nil || !strings.Contains(err.Error(), "AFL_LLVM_CMPLOG=1") {
		t.Errorf("got %v", err)
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
