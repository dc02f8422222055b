package campaign

import (
	"context"
	"encoding/binary"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/afltest"
)

// The shim is compiled and the real afl-fuzz runs with it: nearly all that it
// tries are sentences.
func TestInsideAFL(t *testing.T) {
	fuzz, err := exec.LookPath("afl-fuzz")
	if err != nil {
		t.Skip("no afl-fuzz on this machine (Debian: afl++)")
	}
	prog := afltest.Compile(t, filepath.Join("testdata", "valid.c"))
	dir := t.TempDir()
	shim := filepath.Join(dir, "mutator.so")
	if out, err := exec.Command("cc", "-Wall", "-Werror", "-shared", "-fPIC", "-O2", "-o", shim, filepath.Join("aflpp", "mutator.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	socket, counts, seeds := filepath.Join(dir, "socket"), filepath.Join(dir, "counts"), filepath.Join(dir, "seeds")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go Serve(ctx, l, grammars.Must("expr"), 1)
	if err := os.Mkdir(seeds, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, data := range map[string][]byte{filepath.Join(seeds, "one"): []byte("(1 + 2) * 3"), counts: make([]byte, 16)} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const runs = 3000
	ctx, cancelFuzz := context.WithTimeout(ctx, 2*time.Minute)
	defer cancelFuzz()
	cmd := exec.CommandContext(ctx, fuzz, "-E", strconv.Itoa(runs), "-V", "60", "-i", seeds, "-o", filepath.Join(dir, "out"), "--", prog)
	cmd.Env = append(os.Environ(), "GRAMFUZZ_SOCKET="+socket, "VALID_COUNT="+counts, "AFL_CUSTOM_MUTATOR_LIBRARY="+shim,
		"AFL_CUSTOM_MUTATOR_ONLY=1", "AFL_DISABLE_TRIM=1", "AFL_FRAMESHIFT_DISABLE=1", "AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1",
		"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_NO_AFFINITY=1", "AFL_SKIP_CRASHES=1", "AFL_NO_STARTUP_CALIBRATION=1")
	out, err := cmd.CombinedOutput()
	data, readErr := os.ReadFile(counts)
	if readErr != nil {
		t.Fatal(readErr)
	}
	all, valid := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
	t.Logf("%d of %d inputs are sentences", valid, all)
	if all < runs/2 || float64(valid) < 0.95*float64(all) {
		t.Errorf("%d of %d inputs are sentences; afl-fuzz: %v\n%s", valid, all, err, out)
	}
}
