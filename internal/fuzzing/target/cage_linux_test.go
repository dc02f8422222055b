package target

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// isolation returns an isolation whose helper is this test binary. It skips tests if the kernel
// does not support all of it.
func isolation(t *testing.T, write ...string) *Isolation {
	t.Helper()
	i := &Isolation{Helper: "/proc/self/exe", Write: write}
	c, err := NewCage(Bounds{Isolate: i}, 0, t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	if m := c.Missing(); len(m) > 0 {
		t.Skip(m)
	}
	return i
}

// A program in a cage behaves as without one, apart from the forbidden operations.
func TestCage(t *testing.T) {
	t.Parallel()
	may, outside := t.TempDir(), t.TempDir()
	precious := filepath.Join(outside, "precious")
	if err := os.WriteFile(precious, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	open, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	port := strconv.Itoa(open.Addr().(*net.TCPAddr).Port)
	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = victim.Process.Kill(), victim.Wait() }()
	pid, me := strconv.Itoa(victim.Process.Pid), strconv.Itoa(os.Getpid())
	isolate := isolation(t, may)
	for _, tt := range []struct {
		name, code string
		free       string // how it ends without a cage; "" where that is not tried
		caged      string
	}{
		{"input", `[ "$(cat)" = text ]`, "exit code 0", "exit code 0"},
		{"output", `echo out; echo err >&2; echo more >/dev/stdout; exit 3`, "exit code 3", "exit code 3"},
		{"signal", `kill -SEGV $$`, "signal 11 (segmentation fault)", "signal 11 (segmentation fault)"},
		{"a large file", `until [ "$(ulimit -f)" != unlimited ]; do sleep 0.01; done; exec head -c 2000000 /dev/zero >x`,
			"signal 25 (file size limit exceeded)", "signal 25 (file size limit exceeded)"},
		{"scratch", `mkdir a && echo x >a/b && mv a/b c && ln -s c d && rm c && mkfifo "$TMPDIR/e"`, "exit code 0", "exit code 0"},
		{"devices", `echo x >/dev/null && echo x >/dev/zero && : >/dev/shm/gramfuzz-` + me + ` && rm /dev/shm/gramfuzz-` + me, "exit code 0", "exit code 0"},
		{"a named path", `echo x >` + may + `/new`, "exit code 0", "exit code 0"},
		{"reading", `[ "$(cat ` + precious + `)" = old ]`, "exit code 0", "exit code 0"},
		{"writing", `echo new >` + precious + ` || exit 7`, "", "exit code 7"},
		{"appending", `echo new >>` + precious + ` || exit 7`, "", "exit code 7"},
		{"truncating", `truncate -s 0 ` + precious + ` || exit 7`, "", "exit code 7"},
		{"removing", `rm -f ` + precious + ` || exit 7`, "", "exit code 7"},
		{"renaming", `mv ` + precious + ` here || exit 7`, "", "exit code 7"},
		{"a new file", `true >` + outside + `/new || exit 7`, "exit code 0", "exit code 7"},
		{"a new folder", `mkdir ` + outside + `/dir || exit 7`, "exit code 0", "exit code 7"},
		{"the network", `exec python3 -c 'import socket; socket.create_connection(("127.0.0.1", ` + port + `))' || exit 1`, "exit code 0", "exit code 1"},
		{"loopback", `exec python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); socket.create_connection(s.getsockname())'`, "exit code 0", "exit code 0"},
		{"a signal to us", `kill -0 ` + me + ` || exit 7`, "exit code 0", "exit code 7"},
		{"a signal to others", `kill -9 ` + pid + ` || exit 7`, "", "exit code 7"},
		{"a signal to its helper", `for p in /proc/[0-9]*; do if grep -q '^` + cageName + `' $p/cmdline; then seen=4; kill -0 ${p#/proc/} && exit 1; fi; done; exit $seen`, "", "exit code 4"},
	} {
		if strings.Contains(tt.code, "python3") {
			if _, err := exec.LookPath("python3"); err != nil {
				continue
			}
		}
		for _, reuse := range []bool{true, false} {
			if !reuse && tt.name != "scratch" { // each run then has a helper of its own
				continue
			}
			change := func(c *Command) {
				c.Timeout, c.Reuse, c.Bounds = time.Minute, reuse, Bounds{FileSize: 1 << 20, Processes: 100}
			}
			if tt.free != "" {
				r, _ := shell(t, tt.code, change)
				if res := mustRun(t, r, "text"); res.String() != tt.free {
					t.Errorf("%s, free: %v, want %s: %s", tt.name, res, tt.free, res.Stderr)
				}
				r.Close()
				_ = os.Remove(filepath.Join(outside, "new"))
				_ = os.Remove(filepath.Join(outside, "dir"))
			}
			r, scratch := shell(t, tt.code, func(c *Command) {
				change(c)
				c.Isolate = isolate
			})
			for range 2 {
				if res := mustRun(t, r, "text"); res.String() != tt.caged {
					t.Errorf("%s, caged: %v, want %s: %s", tt.name, res, tt.caged, res.Stderr)
				} else if tt.name == "output" && string(res.Stdout) != "out\nmore\n" {
					t.Errorf("%s: %q", tt.name, res.Stdout)
				}
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			wantEmpty(t, scratch)
		}
	}
	if text, err := os.ReadFile(precious); string(text) != "old" {
		t.Errorf("the file has %q: %v", text, err)
	}
	if err := victim.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other process: %v", err)
	}
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("%d files are left outside", len(left))
	}
}

// The runs of a Runner have one network; two Runners have two.
func TestCageNetworks(t *testing.T) {
	t.Parallel()
	isolate := isolation(t)
	seen := map[string]int{}
	for range 2 {
		r, _ := shell(t, "readlink /proc/self/ns/net", func(c *Command) { c.Isolate, c.Reuse = isolate, true })
		for range 3 {
			seen[string(mustRun(t, r, "").Stdout)]++
		}
		defer r.Close()
	}
	own, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[own+"\n"] > 0 {
		t.Errorf("networks %v, ours is %s", seen, own)
	}
}

// A killed helper costs at most one run or an error, and the next run has a new helper.
func TestCageKilled(t *testing.T) {
	t.Parallel()
	r, scratch := shell(t, "exit 5", func(c *Command) { c.Isolate, c.Reuse = isolation(t), true })
	mustRun(t, r, "")
	_ = unix.Kill(r.rooms.free[0].cage.cmd.Process.Pid, unix.SIGKILL)
	if _, err := r.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "isolation: its helper ended") {
		t.Errorf("after its helper was killed: %v", err)
	}
	if res := mustRun(t, r, ""); res.Code != 5 {
		t.Errorf("with another helper: %v", res)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	wantEmpty(t, scratch)
}

// A program that cannot be started, or a missing path, is reported.
func TestCageErrors(t *testing.T) {
	t.Parallel()
	script := writeScript(t, "exit 0\n")
	r, err := New(Command{Args: []string{script}, Scratch: t.TempDir(), Bounds: Bounds{Isolate: isolation(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "its loader is gone") {
		t.Errorf("a program that is gone: %v", err)
	}
	_, err = New(Command{Args: []string{"sh"}, Bounds: Bounds{Isolate: &Isolation{Write: []string{"no/such"}}}})
	if err == nil || !strings.Contains(err.Error(), "no/such: the program cannot be let write there: no such file or directory; make it first") {
		t.Errorf("a path that is not there: %v", err)
	}
	_, err = NewCage(Bounds{Isolate: &Isolation{Helper: "/no/such"}}, 0, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "isolation: its helper /no/such does not start") {
		t.Errorf("no helper: %v", err)
	}
}
