//go:build unix

package main

import (
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterruptAnywhere checks that Ctrl-C ends every command, in phases that take longer than this
// test may.
func TestInterruptAnywhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"amb.ebnf": `s = s s | s s s | "a" ;`,
		"amb.txt":  strings.Repeat("a", 4000),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, line := range []string{
		"count -g json --size 370000 --max-memory 1TiB",
		"count -g json --depth 60 --max-memory 1TiB",
		"gen -g json --size 600000 -n 1 --max-memory 1TiB --max-bytes 1GiB", // tables
		"gen -g json -n 1000000000",                                         // sentences
		"gen -g json -n 1000000000 --json -j 2",                             // records
		"gen -g expr --distinct --depth 16 -n 2000000000",                   // ranks
		"enum -g expr --depth 45 --max-memory 1TiB",                         // exact tables
		"enum -g expr --size 30",                                            // sentences
		"parse -g amb.ebnf --count --max-memory 1TiB amb.txt",               // a forest
		"gen -g json --strategy boltzmann --size 3000000..3000010 --unit bytes --max-bytes 1GiB -n 100",
		"gen -g go --strategy boltzmann --mean 100000 -n 1000000000", // an oracle, and sampling
	} {
		t.Run(line, func(t *testing.T) {
			for start := 100 * time.Millisecond; ; start *= 2 {
				cmd := exec.Command(self)
				cmd.Args = append([]string{"gramfuzz"}, strings.Fields(line)...)
				cmd.Dir = dir
				cmd.Stdout = io.Discard
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(start + time.Duration(rng.IntN(400))*time.Millisecond)
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatalf("it ended before: %v", err)
				}
				_ = cmd.Wait()
				if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() { // it had hardly started
					continue
				}
				if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
					t.Errorf("exit code %d, want %d", code, exitInterrupted)
				}
				return
			}
		})
	}
}
