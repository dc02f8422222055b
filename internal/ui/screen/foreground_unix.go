//go:build unix

package screen

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// foreground reports whether the program may change the terminal's mode; a program in the
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

// stopTime bounds the wait for the system to stop the job. A job that no shell could continue
// is not stopped, and so waits this long.
const stopTime = time.Second

// stopJob stops the job of this process, as Ctrl-Z does, until it is continued.
func stopJob() {
	if unix.Kill(0, unix.SIGTSTP) == nil {
		time.Sleep(stopTime)
	}
}
