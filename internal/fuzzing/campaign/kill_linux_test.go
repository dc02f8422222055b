package campaign

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/await"
)

// victim is the variable that makes the test binary a campaign to be killed.
const victim = "GRAMFUZZ_VICTIM"

func TestMain(m *testing.M) {
	if target.EnterCage(os.Args) {
		return
	}
	if os.Getenv(victim) != "" {
		beVictim()
		return
	}
	os.Exit(m.Run())
}

// victimOptions are the options of the killed processes and of the one that inspects the folder.
func victimOptions(dir, program, scratch string) Options {
	return Options{
		Dir: dir, Seed: 5, Jobs: 2, Damage: 0.25, Grammar: derive.GrammarRef{Name: "expr"},
		Drive: ByProcess(target.Command{Args: []string{program}, Timeout: time.Minute, Scratch: scratch}),
	}
}

func beVictim() {
	scratch := os.Getenv("VICTIM_SCRATCH")
	if _, err := target.Sweep(scratch); err != nil {
		panic(err)
	}
	c, err := New(context.Background(), grammars.Must("expr"), victimOptions(os.Getenv("VICTIM_DIR"), os.Getenv("VICTIM_PROGRAM"), scratch))
	if err != nil {
		panic(err)
	}
	if _, err := c.Run(context.Background()); err != nil {
		panic(err)
	}
}

// TestKilled checks that a campaign that is killed at any moment loses nothing that it had kept,
// leaves complete files, and is resumed by the next one.
func TestKilled(t *testing.T) {
	dir, scratch := filepath.Join(t.TempDir(), "found"), t.TempDir()
	program := script(t, `sleep 1000 & case "$(cat)" in *"((("*) kill -SEGV $$;; *" - "*" - "*) kill -ABRT $$;; *"*"*) echo oops >&2; kill -ILL $$;; esac`)
	rng := rand.New(rand.NewPCG(1, 2))
	var kept map[string]int // the length of every finding so far
	var next uint64
	for kill := range long(8, 30) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victim+"=1", "VICTIM_DIR="+dir, "VICTIM_SCRATCH="+scratch, "VICTIM_PROGRAM="+program)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kill%2 == 1 { // only after some progress, however busy the machine is
			await.Until(t, func() bool { return saved(dir) > next }, func() string { return "progress" })
		}
		time.Sleep(time.Duration(rng.IntN(600)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		now, at := look(t, dir)
		for key, bytes := range kept {
			if now[key] == 0 || now[key] > bytes {
				t.Fatalf("kill %d: finding %s had %d bytes and has %d", kill, key, bytes, now[key])
			}
		}
		if at < next {
			t.Fatalf("kill %d: the run was at sentence %d and is at %d", kill, next, at)
		}
		kept, next = now, at
	}
	if len(kept) == 0 || next == 0 {
		t.Errorf("%d findings and %d sentences in all that time", len(kept), next)
	}
	if _, err := target.Sweep(scratch); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, scratch)

	o := victimOptions(dir, program, scratch)
	o.Runs = 200
	sum := run(t, "expr", o)
	for _, fd := range sum.Findings {
		if kept[fd.Key] > 0 && !fd.Shrunk {
			t.Errorf("%s was not shrunk in the end", fd.Signature)
		}
	}
	if sum.Sentences < next {
		t.Errorf("the last run went on at %d, not %d", sum.Sentences, next)
	}
	nothingLeft(t, scratch)
}

// saved returns the progress of the run in its file.
func saved(dir string) uint64 {
	var s state
	data, err := os.ReadFile(filepath.Join(dir, "runs", "1.json"))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return 0
	}
	return s.Next
}

// look inspects the folder of an interrupted run: all files must be complete, and opening the
// folder must rebuild the missing ones.
func look(t *testing.T, dir string) (findings map[string]int, next uint64) {
	t.Helper()
	if _, err := os.Stat(dir); err != nil {
		return nil, 0 // killed before it made anything
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Findings()
	if err != nil {
		t.Fatal(err)
	}
	findings = map[string]int{}
	for _, fd := range all {
		text, err := os.ReadFile(filepath.Join(dir, "findings", fd.Key))
		if err != nil || string(text) != string(fd.Record.Text) || len(text) == 0 {
			t.Fatalf("finding %s has %q and its record %q, %v", fd.Key, text, fd.Record.Text, err)
		}
		findings[fd.Key] = len(text)
	}
	states, err := filepath.Glob(filepath.Join(dir, "runs", "*.json"))
	if err != nil || len(states) > 1 {
		t.Fatalf("%d runs: a killed one was not taken up; %v", len(states), err)
	}
	for _, path := range states {
		var s state
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		next = s.Next
	}
	return findings, next
}
