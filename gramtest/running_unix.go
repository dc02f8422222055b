//go:build unix

package gramtest

import (
	"os"

	"golang.org/x/sys/unix"
)

// claim locks a file for as long as it is open; false if another process holds the lock.
func claim(file *os.File) bool {
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// mapPage maps the beginning of a file; nil if that fails.
func mapPage(file *os.File, size int) []byte {
	page, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	return page
}

func unmapPage(page []byte) {
	if page != nil {
		unix.Munmap(page)
	}
}
