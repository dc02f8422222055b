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

// controlGroup is a control group (cgroup v2) for the processes of successive runs. Unlike a
// session, processes cannot leave it, and they are killed at once. With the controllers pids,
// memory and cpu, the kernel bounds their number, their memory and their share of the
// processor.
type controlGroup struct {
	dir    string
	tasks  int // the limit of processes and threads; 0: none
	helper int // the process in it that starts the programs and is not part of a run; 0: none

	fd      int // of dir
	inside  int // of a file with the number of processes and threads, or whether there are any
	refused int // of pids.events; -1 without that controller
	killed  int // of memory.events; -1 without that controller
}

// moreTasks is the number of processes and threads together that a group may have beyond its
// limit of processes.
const moreTasks = 1024

// GroupsMissing returns the reason why the kernel does not bound the processes of a program
// by a control group; nil if it does.
func GroupsMissing() error {
	home, err := groupHome()
	if err == nil && !hasWord(home, "cgroup.subtree_control", "pids") {
		err = fmt.Errorf("the control groups at %s have no controller of processes", home)
	}
	return err
}

// groupHome finds a folder in which this process may make control groups and start programs:
// its own group, or one above it. It prefers a folder with the controller of processes.
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
	// All groups but the root have a type. A group other than the root can delegate
	// controllers only if no process is directly in it.
	_, root := os.Lstat(filepath.Join(dir, "cgroup.type"))
	if root != nil || len(groupPids(dir)) == 0 {
		// The controller cpu gives this process its share beside thousands in a group.
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
	// Only a process that is already in the group finds that its program does not exist.
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

// in sets attr to start a process in the group, if there is one, and returns attr.
func (g *controlGroup) in(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	attr.UseCgroupFD = g != nil
	if g != nil {
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

// struck reports the bound that the kernel has enforced on the group: [Crowded] if it refused
// a process, [Overgrown] if it killed one for its memory, else [Exited]. The answer persists.
func (g *controlGroup) struck() Kind {
	switch {
	case counted(g.refused, "max ") > 0:
		return Crowded
	case counted(g.killed, "oom_kill ") > 0:
		return Overgrown
	}
	return Exited
}

// used reports whether a run has left processes, or so many zombies that they take up the
// limit of processes.
func (g *controlGroup) used() bool {
	inside := counted(g.inside, "populated ")
	if g.helper == 0 {
		return inside > 0
	}
	return g.tasks > 0 && inside > g.tasks/2 || len(g.pids()) > 0
}

// kill kills all processes in the group.
func (g *controlGroup) kill() { _ = writeControl(g.dir, "cgroup.kill", "1") }

// close kills all processes in the group and removes it.
func (g *controlGroup) close() {
	for _, fd := range []int{g.fd, g.inside, g.refused, g.killed} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	removeGroup(g.dir)
}

// removeGroup kills the processes of a group and removes it. If a process cannot die, as it
// waits for a disk, the next [Sweep] removes the group.
func removeGroup(dir string) {
	_ = writeControl(dir, "cgroup.kill", "1")
	for round := range groupRounds {
		if err := unix.Rmdir(dir); err != unix.EBUSY {
			return
		}
		for _, q := range groupPids(dir) { // orphans are ours if we are the first process of a container
			_, _ = unix.Wait4(q, nil, unix.WNOHANG, nil)
		}
		below, _ := filepath.Glob(filepath.Join(dir, "*", "cgroup.procs")) // groups that the program made
		for _, path := range below {
			removeGroup(filepath.Dir(path))
		}
		time.Sleep(time.Duration(min(round+1, 200)) * 100 * time.Microsecond)
	}
}

// groupRounds bounds the tries to remove a group: twelve seconds in all, as a machine with
// thousands of processes may need.
const groupRounds = 700

// sweepGroups removes the groups whose owners are gone.
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
// nearest first, in each file system of the given type. controller names a hierarchy of
// version 1; "" is version 2.
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
		return nil // no group, or one outside the visible part
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
			continue // the mount shows another part of the groups
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

// hasPart reports whether a comma-separated list contains a part.
func hasPart(list, part string) bool { return slices.Contains(strings.Split(list, ","), part) }

// unescapeMount undoes the escapes of /proc/self/mountinfo: \040 is a space.
func unescapeMount(path string) string {
	for _, c := range " \t\n\\" {
		path = strings.ReplaceAll(path, fmt.Sprintf(`\%03o`, c), string(c))
	}
	return path
}

// counted returns the number after a word at the beginning of a line of an open file, or the
// number that is the whole line. It returns 0 if there is neither.
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

// hasWord reports whether a file of a control group contains a word.
func hasWord(dir, name, word string) bool {
	text, _ := os.ReadFile(filepath.Join(dir, name))
	for w := range bytes.FieldsSeq(text) {
		if string(w) == word {
			return true
		}
	}
	return false
}

// writeControl writes to an existing file of a control group.
func writeControl(dir, name, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
