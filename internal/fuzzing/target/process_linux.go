package target

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const hasMemoryLimit = true

const errTextBusy = unix.ETXTBSY

// groupAttr makes the program the leader of a session and so of a group. It
// dies when we die, even by SIGKILL.
func groupAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// pinThread keeps the goroutine on its thread, because the death signal is sent when the
// thread that started the program ends (golang.org/issue/27505).
func pinThread() (unpin func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// wait waits for the program's end and kills the rest of its group. The program first stays a
// zombie: its number is that of its group, and must not be reused before the group is killed.
func (p *process) wait(s *streams) (*os.ProcessState, error) {
	if s.out != nil {
		p.awaitExit(s)
	}
	for {
		err := unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.signalGroup(unix.SIGKILL)
	return p.os.Wait()
}

// SetLimits limits the address space of a process in bytes and the files that it writes, and
// turns core files off. The program already runs. Memory allocated before counts, as the
// limit applies to the whole address space. Children started before, within microseconds, are
// not limited. The hard limit of core files is unchanged: sanitizers read it and write it back
// at their start, which would fail with a lower one.
func SetLimits(pid int, memory int64, b Bounds) {
	set := func(resource int, most int64) {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: uint64(most), Max: uint64(most)}, nil)
	}
	var core unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &core) == nil {
		core.Cur = 0
		_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &core, nil)
	}
	if memory > 0 {
		set(unix.RLIMIT_AS, memory)
	}
	if b.FileSize > 0 {
		set(unix.RLIMIT_FSIZE, b.FileSize)
	}
}

// maxRSS returns the peak resident memory in bytes; Linux counts in KiB.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10
}

// openInput puts the input into a file in memory. This needs no goroutine, has no limit as a
// pipe does, and lets the program seek.
func (s *streams) openInput(input []byte) error {
	fd, err := unix.MemfdCreate("input", unix.MFD_CLOEXEC)
	if err != nil {
		return s.openPipe(input)
	}
	f := os.NewFile(uintptr(fd), "input")
	if _, err = f.Write(input); err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return err
	}
	s.stdin = f
	return nil
}
