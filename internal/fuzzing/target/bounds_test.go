package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A program with too many processes is killed with all of them, whether they stay in its group
// or not. A program that writes too large a file gets a signal.
func TestBounds(t *testing.T) {
	t.Parallel()
	if !hasResident {
		if _, err := New(Command{Args: []string{"sh"}, Bounds: Bounds{Processes: 9}}); err == nil {
			t.Error("a limit that does not hold is taken")
		}
		t.Skip("there are no such limits here")
	}
	mostCore, err := exec.Command("sh", "-c", "ulimit -Hc").Output()
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "large")
	const limited = `until [ "$(ulimit -f)" != unlimited ]; do sleep 0.01; done; ` // limits come right after the start
	for _, tt := range []struct {
		name, code, signature, says string
	}{
		{"many processes", `i=0; while [ $i -lt 40 ]; do sleep 60 & i=$((i+1)); done; wait`, "processes", "more than 20 processes"},
		{"few processes", `i=0; while [ $i -lt 10 ]; do sleep 0.2 & i=$((i+1)); done; wait`, "ok", "exit code 0"},
		{"a large file", limited + `exec head -c 2000000 /dev/zero >` + outside, "signal|SIGXFSZ", "signal 25"},
		{"a small file", `exec head -c 1000000 /dev/zero >` + outside, "ok", "exit code 0"},
		{"a core file", `until [ "$(ulimit -c)" = 0 ]; do sleep 0.01; done; kill -QUIT $$`, "signal|SIGQUIT", "signal 3"},
		{"the most for a core file", `until [ "$(ulimit -c)" = 0 ]; do sleep 0.01; done; test "$(ulimit -Hc)" = ` + string(mostCore), "ok", "exit code 0"},
	} {
		r, scratch := shell(t, tt.code, func(c *Command) {
			c.Timeout, c.Bounds = time.Minute, Bounds{FileSize: 1 << 20, Processes: 20}
		})
		res := mustRun(t, r, "")
		if o := Classify(res); o.Signature() != tt.signature || !strings.Contains(res.String(), tt.says) {
			t.Errorf("%s: %s, %v", tt.name, o.Signature(), res)
		}
		if info, err := os.Stat(outside); err == nil && info.Size() > 1<<20 {
			t.Errorf("%s: it has %d bytes", tt.name, info.Size())
		}
		wantEmpty(t, scratch)
	}
	for _, b := range []Bounds{{FileSize: -1}, {Processes: -1}} {
		if _, err := New(Command{Args: []string{"sh"}, Bounds: b}); err == nil {
			t.Errorf("%+v is taken", b)
		}
	}
}
