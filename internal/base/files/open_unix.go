//go:build unix

package files

import (
	"os"
	"syscall"
)

// open opens a file without waiting for a writer where it is a pipe.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
