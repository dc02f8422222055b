package target

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// maxRange is the widest range of process numbers that is checked one by one.
const maxRange = 2048

// strayRounds bounds the searches after kills: a killed process may have forked just before.
const strayRounds = 20

// killStrays kills the processes of a run that left its group, and returns their number. Such
// a process has the run's scratch folder as the mark in its initial environment, or as working
// directory. A process that cleaned its environment and left the folder and the session is not
// found. Only processes made since the program started are checked. Mostly there are none,
// which one small read shows.
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
			// Orphans are our children if we are the first process of a container.
			_, _ = unix.Wait4(q, nil, unix.WNOHANG, nil)
		}
		if !found {
			break
		}
		time.Sleep(time.Duration(round+1) * 100 * time.Microsecond)
	}
	return len(seen)
}

// madeSince lists the processes made after pid, a session leader, that are in its session or
// in one made later. No process can enter an older session, so most processes that others
// start on a busy machine are excluded here.
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

// isAfter reports whether number q was assigned after pid and not after last. The numbers have
// wrapped around if last is below pid.
func isAfter(q, pid, last int) bool {
	if last < pid {
		return q > pid || q <= last
	}
	return q > pid && q <= last
}

// lastPid returns the number last assigned to a process, or 0 if it is not known. It is called
// after every run, so it avoids package os, which takes twice as long.
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

// allPids lists the running processes after pid up to last, as in isAfter.
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

// belongs reports whether a process is part of the run in dir. A zombie is not.
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

// hasEntry reports whether a list of entries, each ended by NUL, contains an entry.
func hasEntry(list []byte, entry string) bool {
	for kv := range bytes.SplitSeq(list, []byte{0}) {
		if string(kv) == entry {
			return true
		}
	}
	return false
}
