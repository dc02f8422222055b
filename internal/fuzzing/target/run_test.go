package target

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, code, input string
		change            func(*Command)
		kind              Kind
		exit              int
		signal            syscall.Signal
		stdout, stderr    string
	}{
		{name: "stdin", code: "cat", input: "abc", stdout: "abc"},
		{name: "empty", code: "cat", input: ""},
		{name: "exit code", code: "exit 7", exit: 7},
		{name: "signal", code: "kill -SEGV $$", kind: Signaled, signal: syscall.SIGSEGV},
		{name: "stderr", code: "echo no >&2; exit 1", exit: 1, stderr: "no\n"},
		{name: "file", code: "cat {}; cat", input: "abc", stdout: "abc"},
		{name: "name", code: "basename {}", change: func(c *Command) { c.Name = "a/b/x.js" }, stdout: "x.js\n"},
		{name: "default name", code: "basename {}", stdout: "input\n"},
		{name: "folder", code: `test "$PWD" = "$TMPDIR" && test "$(pwd)" = "$TMPDIR" && ls`, stdout: ""},
		{name: "file in the folder", code: "cmp {} input && ls", stdout: "input\n"},
		{name: "environment", code: `echo "$A-$HOME"`, change: func(c *Command) { c.Env = []string{"A=1", "TMPDIR=/x"} }, stdout: "1-\n"},
		{name: "head kept", code: "echo abcdef; echo ghijkl >&2", change: func(c *Command) { c.Output = 3 }, stdout: "abc", stderr: "ghi"},
		{name: "nothing kept", code: "echo abc", change: func(c *Command) { c.Output = -1 }},
		{name: "large input", code: "wc -c | tr -d ' '", input: strings.Repeat("x", 300_000), stdout: "300000\n"},
		{name: "input not read", code: "exit 3", input: strings.Repeat("x", 300_000), exit: 3},
		{name: "timeout", code: "sleep 20", change: func(c *Command) { c.Timeout = 50 * time.Millisecond }, kind: TimedOut},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, root := shell(t, tt.code, tt.change)
			res := mustRun(t, r, tt.input)
			if res.Kind != tt.kind || res.Code != tt.exit || res.Signal != tt.signal {
				t.Errorf("%v (kind %v, code %d, signal %d), want kind %v, code %d, signal %d",
					res, res.Kind, res.Code, res.Signal, tt.kind, tt.exit, tt.signal)
			}
			if diff := cmp.Diff(tt.stdout, string(res.Stdout)); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.stderr, string(res.Stderr)); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
			wantEmpty(t, root)
		})
	}
}

func TestFeedAll(t *testing.T) {
	t.Parallel()
	// Writing over the file while standard input is read must not cut it.
	r, _ := shell(t, `cat > x.c; test "$0" = "$PWD/x.c" && cat "$0"`, func(c *Command) {
		c.Feed, c.Name = FeedAll, "x.c"
	})
	if got := string(mustRun(t, r, "int x;").Stdout); got != "int x;" {
		t.Errorf("got %q", got)
	}
}

