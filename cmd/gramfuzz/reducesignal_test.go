package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// TestSignalTwice checks that the best text is printed although timeout(1) sends its signal
// twice.
func TestSignalTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the predicate is a shell script")
	}
	ends := []os.Signal{syscall.SIGTERM, os.Interrupt}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	for _, end := range ends {
		k := newKilled(t, 1)
		k.args = []string{"-pred", "./check.sh"}
		// The script accepts the input, and then hangs.
		script := "#!/bin/sh\nprintf x >>\"$CALLS\"\ntest $(wc -c <\"$CALLS\") -le 1 || sleep 60\n"
		if err := os.WriteFile(filepath.Join(k.dir, "check.sh"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd := k.command("in.c", "calls")
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for calls := 0; calls < 2; time.Sleep(time.Millisecond) {
			n, _ := os.ReadFile(filepath.Join(k.dir, "calls")) // missing at first
			calls = len(n)
		}
		for range 2 {
			if err := cmd.Process.Signal(end); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || out.Len() == 0 {
			t.Errorf("%v twice: exit code %d and %d bytes, want %d and a text; it said %s", end, code, out.Len(), exitInterrupted, cmd.Stderr)
		}
	}
}
