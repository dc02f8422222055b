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

// Swept counts the removals of [Sweep].
type Swept struct {
	Folders   int // removed
	Processes int // killed
}

// Sweep cleans up after processes that were killed before they could: it ends
// what runs in scratch folders of processes that are gone, and removes the
// folders, and their control groups. folder is what holds them, as in [Command.Scratch].
// What belongs to a living process, to another user, or was made in another
// container or on another machine is left alone. It reads the environment of
// every process when there is something to clean, else just one folder.
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

// stale says whether a folder was made by a process that is gone, of our user.
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

// killAll kills every process with the mark of the run in dir. Here a working
// directory is no sign: somebody may be looking at what is left there.
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
	if err == nil && len(env) == 0 { // it is becoming another program just now
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

// gone says whether the process is gone. One that cannot be looked at may be there.
func (o owner) gone() bool {
	started, err := startTicks(o.pid)
	return err == nil && started != o.started
}

// parseOwner takes the name of a scratch folder apart.
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

// startTicks is when a process started; "" when there is none.
func startTicks(pid int) (string, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	// The name, in parentheses, may hold anything; the start is field 22.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return "", nil
	}
	return fields[19], nil
}