func TestOutputWithoutEnd(t *testing.T) {
	t.Parallel()
	r, root := shell(t, "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", func(c *Command) {
		c.Timeout, c.Output = 300*time.Millisecond, 1000
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res := mustRun(t, r, "")
	runtime.ReadMemStats(&after)
	if res.Kind != TimedOut || len(res.Stdout) != 1000 || res.StdoutTotal <= 1000 {
		t.Errorf("kind %v, %d bytes kept of %d", res.Kind, len(res.Stdout), res.StdoutTotal)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
	wantEmpty(t, root)
}

func TestIgnoresTerminate(t *testing.T) {
	t.Parallel()
	// Only the kill after the grace period ends it.
	r, _ := shell(t, `trap "" TERM; echo started; while :; do sleep 20; done`, func(c *Command) {
		c.Timeout, c.Grace = 200*time.Millisecond, 30*time.Millisecond
	})
	if res := mustRun(t, r, ""); res.Kind != TimedOut {
		t.Error(res)
	}
}

func TestTerminateHandled(t *testing.T) {
	t.Parallel()
	// A program that cleans up on SIGTERM gets time to do so. The run ends with it, not a grace
	// period, which is longer than this test may take, later.
	for limit := 300 * time.Millisecond; ; limit *= 2 {
		r, _ := shell(t, `trap "echo bye; exit 0" TERM; echo started; while :; do sleep 0.02; done`, func(c *Command) {
			c.Timeout, c.Grace = limit, 24*time.Hour
		})
		res := mustRun(t, r, "")
		if len(res.Stdout) == 0 { // its time was over before the trap was set
			continue
		}
		if string(res.Stdout) != "started\nbye\n" || res.Kind != TimedOut {
			t.Errorf("%v, stdout %q", res, res.Stdout)
		}
		return
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	// The program takes longer than this test may.
	r, root := shell(t, `trap "" TERM; sleep 100000 & sleep 100000; sleep 100000`, func(c *Command) { c.Timeout = 0 })
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(150*time.Millisecond, cancel)
	if _, err := r.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	wantEmpty(t, root)
	if _, err := r.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a done context: got %v", err)
	}
	wantEmpty(t, root)
}

func TestDeletesItsFolder(t *testing.T) {
	t.Parallel()
	r, root := shell(t, `rm -rf "$TMPDIR"; exit 5`, func(c *Command) { c.Feed = FeedAll })
	for range 2 {
		if res := mustRun(t, r, "x"); res.Code != 5 {
			t.Errorf("%v", res)
		}
	}
	wantEmpty(t, root)
}

func TestLeavesFiles(t *testing.T) {
	t.Parallel()
	r, root := shell(t, `mkdir -p a/b; echo > a/b/c; chmod 0 a/b a`, nil)
	mustRun(t, r, "")
	wantEmpty(t, root)
}

func TestScratchNotWritable(t *testing.T) {
	t.Parallel()
	r, root := shell(t, "exit 0", func(c *Command) { c.Feed = FeedAll })
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(root, nil, 0o600); err != nil { // nothing can be made in a file, not even by root
		t.Fatal(err)
	}
	_, err := r.Run(context.Background(), nil)
	var se *ScratchError
	if !errors.As(err, &se) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("got %v", err)
	}
}

func TestInputNotWritable(t *testing.T) {
	t.Parallel()
	r, root := shell(t, "exit 0", func(c *Command) { c.Feed = FeedAll; c.Name = strings.Repeat("n", 300) })
	// A name too long for any file system fails where a full disk does, at the
	// file: the folder, already made, must be gone again.
	_, err := r.Run(context.Background(), []byte("x"))
	var se *ScratchError
	if !errors.As(err, &se) {
		t.Errorf("got %v", err)
	}
	wantEmpty(t, root)
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	if !hasMemoryLimit {
		if _, err := New(Command{Args: []string{"sh"}, Memory: 1 << 20}); err == nil {
			t.Error("a limit that cannot be kept was accepted")
		}
		return
	}
	// The shell doubles a string until it has no more memory.
	r, _ := shell(t, `sleep 0.1; x=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; while :; do x=$x$x; done`, func(c *Command) {
		c.Memory, c.Timeout = 64<<20, time.Minute
	})
	res := mustRun(t, r, "")
	if res.Kind == TimedOut || res.Kind == Exited && res.Code == 0 {
		t.Errorf("not stopped by the limit: %v", res)
	}
	if o := Classify(res); o.Class != OOM {
		t.Errorf("outcome %v, stderr %q", o, res.Stderr)
	}
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	r, root := shell(t, "cat {}; cat input >&2", nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 5 {
				want := bytes.Repeat([]byte{byte('a' + i)}, j+1)
				res, err := r.Run(context.Background(), want)
				if err != nil {
					t.Error(err)
					return
				}
				if !bytes.Equal(res.Stdout, want) || !bytes.Equal(res.Stderr, want) {
					t.Errorf("got %q and %q, want %q", res.Stdout, res.Stderr, want)
				}
			}
		}()
	}
	wg.Wait()
	wantEmpty(t, root)
}

// TestNoLeaks runs programs that end in every way and counts the resources left in this
// process. It is not parallel, because the counts are of the whole process.
func TestNoLeaks(t *testing.T) {
	ok, _ := shell(t, "cat", nil)
	slow, _ := shell(t, "sleep 20 & sleep 20", func(c *Command) { c.Timeout, c.Grace = 20*time.Millisecond, -1 })
	endless, _ := shell(t, "sleep 20 & sleep 20", func(c *Command) { c.Timeout = 0 })
	gone := writeScript(t, "exit 0\n")
	missing, err := NewScript(Command{Args: []string{gone}})
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(gone)
	mustRun(t, ok, "warm up")
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for range 10 {
		mustRun(t, ok, strings.Repeat("x", 100_000))
		mustRun(t, slow, "")
		if _, err := missing.Test(context.Background(), nil); err == nil {
			t.Error("a removed script was run")
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		if _, err := endless.Run(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		cancel()
	}
	eventually(t, "goroutines are gone", func() bool { return runtime.NumGoroutine() <= goroutines })
	eventually(t, "files are closed", func() bool { return openFiles() <= files })
}

func openFiles() int {
	entries, _ := os.ReadDir(filepath.FromSlash("/proc/self/fd"))
	return len(entries)
}

// A program that holds too much memory is killed with its children. A program that only
// reserves memory is not.
func TestResident(t *testing.T) {
	t.Parallel()
	if !hasResident {
		if _, err := New(Command{Args: []string{"sh"}, Resident: 1 << 20}); err == nil {
			t.Error("a limit that does not hold is taken")
		}
		t.Skip("resident memory is not known here")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 on this machine")
	}
	limit := func(c *Command) { c.Resident, c.Timeout = 128<<20, time.Minute }
	for _, tt := range []struct {
		name, code string
		want       Kind
	}{
		{"holds", `exec python3 -c 'import time; x = b"x" * (200 << 20); time.sleep(60)'`, Overgrown},
		{"its child holds", `python3 -c 'import time; x = b"x" * (200 << 20); time.sleep(60)' & wait`, Overgrown},
		{"reserves", `exec python3 -c 'import mmap, time; x = mmap.mmap(-1, 1 << 30); time.sleep(0.3)'`, Exited},
	} {
		r, scratch := shell(t, tt.code, limit)
		res := mustRun(t, r, "")
		if res.Kind != tt.want {
			t.Errorf("%s: %v", tt.name, res)
		}
		if tt.want != Overgrown {
			continue
		}
		if o := Classify(res); o.Signature() != "oom" || !strings.Contains(res.String(), "more than 128 MiB") {
			t.Errorf("%s: %s, %v", tt.name, o.Signature(), res)
		}
		if left, _ := os.ReadDir(scratch); len(left) > 0 {
			t.Errorf("%s: %v is left", tt.name, left)
		}
	}
	if all := machineMemory(); all > 0 && (DefaultResident() > all/4 || DefaultResident() < all/5) {
		t.Errorf("the default is %d of %d bytes", DefaultResident(), all)
	}
	if _, err := New(Command{Args: []string{"sh"}, Resident: -1}); err == nil {
		t.Error("a negative limit is taken")
	}
}
