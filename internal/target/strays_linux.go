package target

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxRange is the widest range of process numbers that is looked at one by one.
const maxRange = 2048

// strayRounds bounds how often one looks again after killing: a killed process
// may have forked just before.
const strayRounds = 20

// killStrays kills the processes of a run that left its group and gives their
// number. Such a process has the run's scratch folder as its mark in the
// environment it was started with, or as working directory; one that cleaned
// its environment, left the folder and the session is not found. Only
// processes made since the program started are looked at: mostly there are
// none, which one small read tells.
func killStrays(pid int, dir string) int {
	seen := map[int]bool{}
	for round := range strayRounds {
		found := false
		for _, q := range madeSince(pid) {
			if !belongs(q, dir) {
				continue
			}
			found, seen[q] = true, true
			_ = unix.Kill(q, unix.SIGKILL)
			// Orphans are ours when we are the first process of a container.
			_, _ = unix.Wait4(q, nil, unix.WNOHANG, nil)
		}
		if !found {
			break
		}
		time.Sleep(time.Duration(round+1) * 100 * time.Microsecond)
	}
	return len(seen)
}

// madeSince lists the processes made after pid, a session's leader, that are in
// its session or one made later. No process can enter an older session, so the
// many that others start meanwhile on a busy machine need no closer look.
func madeSince(pid int) []int {
	last := lastPid()
	if last == 0 || last == pid {
		return nil
	}
	var pids []int
	add := func(q int) {
		sid, err := unix.Getsid(q)
		if err == nil && (sid == pid || isAfter(sid, pid, last)) {
			pids = append(pids, q)
		}
	}
	if last < pid || last-pid > maxRange {
		for _, q := range allPids(pid, last) {
			add(q)
		}
		return pids
	}
	for q := pid + 1; q <= last; q++ {
		add(q)
	}
	return pids
}

// isAfter says whether number q was given after pid and not after last; the
// numbers begin anew if last is below pid.
func isAfter(q, pid, last int) bool {
	if last < pid {
		return q > pid || q <= last
	}
	return q > pid && q <= last
}

// lastPid is the number last given to a process, or 0 where it is not known. It
// is asked after every run, hence without package os, which takes twice as long.
func lastPid() int {
	var buf [128]byte
	fd, err := unix.Open("/proc/loadavg", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	n, _ := unix.Read(fd, buf[:])
	line := bytes.TrimSpace(buf[:max(n, 0)])
	last, _ := strconv.Atoi(string(line[bytes.LastIndexByte(line, ' ')+1:]))
	return last
}

// allPids lists the running processes from pid to last, around the end of the
// numbers if last is below pid.
func allPids(pid, last int) []int {
	f, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		q, err := strconv.Atoi(name)
		if err != nil || q == os.Getpid() {
			continue
		}
		if isAfter(q, pid, last) {
			pids = append(pids, q)
		}
	}
	return pids
}

// belongs says whether a process is of the run in dir. A zombie is not.
func belongs(pid int, dir string) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	env, err := os.ReadFile(proc + "/environ")
	if err != nil || len(env) == 0 && isZombie(proc) {
		return false
	}
	if hasEntry(env, MarkVariable+"="+dir) {
		return true
	}
	cwd, err := os.Readlink(proc + "/cwd")
	cwd = strings.TrimSuffix(cwd, " (deleted)")
	return err == nil && (cwd == dir || strings.HasPrefix(cwd, dir+"/"))
}

func isZombie(proc string) bool {
	_, err := os.Readlink(proc + "/exe")
	return err != nil
}

// hasEntry finds a whole entry in a list of entries that each end with NUL.
func hasEntry(list []byte, entry string) bool {
	for kv := range bytes.SplitSeq(list, []byte{0}) {
		if string(kv) == entry {
			return true
		}
	}
	return false
}
