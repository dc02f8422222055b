package gocov

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

const testdata = "github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov/testdata"

// program builds the program of testdata and runs it.
func program(t *testing.T, flags []string, args ...string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.exe")
	build := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "./testdata/program")...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	out, err := cmd.Output()
	return string(out), err
}

// TestPrograms checks, for both kinds of counters, that different runs raise different
// counters and equal runs the same ones.
func TestPrograms(t *testing.T) {
	kinds := []struct {
		name  string
		flags []string
		first string
	}{
		{"edges", []string{"-tags=gramfuzz_edges", "-gcflags=" + testdata + "/...=-d=libfuzzer"}, "edges true"},
		{"blocks", []string{"-cover", "-covermode=atomic", "-coverpkg=" + testdata + "/watched," + testdata + "/program"}, "edges false"},
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			if kind.name == "edges" && !slices.Contains([]string{"amd64", "arm64", "loong64"}, runtime.GOARCH) {
				t.Skip("the toolchain has no edges on " + runtime.GOARCH)
			}
			out, err := program(t, kind.flags, "a", "b", "", "bbbbb", "aaaaaaaaaa", "a")
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out, "\n")
			if len(lines) < 7 || lines[0] != kind.first {
				t.Fatalf("the program printed\n%s", out)
			}
			runs := lines[1:7]
			if runs[0] != runs[5] {
				t.Errorf("two runs of a: %s and %s", runs[0], runs[5])
			}
			for i := range 5 {
				for k := range i {
					if runs[i] == runs[k] {
						t.Errorf("runs %d and %d raised the same counters: %s", k, i, runs[i])
					}
				}
			}
			if !strings.Contains(runs[4], ":10 ") {
				t.Errorf("ten rounds of a loop are not counted: %s", runs[4])
			}
		})
	}
}

// TestNone checks that the error of a program without counters says how to build one with
// them.
func TestNone(t *testing.T) {
	out, err := program(t, nil)
	if err == nil || !strings.Contains(out, "-d=libfuzzer") {
		t.Errorf("it printed %q, %v", out, err)
	}
	if _, err := Open(); err != nil && !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// written is a counter data file as written by go1.26: two functions with 3 and 1 blocks, one
// of them not reached.
const written = "\x00cwm\x01\x00\x00\x00" + "0123456789abcdef" + "\x02\x00\x00\x00\x00\x00\x00\x00" +
	"\x02\x00\x00\x00\x00\x00\x00\x00" + "\x03\x00\x00\x00\x02\x00\x00\x00" + "\x01\x01x\x00\x00" + "\x00\x00\x00" +
	"\x03\x01\x02" + "\x05\x00\xac\x02" + "\x01\x01\x03" + "\x01" +
	"\x00cwm\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"

func TestFile(t *testing.T) {
	var hits []int
	err := new(counterFile).read([]byte(written), func(_ int, n uint8) { hits = append(hits, int(n)) })
	if err != nil || !slices.Equal(hits, []int{5, 255, 1}) {
		t.Errorf("%v, %v", hits, err)
	}
	newer := []byte(written)
	newer[4] = 9
	if err := new(counterFile).read(newer, func(int, uint8) {}); !errors.Is(err, errFile) {
		t.Errorf("a newer version: %v", err)
	}
}

// FuzzFile checks that any file gives an error or some counters, but no panic, and never more
// counters than the file can hold.
func FuzzFile(f *testing.F) {
	for n := range len(written) + 1 {
		f.Add([]byte(written[:n]))
	}
	raw := []byte(written)
	raw[24] = 1
	f.Add(raw)
	blind.Fuzz(f, func(t *testing.T, data []byte) {
		n := 0
		err := new(counterFile).read(data, func(int, uint8) { n++ })
		if n > len(data) {
			t.Errorf("%d counters in %d bytes, %v", n, len(data), err)
		}
	})
}
