package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/folder"
)

// killed is a reduction that is killed at random moments and restarted.
type killed struct {
	t       *testing.T
	dir     string
	args    []string // of reduce, without the file
	rng     *rand.Rand
	kills   int
	started int // killed runs that had a best text
}

// mostAlive is the greatest time after which a run is killed.
const mostAlive = 500 * time.Millisecond

// needles is the predicate, equal to that of the script below.
func needles(text []byte) bool {
	return bytes.Contains(text, []byte("needle")) && bytes.Contains(text, []byte("[thread]"))
}

const needlesScript = `#!/bin/sh
printf x >> "$CALLS"
grep -rq needle "$1" && grep -rq '\[thread\]' "$1"
`

func newKilled(t *testing.T, seed uint64, args ...string) *killed {
	k := &killed{t: t, dir: t.TempDir(), rng: rand.New(rand.NewPCG(seed, 9))}
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "if (f%d(x, %d)) {\n  g(%d);\n}\n", i%7, i, i*i)
		switch i {
		case 17:
			text.WriteString("h(needle, 1);\n")
		case 44:
			text.WriteString("{ a[thread] = 3; }\n")
		}
	}
	for _, name := range []string{"tmp", "in"} {
		if err := os.Mkdir(filepath.Join(k.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	front, back := text.String()[:text.Len()/2], text.String()[text.Len()/2:]
	for name, data := range map[string]string{"in.c": text.String(), "in/front.c": front, "in/back.c": back, "check.sh": needlesScript} {
		if err := os.WriteFile(filepath.Join(k.dir, name), []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	k.args = append([]string{"-q", "-pred", "./check.sh", "-o", "best"}, args...)
	return k
}

// command returns this program as another process, which counts calls in a file.
func (k *killed) command(file, calls string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append(append([]string{"gramfuzz", "reduce"}, k.args...), file)
	cmd.Dir = k.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(k.dir, "tmp"), "CALLS="+filepath.Join(k.dir, calls))
	cmd.Stderr = new(bytes.Buffer)
	return cmd
}

// best returns the best text so far, nil if there is none yet. It must have the property.
func (k *killed) best() []byte {
	path := filepath.Join(k.dir, "best")
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return nil
	}
	var text []byte
	if err == nil && info.IsDir() {
		text, err = folder.Read(path, 1<<20)
	} else if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		k.t.Fatal(err)
	}
	if !needles(text) {
		k.t.Fatalf("after %d kills the best so far does not have the property: %q", k.kills, text)
	}
	return text
}

// kill starts a run and kills it at a random moment; false if the run had ended earlier.
func (k *killed) kill(file string) bool {
	cmd := k.command(file, "calls")
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	timer := time.AfterFunc(time.Duration(k.rng.Int64N(int64(mostAlive))), func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	if err == nil {
		return false
	}
	if cmd.ProcessState.ExitCode() > 0 {
		k.t.Fatalf("a run after %d kills: %v: %s", k.kills, err, cmd.Stderr)
	}
	k.kills++
	return true
}

// whole runs to the end and returns the result and the number of calls.
func (k *killed) whole(file, calls string) ([]byte, int) {
	cmd := k.command(file, calls)
	if err := cmd.Run(); err != nil {
		k.t.Fatalf("%v: %s", err, cmd.Stderr)
	}
	n, err := os.ReadFile(filepath.Join(k.dir, calls))
	if err != nil {
		k.t.Fatal(err)
	}
	return k.best(), len(n)
}

// TestKilled kills reductions at random moments, 10 times each, 30 times with GRAMFUZZ_LONG. The
// best text is always complete and never larger than before, and a restarted run continues.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the predicate is a shell script")
	}
	kills := 10
	if os.Getenv("GRAMFUZZ_LONG") != "" {
		kills = 30
	}
	t.Run("cache", func(t *testing.T) {
		t.Parallel()
		withCache(t, kills, "in.c")
	})
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		withCache(t, kills, "in")
	})
	t.Run("best", func(t *testing.T) {
		t.Parallel()
		k := newKilled(t, 2)
		for rounds := uint64(1); k.kills < kills; rounds++ {
			next := newKilled(t, 100+rounds)
			next.kills, next.started, k = k.kills, k.started, next
			k.untilEnd(kills, func() string {
				if k.best() != nil {
					return "best"
				}
				return "in.c"
			})
		}
		t.Logf("%d kills, %d of them with a best so far", k.kills, k.started)
	})
}

// withCache kills runs that keep their answers, and compares them with one that is not
// killed.
func withCache(t *testing.T, kills int, file string) {
	reference := newKilled(t, 1)
	want, calls := reference.whole(file, "calls")
	k := newKilled(t, 1, "--cache", "answers")
	for rounds := uint64(1); k.kills < kills; rounds++ {
		next := newKilled(t, rounds, "--cache", "answers")
		next.kills, next.started, k = k.kills, k.started, next
		k.untilEnd(kills, func() string { return file })
		before := k.kills
		got, n := k.whole(file, "calls")
		if !bytes.Equal(got, want) {
			t.Errorf("killed runs end with %q, others with %q", got, want)
		}
		// Every kill costs at most the call that was under way and its place in
		// the cache; every run that ended, the recheck of its result.
		if most := calls + 2*before + 2; n > most {
			t.Errorf("killed runs asked %d times, one run %d times; that is more than %d", n, calls, most)
		}
	}
	t.Logf("%d kills, %d of them with a best so far", k.kills, k.started)
}

// untilEnd starts and kills until a run ends, or there were enough kills.
func (k *killed) untilEnd(kills int, file func() string) {
	var last []byte
	for k.kills < kills && k.kill(file()) {
		best := k.best()
		if best != nil {
			k.started++
		}
		if last != nil && (best == nil || len(best) > len(last)) {
			k.t.Fatalf("after %d kills the best so far is %q; it was %q", k.kills, best, last)
		}
		last = best
	}
}
