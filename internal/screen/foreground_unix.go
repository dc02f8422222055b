//go:build unix

package screen

import (
	"os"

	"golang.org/x/sys/unix"
)

// foreground reports whether the program may set how the terminal works: one in the
// background is stopped if it tries.
func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
