package afl

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pipeEnd is our end of a pipe: reads and writes of it block.
type pipeEnd int

// pipe returns both ends of a pipe, closed in programs that are started but for
// those that are given one.
func pipe() (read, write int, err error) {
	var fds [2]int
	err = unix.Pipe2(fds[:], unix.O_CLOEXEC)
	return fds[0], fds[1], os.NewSyscallError("pipe2", err)
}

// ready waits for something to read, or a signal. The Go runtime does not know: it
// would give the processor to another thread and take it back, which takes longer
// than a small program does. When it wants a goroutine to stop, and so from 10 ms
// on, it sends a signal, and the read that follows is one that it knows of.
func (p pipeEnd) ready() bool {
	fds := [1]unix.PollFd{{Fd: int32(p), Events: unix.POLLIN}}
	n, _, err := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), 1, 0, 0, 0, 0)
	return err == 0 && n == 1
}

func (p pipeEnd) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if p.ready() {
		n, _, err := unix.RawSyscall(unix.SYS_READ, uintptr(p), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		if err == 0 && n > 0 {
			return int(n), nil
		}
	}
	for {
		n, err := unix.Read(int(p), b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, os.NewSyscallError("read", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write writes some bytes, which a pipe takes at once: nobody is ahead of them.
func (p pipeEnd) Write(b []byte) (int, error) {
	for {
		n, _, err := unix.RawSyscall(unix.SYS_WRITE, uintptr(p), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		switch err {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, os.NewSyscallError("write", err)
		}
	}
}
