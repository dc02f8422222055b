package target

import (
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// capture is a pipe whose first bytes are kept. The thread that waits for the program reads
// it; there is no goroutine.
type capture struct {
	kept
	read  int // a non-blocking descriptor; -1 when closed
	write *os.File
}

var readPool = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

func newCapture(limit int) (*capture, error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, os.NewSyscallError("fcntl", err)
	}
	return &capture{kept: kept{limit: limit}, read: fds[0], write: os.NewFile(uintptr(fds[1]), "|1")}, nil
}

// start closes the writing end; call it when the program holds a copy.
func (c *capture) start() { c.write.Close() }

// finish reads the rest of the pipe and closes it. It does not wait: the writers are dead or
// dying.
func (c *capture) finish() {
	for range restReads {
		if c.read < 0 || !c.readSome() {
			break
		}
	}
	c.close()
}

// restReads bounds the reads from a pipe at the end: they take more than any pipe holds.
const restReads = 64

// readSome reads once. It returns false if nothing is available. At the end of the pipe, it
// closes the pipe.
func (c *capture) readSome() bool {
	buf := readPool.Get().(*[]byte)
	defer readPool.Put(buf)
	for {
		n, err := unix.Read(c.read, *buf)
		switch {
		case err == unix.EINTR:
			continue
		case n > 0:
			c.keep((*buf)[:n])
			return true
		case err == unix.EAGAIN:
			return false
		default:
			c.close()
			return false
		}
	}
}

func (c *capture) close() {
	if c.read >= 0 {
		unix.Close(c.read)
		c.read = -1
	}
}

func (c *capture) abandon() {
	c.write.Close()
	c.close()
}

// pollInterval is the time, in milliseconds, between two checks for the end of the program
// on a kernel without pidfd (before 5.3).
const pollInterval = 2

// awaitExit waits until the program has ended, and leaves it a zombie. Meanwhile it reads the
// program's output.
func (p *process) awaitExit(s *streams) {
	pidfd, err := unix.PidfdOpen(p.pid, 0)
	interval := -1
	if err != nil {
		pidfd, interval = -1, pollInterval
	} else {
		defer unix.Close(pidfd)
	}
	for {
		fds := []unix.PollFd{
			{Fd: int32(pidfd), Events: unix.POLLIN},
			{Fd: int32(s.out.read), Events: unix.POLLIN},
			{Fd: int32(s.err.read), Events: unix.POLLIN},
		}
		n, err := unix.Poll(fds, interval)
		if err != nil && err != unix.EINTR {
			return // the wait that follows blocks as well
		}
		if n > 0 {
			if fds[1].Revents != 0 {
				s.out.readSome()
			}
			if fds[2].Revents != 0 {
				s.err.readSome()
			}
		}
		if n > 0 && fds[0].Revents != 0 || pidfd < 0 && p.isZombie() {
			return
		}
	}
}

func (p *process) isZombie() bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PID, p.pid, &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err != unix.EINTR && (err != nil || info.Signo != 0)
}
