package campaign

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/testing/afltest"
)

// aflStats runs afl-fuzz and returns its statistics.
func aflStats(t testing.TB, args, env []string) map[string]string {
	t.Helper()
	fuzz, err := exec.LookPath("afl-fuzz")
	if err != nil {
		t.Skip("no afl-fuzz on this machine (Debian: afl++)")
	}
	dir := t.TempDir()
	seeds := filepath.Join(dir, "seeds")
	if err := os.Mkdir(seeds, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(seeds, "one"), []byte("(1 + 2) * 3"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	cmd := exec.Command(fuzz, append([]string{"-i", seeds, "-o", out}, args...)...)
	cmd.Env = append(append(os.Environ(), "AFL_NO_UI=1", "AFL_QUIET=1", "AFL_SKIP_CPUFREQ=1", "AFL_SKIP_CRASHES=1",
		"AFL_NO_AFFINITY=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1"), env...)
	said, err := cmd.CombinedOutput()
	data, e := os.ReadFile(filepath.Join(out, "default", "fuzzer_stats"))
	if e != nil {
		t.Fatalf("%v, %v\n%s", e, err, said)
	}
	stats := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		stats[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return stats
}

// computed returns the processor time of this process and of its finished children, in seconds.
func computed(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		b.Fatal(err)
	}
	return cpu(b) + float64(u.Utime.Nano()+u.Stime.Nano())/1e9
}

// BenchmarkBesideAFL measures runs per second of one small program in persistent mode, by
// afl-fuzz and by campaigns, in turns. It also measures the processor time of a run, drawing and
// preparation included, without that of the program itself. On a busy machine only the latter is
// meaningful.
func BenchmarkBesideAFL(b *testing.B) {
	prog := afltest.Compile(b, filepath.Join("testdata", "valid.c"))
	debug.SetGCPercent(400) // as in cmd/gramfuzz
	const turn = 3 * time.Second
	ways := map[string]func() float64{
		"afl-fuzz": func() float64 {
			stats := aflStats(b, []string{"-V", strconv.Itoa(int(turn.Seconds())), "--", prog}, nil)
			n, err := strconv.ParseFloat(stats["execs_per_sec"], 64)
			if err != nil {
				b.Fatal(err)
			}
			return n
		},
	}
	for _, guide := range []string{"none", "cover"} {
		ways[guide] = func() float64 {
			c, err := New(b.Context(), grammars.Must("expr"), Options{
				Dir: filepath.Join(b.TempDir(), "found"), Drive: ByAFL(target.Command{Args: []string{prog}, Timeout: time.Minute}, ""),
				Seed: 1, Time: turn, Guide: guide, Damage: 0.25,
			})
			if err != nil {
				b.Fatal(err)
			}
			sum, err := c.Run(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			return sum.PerSecond
		}
	}
	total, took := map[string]float64{}, map[string]float64{}
	order := []string{"afl-fuzz", "none", "cover", "cover", "none", "afl-fuzz"}
	for b.Loop() {
		for _, name := range order {
			before := computed(b)
			rate := ways[name]()
			total[name] += rate / float64(len(order)/len(ways))
			took[name] += (computed(b) - before) / (rate * turn.Seconds()) / float64(len(order)/len(ways))
		}
	}
	for name, sum := range total {
		b.ReportMetric(sum/float64(b.N), name+"/s")
		b.ReportMetric(took[name]/float64(b.N)*1e6, name+"-µs")
		if name != "afl-fuzz" {
			b.ReportMetric(100*sum/total["afl-fuzz"], name+"-%")
		}
	}
}
