//go:build linux && !race

package reduce_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// threadTime returns the processor time of this thread. It equals elapsed time on an idle
// machine, and does not grow when other processes run.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestOverhead checks that reducing two documents takes, outside the predicate, at most 15 % of
// the time of 10,000 calls of 1 ms. (That was the number of calls when the bound was set; fewer
// calls do not tighten it.) The least of ten runs counts.
func TestOverhead(t *testing.T) {
	const calls, call = 10000, time.Millisecond
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("set GRAMFUZZ_LONG=1 to spend ten seconds on it")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	parser := jsonParser(t)
	part := 1.0
	for try := 0; try < 10 && part > .15; try++ {
		begin, asked := threadTime(t), 0
		for _, items := range []int{400, 200} {
			r, err := reduce.Run(context.Background(), reduce.Input{Text: itemsText(items)}, func(_ context.Context, text []byte) (bool, error) {
				return bytes.Count(text, []byte("tags")) >= items, nil
			}, reduce.Options{Parse: parser, MaxCalls: calls - asked})
			if err != nil {
				t.Fatal(err)
			}
			asked += r.Stats.Calls
		}
		if asked < 1000 {
			t.Fatalf("only %d calls", asked)
		}
		outside := threadTime(t) - begin
		part = min(part, float64(outside)/float64(outside+calls*call))
		t.Logf("%v outside %d calls: %.1f %%", outside, asked, 100*part)
	}
	if part > .15 {
		t.Errorf("%.1f %% of the time is spent outside the predicate", 100*part)
	}
}

// itemsText returns a JSON array of items objects.
func itemsText(items int) []byte {
	doc := []byte("[")
	for i := range items {
		doc = fmt.Appendf(doc, "{\"id\": %d, \"tags\": [\"a\", \"b\"]},\n", i)
	}
	return append(doc, "0]"...)
}
