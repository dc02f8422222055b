package target

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Swept is the numbers of removals by [Sweep].
type Swept struct {
	Folders   int // removed
	Processes int // killed
}

// Sweep cleans up after processes that were killed before they could do so. It kills the
// programs in scratch folders of processes that are gone, and removes the folders and their
// control groups. The argument is the folder of scratch folders, as in [Command.Scratch].
// Scratch folders of living processes, of other users, and of other containers or machines
// are left alone. Sweep reads the environment of every process if there is something to
// clean, else only one folder.
func Sweep(folder string) (Swept, error) {
	var done Swept
	root, err := scratchRoot(folder)
	if err != nil {
		return done, err
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return done, &ScratchError{root, err}
	}
	me := self()
	sweepGroups(me)
	for _, e := range entries {
		if !stale(e, me) {
			continue
		}
		dir := filepath.Join(root, e.Name())
		done.Processes += killAll(dir)
		if (&scratch{dir: dir}).remove() == nil {
			done.Folders++
		}
	}
	return done, nil
}

// stale reports whether a folder was made by a process of our user that is gone.
func stale(e os.DirEntry, me owner) bool {
	o, ok := parseOwner(e.Name())
	if !ok || !e.IsDir() || o.place != me.place || !o.gone() {
		return false
	}
	info, err := e.Info()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// killAll kills every process with the mark of the run in dir. Here, a working directory does
// not count: a person may be inspecting the folder.
func killAll(dir string) int {
	killed := map[int]bool{}
	for range strayRounds {
		found := false
		for _, q := range allPids(0, math.MaxInt) {
			if hasMark(q, dir) && unix.Kill(q, unix.SIGKILL) == nil {
				found, killed[q] = true, true
			}
		}
		if !found {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return len(killed)
}

func hasMark(pid int, dir string) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err == nil && len(env) == 0 { // it is in the middle of an exec
		at, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
		return err == nil && at == dir
	}
	return err == nil && (hasEntry(env, MarkVariable+"="+dir) || bytes.Contains(env, []byte(MarkVariable+"="+dir+"/")))
}

func self() owner {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	host, _ := os.Hostname()
	started, _ := startTicks(os.Getpid())
	sum := sha256.Sum256([]byte(string(boot) + space + host))
	return owner{hex.EncodeToString(sum[:4]), os.Getpid(), started}
}

// gone reports whether the process is gone. A process that cannot be inspected may be alive.
func (o owner) gone() bool {
	started, err := startTicks(o.pid)
	return err == nil && started != o.started
}

// parseOwner parses the name of a scratch folder.
func parseOwner(name string) (o owner, ok bool) {
	rest, ok := strings.CutPrefix(name, scratchName)
	if !ok {
		return o, false
	}
	parts := strings.Split(rest, "-")
	if len(parts) != 3 {
		return o, false
	}
	pid, started, ok := strings.Cut(parts[1], ".")
	if !ok || started == "" {
		return o, false
	}
	n, err := strconv.Atoi(pid)
	return owner{parts[0], n, started}, err == nil && n > 0
}

// startTicks returns the start time of a process; "" if there is no such process.
func startTicks(pid int) (string, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	// The name, in parentheses, may contain anything; the start time is field 22.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return "", nil
	}
	return fields[19], nil
}
