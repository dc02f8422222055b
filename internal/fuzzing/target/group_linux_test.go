package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGroupDirs(t *testing.T) {
	t.Parallel()
	const unified = "25 30 0:23 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	const hybrid = `31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755
35 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
36 31 0:32 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`
	for _, tt := range []struct {
		name, groups, mounts, controller string
		want                             []string
	}{
		{"a session", "0::/user.slice/user-0.slice/session-1.scope\n", unified, "",
			[]string{"/sys/fs/cgroup/user.slice/user-0.slice/session-1.scope", "/sys/fs/cgroup/user.slice/user-0.slice", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"}},
		{"the root", "0::/\n", unified, "", []string{"/sys/fs/cgroup"}},
		{"version 2 beside version 1", "4:memory:/a\n3:cpu,cpuacct:/\n1:name=systemd:/b\n0::/c\n", hybrid, "", []string{"/sys/fs/cgroup/unified/c", "/sys/fs/cgroup/unified"}},
		{"a controller of version 1", "4:memory:/a\n3:cpu,cpuacct:/\n0::/c\n", hybrid, "memory", []string{"/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"}},
		{"one of two", "4:memory:/a\n3:cpu,cpuacct:/x\n0::/c\n", hybrid, "cpuacct", []string{"/sys/fs/cgroup/cpu,cpuacct/x", "/sys/fs/cgroup/cpu,cpuacct"}},
		{"none", "4:memory:/a\n", hybrid, "pids", nil},
		{"no version 2", "4:memory:/a\n", hybrid, "", nil},
		{"a container", "0::/docker/1a/b\n", "25 30 0:23 /docker/1a /sys/fs/cgroup ro - cgroup2 cgroup rw\n", "", []string{"/sys/fs/cgroup/b", "/sys/fs/cgroup"}},
		{"another part", "0::/docker/1a\n", "25 30 0:23 /docker/2 /mnt rw - cgroup2 cgroup rw\n", "", nil},
		{"outside of the namespace", "0::/../a\n", unified, "", nil},
		{"a mount from outside", "0::/\n", "25 30 0:23 /../a /mnt rw - cgroup2 cgroup rw\n", "", nil},
		{"two mounts", "0::/\n", unified + "26 30 0:23 / /tmp/a\\040b\\134 rw - cgroup2 none rw\n", "", []string{"/sys/fs/cgroup", `/tmp/a b\`}},
		{"garbage", "0\n::\n0::/a", "a b c - \n - cgroup2\n1 2 3 4 5 - cgroup2\n" + unified, "", []string{"/sys/fs/cgroup/a", "/sys/fs/cgroup"}},
	} {
		kind := "cgroup2"
		if tt.controller != "" {
			kind = "cgroup"
		}
		if diff := cmp.Diff(tt.want, dirsOf(tt.groups, tt.mounts, kind, tt.controller)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// groupsOf makes a runner use control groups in a group of the test's own, and fails if one is
// left at the end.
func groupsOf(t *testing.T, r *Runner) (home string) {
	t.Helper()
	above, err := groupHome()
	if err != nil {
		t.Skip(err)
	}
	if home, err = os.MkdirTemp(above, ScratchPrefix()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(home); err != nil {
			t.Errorf("a control group is left: %v", err)
		}
	})
	if _, err := tryHome(home); err != nil {
		t.Fatal(err)
	}
	o, err := r.openRoom()
	if err != nil {
		t.Fatal(err)
	}
	o.cage.stop()
	o.cage.home = home
	r.doneRoom(o)
	return home
}

// A program whose processes leave its session and carry no mark is killed with all of them if
// there are too many. Without a limit of the kernel, one process starts them all; otherwise the
// machine would be busy for long.
func TestForkBomb(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	const leave = ` </dev/null >/dev/null 2>&1 &`
	const tree, line = `while :; do (cd / && exec setsid env -i sh "$0")` + leave + ` done`,
		`if [ "$1" ]; then sleep 600; exit; fi; while :; do (cd / && exec setsid env -i sh "$0" x)` + leave + ` sleep 0.01; done`
	for _, isolated := range []bool{false, true} {
		for _, code := range []string{line, tree} {
			path := writeScript(t, code)
			r, scratch := shell(t, "", func(c *Command) {
				c.Args, c.Timeout, c.Reuse, c.Processes = []string{"sh", path}, 10*time.Minute, true, 40
				if isolated {
					c.Isolate = isolation(t)
				}
			})
			home := groupsOf(t, r)
			if writeControl(home, "pids.max", "200") != nil && code == tree {
				t.Log("the control groups here have no controller of processes")
				continue
			}
			for range 2 {
				res := mustRun(t, r, "")
				if o := Classify(res); o.Signature() != "processes" || res.Strays == 0 {
					t.Errorf("isolated %v: %s, %v, %d strays", isolated, o.Signature(), res, res.Strays)
				}
				eventually(t, "all its processes end", func() bool { return len(withArgument(path)) == 0 })
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			wantEmpty(t, scratch)
		}
	}
}

// withArgument lists the processes that have an argument.
func withArgument(arg string) (pids []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), arg) {
			pids = append(pids, path)
		}
	}
	return pids
}

// A control group is reused if a run left it unchanged. A group that was refused a process is
// not reused, and the run's result reports it.
func TestGroup(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	r, _ := shell(t, `case "$(cat)" in
		leaves)
			setsid sh -c 'touch left; exec sleep 600' </dev/null >/dev/null 2>&1 &
			while [ ! -e left ]; do sleep 0.01; done ;;
		many) i=0; while [ $i -lt 30 ]; do sleep 600 & i=$((i+1)); done; exit 3 ;;
	esac
	cat /proc/self/cgroup`, func(c *Command) {
		c.Timeout, c.Reuse, c.Processes, c.Resident = time.Minute, true, 100, 512<<20
	})
	home := groupsOf(t, r)
	group := func(input string) string {
		res := mustRun(t, r, input)
		if res.Kind != Exited {
			t.Errorf("%s: %v", input, res)
		}
		for line := range strings.Lines(string(res.Stdout)) {
			if name, ok := strings.CutPrefix(line, "0::"); ok {
				return filepath.Join(home, filepath.Base(strings.TrimSpace(name)))
			}
		}
		t.Errorf("%s: it is in no group: %s", input, res.Stdout)
		return ""
	}
	first := group("")
	for name, want := range map[string]string{"pids.max": "1124\n", "memory.max": strconv.Itoa(512<<20) + "\n", "memory.swap.max": "0\n"} {
		got, err := os.ReadFile(filepath.Join(first, name))
		if err == nil && string(got) != want {
			t.Errorf("%s has %q", name, got)
		}
	}
	if again := group(""); again != first {
		t.Errorf("after a run that left nothing its group is %s, was %s", again, first)
	}
	if leaves := group("leaves"); leaves != first {
		t.Errorf("its group is %s, was %s", leaves, first)
	}
	if after := group(""); after == first {
		t.Error("a group in which a process was left is used again")
	}
	defer r.Close()
	if err := os.Remove(group("")); err != nil {
		t.Fatal(err)
	}
	group("") // in another one
	g := r.rooms.free[0].cage.group
	if g.tasks == 0 {
		t.Skip("the control groups here have no controller of processes")
	}
	if err := writeControl(g.dir, "pids.max", "20"); err != nil {
		t.Fatal(err)
	}
	g.tasks = 20
	res := mustRun(t, r, "many")
	if Classify(res).Class != Forks || res.String() != "ended when it had more than 20 processes and threads" {
		t.Errorf("refused: %v", res)
	}
	if after := group(""); after == g.dir {
		t.Error("a group that was refused a process is used again")
	}
}

// The control group of a killed process, with the processes in it, is left to the next sweep.
func TestSweepGroups(t *testing.T) {
	t.Parallel()
	home, err := groupHome()
	if err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid on this machine")
	}
	root, elsewhere := t.TempDir(), t.TempDir()
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), victimVariable+"="+root, "VICTIM_GROUPED=1")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []string
	eventually(t, "three processes run", func() bool {
		text, _ := os.ReadFile(filepath.Join(root, "pids"))
		pids = strings.Fields(string(text))
		return len(pids) == 3
	})
	groups := func() (paths []string) {
		paths, _ = filepath.Glob(filepath.Join(home, scratchName+"*-"+strconv.Itoa(victim.Process.Pid)+".*"))
		return paths
	}
	if _, err := Sweep(elsewhere); err != nil || len(groups()) != 1 {
		t.Errorf("%d groups of a living process: %v", len(groups()), err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	if _, err := Sweep(elsewhere); err != nil {
		t.Error(err)
	}
	eventually(t, "its control group is removed", func() bool { return len(groups()) == 0 })
	for _, word := range pids {
		pid, _ := strconv.Atoi(word)
		eventually(t, "process "+word+" ends", func() bool { return !running(pid) })
	}
	if _, err := Sweep(root); err != nil {
		t.Error(err)
	}
}
