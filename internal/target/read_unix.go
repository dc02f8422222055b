//go:build unix && !linux

package target

import "syscall"

// readNow reads what a pipe holds without waiting; 0 or less when that is
// nothing.
func readNow(fd uintptr, buf []byte) int {
	for {
		n, err := syscall.Read(int(fd), buf)
		if err != syscall.EINTR {
			return n
		}
	}
}
