package target

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// controlGroup is a control group (cgroup v2) for the processes of one run after the other. They
// cannot leave it as they can leave their session, and they are killed at once. With the
// controllers pids, memory and cpu the kernel bounds their number, their memory and their
// share of the processor.
type controlGroup struct {
	dir    string
	tasks  int // the limit of processes and threads; 0: none
	helper int // the process that starts programs in it, which is not one of theirs; 0: none

	fd      int // of dir
	inside  int // of a file with the number of processes and threads, or whether there are any
	refused int // of pids.events; -1 without that controller
	killed  int // of memory.events; -1 without that controller
}

// moreTasks is how many processes and threads together a group may have beyond its limit of
// processes.
const moreTasks = 1024

// GroupsMissing returns why the kernel does not bound the processes of a program by a control
// group; nil if it does.
func GroupsMissing() error {
	home, err := groupHome()
	if err == nil && !hasWord(home, "cgroup.subtree_control", "pids") {
		err = fmt.Errorf("the control groups at %s have no controller of processes", home)
	}
	return err
}

// groupHome finds a folder in which this process may make control groups and start programs
// in them: its own group, or one above it. One with the controller of processes is preferred.
func groupHome() (home string, err error) {
	err = errors.New("no control groups of version 2 are mounted")
	for _, dir := range controlDirs("cgroup2", "") {
		limits, failed := tryHome(dir)
		switch {
		case failed != nil:
			err = fmt.Errorf("no control group can be made at %s: %w", dir, failed)
		case limits:
			return dir, nil
		case home == "":
			home = dir
		}
	}
	if home != "" {
		return home, nil
	}
	return "", err
}

// tryHome starts a process in a group in dir, and reports whether it can be limited.
func tryHome(dir string) (limits bool, err error) {
	// All groups but the root have a type. Others than the root can only hand controllers on
	// if no process is directly in them.
	_, root := os.Lstat(filepath.Join(dir, "cgroup.type"))
	if root != nil || len(groupPids(dir)) == 0 {
		// That of the processor lets this process have its turn beside thousands in a group.
		for _, c := range []string{"pids", "memory", "cpu"} {
			if hasWord(dir, "cgroup.controllers", c) && !hasWord(dir, "cgroup.subtree_control", c) {
				_ = writeControl(dir, "cgroup.subtree_control", "+"+c)
			}
		}
	}
	g, err := makeGroup(dir, Bounds{Processes: 1}, 0)
	if err != nil {
		return false, plainError(err)
	}
	defer g.close()
	// Only a process in the group finds that its program is not there.
	_, err = syscall.ForkExec("", []string{""}, &syscall.ProcAttr{Sys: g.in(&syscall.SysProcAttr{})})
	if err != unix.ENOENT {
		return false, err
	}
	return g.tasks > 0, nil
}

