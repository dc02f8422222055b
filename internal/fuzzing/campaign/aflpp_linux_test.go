package campaign

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
)

// listened is a connection that records its input.
type listened struct {
	net.Listener
	mu sync.Mutex
	in bytes.Buffer
}

type heard struct {
	net.Conn
	l *listened
}

func (l *listened) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return heard{c, l}, err
}

func (h heard) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	h.l.in.Write(p[:n])
	return n, err
}

// inARow returns the lengths of the runs of requests for equal texts.
func (l *listened) inARow() (ns []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var last []byte
	for b := l.in.Bytes(); len(b) >= 12; {
		n, other := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
		if len(b) < 12+n+other {
			break
		}
		if text := b[12 : 12+n]; len(ns) == 0 || !bytes.Equal(text, last) {
			ns, last = append(ns, 0), text
		}
		ns[len(ns)-1]++
		b = b[12+n+other:]
	}
	return ns
}

// TestInsideAFL compiles the shim and runs the real afl-fuzz with it, in the environment of
// docs/fuzzing.md: nearly all texts that it tries are sentences, each entry is mutated 200 times,
// and afl-fuzz knows every variable.
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
	l, err := Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := &listened{Listener: l}
	go Serve(ctx, asked, grammars.Must("expr"), MutatorOptions{Seed: 1})
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
		"AFL_CUSTOM_MUTATOR_ONLY=1", "AFL_DISABLE_TRIM=1", "AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1",
		"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_NO_AFFINITY=1", "AFL_SKIP_CRASHES=1", "AFL_NO_STARTUP_CALIBRATION=1")
	program, err := os.ReadFile(fuzz)
	if err != nil {
		t.Fatal(err)
	}
	if newer := "AFL_FRAMESHIFT_DISABLE"; bytes.Contains(program, []byte(newer)) {
		cmd.Env = append(cmd.Env, newer+"=1")
	}
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
	if bytes.Contains(out, []byte("istyped")) {
		t.Errorf("afl-fuzz does not know a variable:\n%s", out)
	}
	in200s, groups := 0, asked.inARow()
	for _, n := range groups {
		if n%200 == 0 {
			in200s++
		}
	}
	if in200s == 0 || in200s < len(groups)/2 {
		t.Errorf("texts were asked for %v times in a row; want 200 for most", groups)
	}
}

// TestListen checks that an abandoned socket is replaced; a used one and other files are kept.
func TestListen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "another process listens on "+path) {
		t.Errorf("a socket in use: %v", err)
	}
	l.Close()
	again, err := Listen(path)
	if err != nil {
		t.Fatalf("a socket that was left: %v", err)
	}
	again.Close()
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "choose another path") {
		t.Errorf("a file: %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != "text" {
		t.Errorf("the file is %q now, %v", text, err)
	}
}
