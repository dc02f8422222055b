package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
)

// TestDeepBug checks that a bug behind a condition on the derivation is found. With
// GRAMFUZZ_LONG=all afl-fuzz with a dictionary does not find it in ten times the executions.
func TestDeepBug(t *testing.T) {
	prog := afltest.Compile(t, filepath.Join("testdata", "deep.c"))
	words := filepath.Join(t.TempDir(), "words")
	file := ""
	for i, w := range []string{" + ", " - ", " * ", " / ", "-", "(", ")", "0", "0", "1", "9"} {
		file += fmt.Sprintf("w%d=%q\n", i, w)
	}
	if err := os.WriteFile(words, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(long(1, 3)) {
		o := options(t, ByAFL(target.Command{Args: []string{prog}, Timeout: time.Minute, Scratch: t.TempDir()}, ""))
		o.Seed, o.Runs, o.Enough, o.Guide, o.Damage, o.ShrinkTime = seed, 50_000, 1, "cover", 0.25, -1
		sum := run(t, "expr", o)
		if len(sum.Findings) != 1 {
			t.Errorf("seed %d: not found in %d runs", seed, sum.Runs)
			continue
		}
		t.Logf("seed %d: found in %d runs, %q", seed, sum.Runs, sum.Findings[0].Record.Text)
		if os.Getenv("GRAMFUZZ_LONG") != "all" {
			continue
		}
		stats := aflStats(t, []string{"-E", strconv.FormatUint(10*sum.Runs, 10), "-s", strconv.FormatUint(seed, 10), "-x", words, "--", prog}, nil)
		t.Logf("seed %d: afl-fuzz: %s executions, %s crashes", seed, stats["execs_done"], stats["saved_crashes"])
		if stats["saved_crashes"] != "0" {
			t.Errorf("seed %d: afl-fuzz found it in %s executions", seed, stats["execs_done"])
		}
	}
}