// makeGroup makes a group in the folder home.
func makeGroup(home string, b Bounds, resident int64) (*controlGroup, error) {
	dir, err := os.MkdirTemp(home, ScratchPrefix())
	if err != nil {
		return nil, err
	}
	open := func(name string) int {
		fd, _ := unix.Open(filepath.Join(dir, name), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		return fd
	}
	g := &controlGroup{dir: dir, fd: open(""), inside: open("pids.current"), refused: open("pids.events"), killed: open("memory.events")}
	if g.inside < 0 {
		g.inside = open("cgroup.events")
	}
	if b.Processes > 0 {
		if tasks := b.Processes + moreTasks; writeControl(dir, "pids.max", strconv.Itoa(tasks)) == nil {
			g.tasks = tasks
		}
	}
	if resident > 0 {
		_ = writeControl(dir, "memory.max", strconv.FormatInt(resident, 10))
		_ = writeControl(dir, "memory.swap.max", "0")
	}
	if err := unix.Access(filepath.Join(dir, "cgroup.kill"), unix.W_OK); err != nil || g.fd < 0 || g.inside < 0 {
		g.close()
		return nil, errors.New("the kernel is older than 5.14")
	}
	return g, nil
}

// in lets attr start a process in the group, if there is one.
func (g *controlGroup) in(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	if attr.UseCgroupFD = g != nil; g != nil {
		attr.CgroupFD = g.fd
	}
	return attr
}

// pids lists the processes of the run.
func (g *controlGroup) pids() []int {
	return slices.DeleteFunc(groupPids(g.dir), func(pid int) bool { return pid == g.helper })
}

func groupPids(dir string) (pids []int) {
	text, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	for word := range bytes.FieldsSeq(text) {
		if pid, err := strconv.Atoi(string(word)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// struck reports whether the kernel refused the group a process, [Crowded], or ended one for
// its memory, [Overgrown]; else [Exited]. It stays so.
func (g *controlGroup) struck() Kind {
	switch {
	case counted(g.refused, "max ") > 0:
		return Crowded
	case counted(g.killed, "oom_kill ") > 0:
		return Overgrown
	}
	return Exited
}

// used reports whether a run has left processes, or so many that nobody has waited for that
// they take the place of others.
func (g *controlGroup) used() bool {
	inside := counted(g.inside, "populated ")
	if g.helper == 0 {
		return inside > 0
	}
	return g.tasks > 0 && inside > g.tasks/2 || len(g.pids()) > 0
}

// kill kills what is in the group.
func (g *controlGroup) kill() { _ = writeControl(g.dir, "cgroup.kill", "1") }

// close kills what is in the group and removes it.
func (g *controlGroup) close() {
	for _, fd := range []int{g.fd, g.inside, g.refused, g.killed} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	removeGroup(g.dir)
}

// removeGroup kills the processes of a group and removes it. One that cannot die, since it
// waits for a disk, leaves it to the next [Sweep].
func removeGroup(dir string) {
	_ = writeControl(dir, "cgroup.kill", "1")
	for round := range groupRounds {
		if err := unix.Rmdir(dir); err != unix.EBUSY {
			return
		}
		for _, q := range groupPids(dir) { // orphans are ours if we are the first process of a container
			_, _ = unix.Wait4(q, nil, unix.WNOHANG, nil)
		}
		below, _ := filepath.Glob(filepath.Join(dir, "*", "cgroup.procs")) // the program's own
		for _, path := range below {
			removeGroup(filepath.Dir(path))
		}
		time.Sleep(time.Duration(min(round+1, 200)) * 100 * time.Microsecond)
	}
}

// groupRounds bounds how often one tries to remove a group: twelve seconds in all, as a
// machine may need that runs thousands of processes.
const groupRounds = 700

// sweepGroups removes the groups of processes that are gone.
func sweepGroups(me owner) {
	for _, home := range controlDirs("cgroup2", "") {
		entries, _ := os.ReadDir(home)
		for _, e := range entries {
			if stale(e, me) {
				removeGroup(filepath.Join(home, e.Name()))
			}
		}
	}
}

// controlDirs lists the folders of the control group of this process and of those above it,
// nearest first, in each file system of a type. controller is that of a hierarchy of version
// 1; "" is version 2.
func controlDirs(fsType, controller string) []string {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	return dirsOf(string(groups), string(mounts), fsType, controller)
}

func dirsOf(groups, mounts, fsType, controller string) (dirs []string) {
	own := ""
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) == 3 && hasPart(parts[1], controller) {
			own = parts[2]
		}
	}
	if own == "" || strings.HasPrefix(own, "/..") {
		return nil // it has none, or one outside of what it may see
	}
	for line := range strings.Lines(mounts) {
		place, kind, ok := strings.Cut(line, " - ")
		fields, kinds := strings.Fields(place), strings.Fields(kind)
		if !ok || len(fields) < 5 || len(kinds) < 3 || kinds[0] != fsType || controller != "" && !hasPart(kinds[2], controller) {
			continue
		}
		root, at := unescapeMount(fields[3]), unescapeMount(fields[4])
		below, err := filepath.Rel(root, own)
		if err != nil || strings.HasPrefix(below, "..") || strings.HasPrefix(root, "/..") {
			continue // it shows another part of the groups
		}
		for dir := filepath.Join(at, below); ; dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
			if len(dir) <= len(at) {
				break
			}
		}
	}
	return dirs
}

// hasPart reports whether a list with commas has a part.
func hasPart(list, part string) bool { return slices.Contains(strings.Split(list, ","), part) }

// unescapeMount undoes the escapes of /proc/self/mountinfo: \040 is a space.
func unescapeMount(path string) string {
	for _, c := range " \t\n\\" {
		path = strings.ReplaceAll(path, fmt.Sprintf(`\%03o`, c), string(c))
	}
	return path
}

// counted returns the number behind a word at the beginning of a line of an open file, or the
// number that is all that it has; 0 where neither is there.
func counted(fd int, word string) int {
	var buf [512]byte
	n, _ := unix.Pread(fd, buf[:], 0)
	for line := range bytes.Lines(buf[:max(n, 0)]) {
		if count, err := strconv.Atoi(string(bytes.TrimSpace(bytes.TrimPrefix(line, []byte(word))))); err == nil {
			return count
		}
	}
	return 0
}

// hasWord reports whether a file of a control group has a word.
func hasWord(dir, name, word string) bool {
	text, _ := os.ReadFile(filepath.Join(dir, name))
	for w := range bytes.FieldsSeq(text) {
		if string(w) == word {
			return true
		}
	}
	return false
}

// writeControl writes to a file of a control group, which must be there.
func writeControl(dir, name, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
