package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// running reports whether a process runs; a zombie does not.
func running(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	rest := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
	return !strings.HasPrefix(strings.TrimSpace(rest), "Z")
}

func TestNothingLeftRunning(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	// Each writes the numbers of the processes that it leaves running to $PIDS.
	tests := []struct {
		name, code string
		strays     int
	}{
		{"child in the group", `sleep 100000 & echo $! >> $PIDS`, 0},
		{"holds the output", `(trap "" TERM HUP; echo x; exec sleep 100000) & echo $! >> $PIDS`, 0},
		{"own session", `setsid sh -c 'echo $$ >> $PIDS; exec sleep 100000' & while ! test -s $PIDS; do sleep 0.01; done`, 1},
		{"own session, output closed", `setsid sh -c 'echo $$ >> $PIDS; exec sleep 100000' > /dev/null 2>&1 < /dev/null & ` +
			`while ! test -s $PIDS; do sleep 0.01; done`, 1},
		{"double fork", `(setsid sh -c 'sleep 100000 & echo $! >> $PIDS' > /dev/null 2>&1 &) ; while ! test -s $PIDS; do sleep 0.01; done`, 1},
		{"clean environment", `env -i setsid sh -c "echo \$\$ >> $PIDS; exec sleep 100000" & while ! test -s $PIDS; do sleep 0.01; done`, 1},
		{"folder left", `setsid sh -c 'cd /; echo $$ >> $PIDS; exec sleep 100000' & while ! test -s $PIDS; do sleep 0.01; done`, 1},
		{"timeout", `setsid sh -c 'echo $$ >> $PIDS; exec sleep 100000' & sleep 100000`, 1},
		{"many processes between", `i=0; while test $i -lt 300; do /bin/true; i=$((i+1)); done; ` +
			`setsid sh -c 'echo $$ >> $PIDS; exec sleep 100000' & while ! test -s $PIDS; do sleep 0.01; done`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pids")
			var root string
			run := func(timeout time.Duration) *Result {
				var r *Runner
				r, root = shell(t, tt.code, func(c *Command) { c.Env, c.Timeout = append(os.Environ(), "PIDS="+pids), timeout })
				return mustRun(t, r, "")
			}
			limit := time.Duration(0)
			if tt.name == "timeout" {
				limit = 500 * time.Millisecond
			}
			res := run(limit)
			for ; limit > 0 && len(read(t, pids)) == 0; limit *= 2 { // it ended before the process began
				res = run(2 * limit)
			}
			if res.Strays < tt.strays {
				t.Errorf("%d strays, want %d", res.Strays, tt.strays)
			}
			for _, word := range strings.Fields(read(t, pids)) {
				pid, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				eventually(t, "process "+word+" ends", func() bool { return !running(pid) })
			}
			wantEmpty(t, root)
		})
	}
}

// read returns the content of a file, nothing if there is none.
func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

func TestAllPids(t *testing.T) {
	t.Parallel()
	// Numbers start again at the end of their range: this test's parent is
	// then made "after" a higher number.
	parent := os.Getppid()
	find := func(pids []int) bool {
		for _, p := range pids {
			if p == parent {
				return true
			}
		}
		return false
	}
	if !find(allPids(1<<22, parent)) {
		t.Error("not found around the end of the numbers")
	}
	if !find(allPids(parent-1, parent)) {
		t.Error("not found in a plain range")
	}
	if find(allPids(parent, parent+1)) {
		t.Error("found outside the range")
	}
}

func TestLastPid(t *testing.T) {
	t.Parallel()
	needShell(t)
	cmd := exec.Command("sh", "-c", "exit 0")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	// Others may have started since, and the numbers may have begun anew.
	pid, last := cmd.Process.Pid, lastPid()
	if last < pid && last > pid/2 || last > pid+10_000 {
		t.Errorf("process %d was just made, the last is said to be %d", pid, last)
	}
}
