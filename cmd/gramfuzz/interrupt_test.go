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

// withinInterrupt is the time in which a command must end after Ctrl-C.
const withinInterrupt = 100 * time.Millisecond

// mostInterrupts is the number of attempts: a command must end in time once. A process without a
// processor cannot.
const mostInterrupts = 10

// TestInterruptAnywhere checks that Ctrl-C ends every command soon, in every phase.
func TestInterruptAnywhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"amb.ebnf": `s = s s | s s s | "a" ;`,
		"amb.txt":  strings.Repeat("a", 400),
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
		"count -g json --size 37000",
		"count -g json --depth 50",
		"gen -g json --size 60000 -n 1",                // tables
		"gen -g json -n 1000000000",                    // sentences
		"gen -g json -n 1000000000 --json -j 2",        // records
		"gen -g expr --distinct --depth 14 -n 2000000", // ranks
		"enum -g expr --depth 40",                      // exact tables
		"enum -g expr --size 30",                       // sentences
		"parse -g amb.ebnf --count amb.txt",            // a forest
		"gen -g json --strategy boltzmann --size 3000000..3000010 --unit bytes --max-bytes 1GiB -n 100",
		"gen -g go --strategy boltzmann --mean 100000 -n 1000000000", // an oracle, and sampling
	} {
		t.Run(line, func(t *testing.T) {
			least, start := time.Hour, 100*time.Millisecond
			for try := 0; try < mostInterrupts && least > withinInterrupt; try++ {
				cmd := exec.Command(self)
				cmd.Args = append([]string{"gramfuzz"}, strings.Fields(line)...)
				cmd.Dir = dir
				cmd.Stdout = io.Discard
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(start + time.Duration(rng.IntN(400))*time.Millisecond)
				began := time.Now()
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatalf("it ended before: %v", err)
				}
				_ = cmd.Wait()
				if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() { // it had hardly started
					start *= 2
					continue
				}
				least = min(least, time.Since(began))
				if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
					t.Fatalf("exit code %d, want %d", code, exitInterrupted)
				}
			}
			t.Logf("%v after Ctrl-C", least)
			if least > withinInterrupt {
				t.Errorf("it ended %v after Ctrl-C at the soonest, want %v", least, withinInterrupt)
			}
		})
	}
}
