package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/await"
)

// script writes a shell script and returns its path.
func script(t testing.TB, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// left counts the processes run in scratch folders below root.
func left(root string) (n int) {
	pids, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range pids {
		env, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(env), target.MarkVariable+"="+root) {
			n++
		}
	}
	return n
}

// nothingLeft fails if a process or a scratch folder is left; killed processes may take a moment
// to end.
func nothingLeft(t testing.TB, root string) {
	t.Helper()
	await.Until(t, func() bool { return left(root) == 0 }, func() string { return fmt.Sprint("no process is left running: ", left(root)) })
	if dirs, _ := os.ReadDir(root); len(dirs) > 0 {
		t.Errorf("%d scratch folders are left, %s", len(dirs), dirs[0].Name())
	}
}

// TestBadPrograms checks that programs that behave badly cost one run each, and leave nothing
// behind.
func TestBadPrograms(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		timeout    time.Duration
		memory     int64
		class      target.Class // "": nothing is found
	}{
		{"forks and lingers", `sleep 1000 & setsid sleep 1000 >/dev/null 2>&1 & (sleep 1000 &) ; exit 0`, time.Minute, 0, ""},
		{"ignores SIGTERM", `trap "" TERM INT HUP; while :; do sleep 1; done`, 100 * time.Millisecond, 0, target.Timeout},
		{"prints without end", `exec yes`, 200 * time.Millisecond, 0, target.Timeout},
		{"eats memory", `exec tail /dev/zero`, time.Minute, 64 << 20, target.OOM},
		{"deletes its working directory", `rm -rf "$PWD"`, time.Minute, 0, ""},
		{"closes everything and lives on", `exec <&- >&- 2>&-; sleep 1000`, 100 * time.Millisecond, 0, target.Timeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			scratch := t.TempDir()
			o := options(t, ByProcess(target.Command{
				Args: []string{script(t, tt.body)}, Timeout: tt.timeout, Memory: tt.memory, Scratch: scratch, Grace: 10 * time.Millisecond,
			}))
			o.Runs, o.Jobs, o.ShrinkTime = 4, 2, -1
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			sum := run(t, "expr", o)
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 64<<20 {
				t.Errorf("the heap has grown by %d MiB", grown>>20)
			}
			switch {
			case tt.class == "" && len(sum.Findings) > 0:
				t.Errorf("found %s", sum.Findings[0].Signature)
			case tt.class != "" && (len(sum.Findings) != 1 || sum.Findings[0].Class != tt.class):
				t.Errorf("%d findings, want one of class %s", len(sum.Findings), tt.class)
			}
			nothingLeft(t, scratch)
		})
	}
}

// TestInterrupted checks that a cancelled context ends the programs and keeps the findings.
func TestInterrupted(t *testing.T) {
	scratch := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := options(t, ByProcess(target.Command{Args: []string{script(t, `case "$(cat)" in *"("*) kill -SEGV $$;; esac`)}, Scratch: scratch}))
	o.Runs, o.Jobs = 0, 2
	o.Event = func(e Event) {
		if e.Kind == Found {
			cancel()
		}
	}
	c, err := New(t.Context(), grammars.Must("expr"), o)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Run(ctx)
	if err == nil || sum == nil || len(sum.Findings) != 1 {
		t.Fatalf("%+v, %v", sum, err)
	}
	nothingLeft(t, scratch)
	o.Event, o.Runs = nil, 1
	sum = run(t, "expr", o) // unshrunk findings are resumed
	if text := string(sum.Findings[0].Record.Text); len(text) != 3 || !sum.Findings[0].Shrunk {
		t.Errorf("after the next run it is %q", text)
	}
}

// long returns n with GRAMFUZZ_LONG, a few in short tests, otherwise some.
func long(some, n int) int {
	if testing.Short() {
		return min(some, 4)
	}
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		return n
	}
	return some
}
