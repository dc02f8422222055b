package afl

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pipeEnd is our end of a pipe: its reads and writes block.
type pipeEnd int

// pipe returns both ends of a pipe. They are closed in started programs, unless passed to them.
func pipe() (read, write int, err error) {
	var fds [2]int
	err = unix.Pipe2(fds[:], unix.O_CLOEXEC)
	return fds[0], fds[1], os.NewSyscallError("pipe2", err)
}

// ready waits for something to read, or for a signal. The wait is hidden from the Go runtime,
// which would hand the processor to another thread and take it back: that takes longer than a
// small program runs. If the runtime wants the goroutine to stop, as it does after 10 ms, it
// sends a signal. The read that follows is an ordinary one.
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

// Write writes some bytes. It does not block, because the pipe is empty.
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
