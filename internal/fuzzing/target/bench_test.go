package target

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// bare runs a program as plainly as package os/exec can, with the input on standard input from
// a file. No runner can be faster than that.
func bare(path string, null *os.File) error {
	cmd := exec.Command(path, "argument") // GNU true does more when it has one
	cmd.Stdin = null
	return cmd.Run()
}

// BenchmarkOverhead compares a predicate with a bare start of the same program. They alternate,
// so that the load of the machine affects both. It reports the difference of the medians in
// microseconds a call, and its share of a call of a program that works for one millisecond.
func BenchmarkOverhead(b *testing.B) {
	path, err := exec.LookPath("true")
	if err != nil {
		b.Skip("no true on this machine")
	}
	for _, bench := range []struct {
		name   string
		output int
		reuse  bool
	}{{"fresh folders", 0, false}, {"output kept", 0, true}, {"no output", -1, true}} {
		b.Run(bench.name, func(b *testing.B) {
			p, err := NewScript(Command{Args: []string{path}, Timeout: time.Minute, Output: bench.output, Reuse: bench.reuse})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			null, err := os.Open(os.DevNull)
			if err != nil {
				b.Fatal(err)
			}
			defer null.Close()
			input := make([]byte, 1000)
			var ours, theirs []time.Duration
			for b.Loop() {
				begin := time.Now()
				if _, err := p.Test(context.Background(), input); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				if err := bare(path, null); err != nil {
					b.Fatal(err)
				}
				ours = append(ours, between.Sub(begin))
				theirs = append(theirs, time.Since(between))
			}
			a, z := median(ours), median(theirs)
			extra := a - z
			b.ReportMetric(a/z, "ratio")
			b.ReportMetric(extra/1e3, "extra-µs/call")
			b.ReportMetric(100*extra/(extra+float64(time.Millisecond)), "%of-1ms")
		})
	}
}

// median returns the median in nanoseconds.
func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}
