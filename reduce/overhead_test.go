//go:build linux && !race

package reduce_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/reduce"
)

// threadTime returns the processor time of this thread. It equals elapsed time on an idle
// machine, and does not grow when other processes run.
func threadTime(t testing.TB) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOverhead reports the part of the time that reducing two documents takes outside the
// predicate, if 10,000 calls take 1 ms each. (That was the number of calls when the bound of 15 % was
// set; fewer calls do not tighten it.)
func BenchmarkOverhead(b *testing.B) {
	const calls, call = 10000, time.Millisecond
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	parser := jsonParser(b)
	part := 1.0
	for b.Loop() {
		begin, asked := threadTime(b), 0
		for _, items := range []int{400, 200} {
			r, err := reduce.Run(context.Background(), reduce.Input{Text: itemsText(items)}, func(_ context.Context, text []byte) (bool, error) {
				return bytes.Count(text, []byte("tags")) >= items, nil
			}, reduce.Options{Parse: parser, MaxCalls: calls - asked})
			if err != nil {
				b.Fatal(err)
			}
			asked += r.Stats.Calls
		}
		if asked < 1000 {
			b.Fatalf("only %d calls", asked)
		}
		outside := threadTime(b) - begin
		part = min(part, float64(outside)/float64(outside+calls*call))
	}
	b.ReportMetric(100*part, "%outside")
}

// itemsText returns a JSON array of items objects.
func itemsText(items int) []byte {
	doc := []byte("[")
	for i := range items {
		doc = fmt.Appendf(doc, "{\"id\": %d, \"tags\": [\"a\", \"b\"]},\n", i)
	}
	return append(doc, "0]"...)
}
