package target

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// victimVariable is an environment variable that makes this test binary run a program in the
// folder it names forever, until it is killed.
const victimVariable = "GRAMFUZZ_TEST_VICTIM"

func TestMain(m *testing.M) {
	if EnterCage(os.Args) {
		return
	}
	if root := os.Getenv(victimVariable); root != "" {
		os.Unsetenv(victimVariable)
		code := `echo $$ >> ` + root + `/pids; sleep 60 & echo $! >> ` + root + `/pids; setsid sh -c 'echo $$ >> ` + root + `/pids; sleep 60'; sleep 60`
		cmd := Command{Args: []string{"sh", "-c", code}, Scratch: root, Feed: FeedAll}
		if os.Getenv("VICTIM_GROUPED") != "" {
			cmd.Processes = 100
		}
		if os.Getenv("VICTIM_ISOLATED") != "" {
			cmd.Isolate = &Isolation{Helper: "/proc/self/exe", Write: []string{root}}
		}
		r, err := New(cmd)
		if err == nil {
			_, _ = r.Run(context.Background(), nil)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestSweepAfterKill(t *testing.T) { sweepAfterKill(t, "") }

func TestSweepAfterKillIsolated(t *testing.T) {
	isolation(t)
	sweepAfterKill(t, "1")
}

func sweepAfterKill(t *testing.T, isolated string) {
	t.Parallel()
	needShell(t)
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	root := t.TempDir()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), victimVariable+"="+root, "VICTIM_ISOLATED="+isolated)
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []string
	eventually(t, "three processes run", func() bool {
		text, _ := os.ReadFile(filepath.Join(root, "pids"))
		pids = strings.Fields(string(text))
		return len(pids) == 3
	})
	if got, err := Sweep(root); err != nil || got != (Swept{}) {
		t.Errorf("swept a living process's: %+v, %v", got, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	leader, _ := strconv.Atoi(pids[0])
	eventually(t, "the program dies with the one that ran it", func() bool { return !running(leader) })

	got, err := Sweep(root)
	if err != nil || got.Folders != 1 || got.Processes < 2 {
		t.Errorf("swept %+v, %v", got, err)
	}
	for _, word := range pids {
		pid, _ := strconv.Atoi(word)
		eventually(t, "process "+word+" ends", func() bool { return !running(pid) })
	}
	os.Remove(filepath.Join(root, "pids"))
	wantEmpty(t, root)
}

func TestSweepLeavesAlone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	me := self()
	names := []string{
		ScratchPrefix() + "1",                                   // ours
		scratchName + "0badcafe-1.1-2",                          // another machine's
		scratchName + me.place + "-x.1-2",                       // not a number
		scratchName + me.place + "-1-2",                         // no start
		scratchName + "old", "gramfuzz", "gramfuzz-run-a-b-c-d", // not of this form
	}
	for _, n := range names {
		if err := os.Mkdir(filepath.Join(root, n), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dead := filepath.Join(root, scratchName+me.place+"-"+strconv.Itoa(me.pid)+".1-9") // our number, another time
	if err := os.MkdirAll(filepath.Join(dead, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := Sweep(root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Swept{Folders: 1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	entries, _ := os.ReadDir(root)
	if len(entries) != len(names) {
		t.Errorf("%d folders left, want %d", len(entries), len(names))
	}
}

func TestStartTicks(t *testing.T) {
	t.Parallel()
	needShell(t)
	ticks := func(pid int) string {
		started, err := startTicks(pid)
		if err != nil {
			t.Fatal(err)
		}
		return started
	}
	if a, b := ticks(os.Getpid()), ticks(os.Getpid()); a == "" || a != b {
		t.Errorf("%q and %q", a, b)
	}
	cmd := exec.Command("sleep", "0.05")
	cmd.Stdin = &bytes.Buffer{}
	time.Sleep(20 * time.Millisecond)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if ticks(cmd.Process.Pid) == ticks(os.Getpid()) {
		t.Error("processes started at different times are not told apart")
	}
	_ = cmd.Wait()
	if got := ticks(cmd.Process.Pid); got != "" {
		t.Errorf("a process that is gone started at %q", got)
	}
}
