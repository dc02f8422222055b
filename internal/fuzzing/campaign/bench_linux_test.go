package campaign

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// cpu returns the processor time of this process so far, in seconds.
func cpu(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkOverhead measures the processor time of a campaign beside that of the program:
// drawing, labels, bookkeeping. At 1,000 runs a second 10 % is 100 µs a run.
func BenchmarkOverhead(b *testing.B) {
	edges := make([]byte, 1000)
	nothing := Func(func(_ context.Context, text []byte) (*Ran, error) {
		for i := range text {
			edges[int(text[i])*7%1000] = 1
		}
		return &Ran{Outcome: target.Outcome{Class: target.OK}, Result: &target.Result{}, Edges: edges}, nil
	})
	for _, grammar := range []string{"expr", "json", "go"} {
		for _, name := range guide.Names() {
			if name == "labels" || name == "exemplars" {
				continue // they are drawn the same way, and teach the guide
			}
			b.Run(grammar+"/"+name, func(b *testing.B) {
				const runs = 20_000
				total := 0.0
				begin := cpu(b)
				for b.Loop() {
					c, err := New(b.Context(), grammars.Must(grammar), Options{
						Dir: filepath.Join(b.TempDir(), "found"), Drive: nothing, Seed: 1, Runs: runs, Guide: name, Damage: 0.25,
					})
					if err != nil {
						b.Fatal(err)
					}
					sum, err := c.Run(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					total += float64(sum.Runs)
				}
				perRun := (cpu(b) - begin) / total
				b.ReportMetric(perRun*1e6, "µs/run")
				b.ReportMetric(perRun*1000*100, "%-at-1000/s")
			})
		}
	}
}

// BenchmarkSyncing measures the share of a campaign's time spent on syncing: the state once a
// second, and findings. Each text starts a program, one at a time; waits for the disk count as if
// runs waited with them.
func BenchmarkSyncing(b *testing.B) {
	const programs = `case "$(cat)" in *'((('*) kill -SEGV $$;; *'/ 0'*) kill -ABRT $$;; esac`
	for _, tt := range []struct{ name, code string }{{"nothing found", "exit 0"}, {"findings", programs}} {
		b.Run(tt.name, func(b *testing.B) {
			var syncing, all time.Duration
			var runs, syncs uint64
			for b.Loop() {
				var took, n atomic.Int64
				o := Options{
					Dir:  filepath.Join(b.TempDir(), "found"),
					Seed: 1, Jobs: 1, Time: 10 * time.Second,
					Drive: ByProcess(target.Command{Args: []string{"sh", "-c", tt.code}, Timeout: time.Minute, Scratch: b.TempDir()}),
					trace: func(s corpus.Step) {
						if s.Kind == corpus.Synced || s.Kind == corpus.SyncedDir {
							took.Add(int64(s.Took))
							n.Add(1)
						}
					},
				}
				c, err := New(b.Context(), grammars.Must("expr"), o)
				if err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				sum, err := c.Run(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				all += time.Since(began)
				syncing += time.Duration(took.Load())
				syncs += uint64(n.Load())
				runs += sum.Runs
			}
			b.ReportMetric(100*float64(syncing)/float64(all), "%-of-the-time")
			b.ReportMetric(float64(syncs), "syncs")
			b.ReportMetric(float64(runs), "runs")
		})
	}
}
