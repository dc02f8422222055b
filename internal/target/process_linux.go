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

// pinThread keeps the goroutine on its thread: the death signal comes when the
// thread that started the program ends (golang.org/issue/27505).
func pinThread() (unpin func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// wait waits for the program's end and kills what is left of its group. The
// program first stays a zombie, so that its number, which is its group's
// number, cannot be given to another process before the group is killed.
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

// signalGroup reaches the leader also when it went to another group.
func (p *process) signalGroup(sig syscall.Signal) {
	_ = unix.Kill(-p.pid, sig)
	_ = unix.Kill(p.pid, sig)
}

// limit sets the memory limit and forbids core files. The program already
// runs: what it takes before is counted, as the limit is on its whole address
// space; children that it made before, within microseconds, are not limited.
func (p *process) limit(memory int64) {
	none := unix.Rlimit{}
	_ = unix.Prlimit(p.pid, unix.RLIMIT_CORE, &none, nil)
	if memory > 0 {
		most := unix.Rlimit{Cur: uint64(memory), Max: uint64(memory)}
		_ = unix.Prlimit(p.pid, unix.RLIMIT_AS, &most, nil)
	}
}

// maxRSS is the most memory held, in bytes; Linux counts in KiB.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10
}

// openInput puts the input into a file in memory: no goroutine, no limit of a
// pipe's size, and the program may seek in it.
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
