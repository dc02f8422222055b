package gramtest

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/grammars"
)

// deepen overflows the stack: it returns in time for no n.
func deepen(n int) int {
	if n < 0 {
		return 0
	}
	return deepen(n+1) + n
}

// depth receives the result of deepen, which never returns.
var depth int

// hangs checks a property that hangs on sentences with a text, and returns the report. A busy
// machine may take longer than the limit for other sentences; then a longer one is tried.
func hangs(t *testing.T, with string, check func(tb testing.TB, limit time.Duration)) (report string) {
	t.Helper()
	for limit := 300 * time.Millisecond; limit < time.Minute && !strings.Contains(sentence(report), with); limit *= 2 {
		report = outcome(t, func(tb testing.TB) { check(tb, limit) })
	}
	return report
}

// TestDeaths: failures that end the process are shrunk in children.
func TestDeaths(t *testing.T) {
	tests := []struct {
		name string
		end  func()
		says string
	}{
		{"exit", func() { os.Exit(7) }, "the process died"},
		{"stack", func() {
			debug.SetMaxStack(1 << 20) // an overflow at a gigabyte takes seconds
			depth = deepen(0)
		}, "stack overflow"},
		{"hang", func() { select {} }, "takes longer than"},
		{"goroutine", func() {
			go func() { panic("elsewhere") }()
			time.Sleep(time.Minute)
		}, "elsewhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // processes that die leave theirs in it
			died := func(tb testing.TB, limit time.Duration) {
				opts := []Option{Seed(1), Valid(), Dir(t.TempDir()), Shrink(6), Timeout(limit)}
				if tt.name == "exit" { // dying is quick
					opts = append(opts, Shrink(80))
				}
				if tt.name != "hang" {
					opts = append(opts, Isolate())
				}
				Check(tb, grammars.Must("expr"), func(_ *T, s *Sentence) {
					if strings.Contains(s.String(), "(") {
						tt.end()
					}
				}, opts...)
			}
			said := ""
			if tt.name == "hang" {
				said = hangs(t, "(", died)
			} else {
				said = outcome(t, func(tb testing.TB) { died(tb, time.Minute) })
			}
			if got := sentence(said); !strings.Contains(got, "(") || tt.name == "exit" && len(got) > 9 {
				t.Errorf("shrunk to %q", got)
			}
			if !strings.Contains(said, tt.says) {
				t.Errorf("the report does not say %q:\n%s", tt.says, said)
			}
		})
	}
}
