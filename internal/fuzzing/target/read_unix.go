//go:build unix && !linux

package target

import "syscall"

// readNow reads from a pipe without waiting. It returns 0 or less if the pipe holds nothing.
func readNow(fd uintptr, buf []byte) int {
	for {
		n, err := syscall.Read(int(fd), buf)
		if err != syscall.EINTR {
			return n
		}
	}
}
