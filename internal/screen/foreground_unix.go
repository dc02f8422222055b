//go:build unix

package screen

import (
	"os"
	"time"

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

// stopTime is how long the system may take to stop the job, and so how long one that no shell
// could continue, which is not stopped, waits.
const stopTime = time.Second

// stopJob stops the job of this process, as Ctrl-Z does, until it is continued.
func stopJob() {
	if unix.Kill(0, unix.SIGTSTP) == nil {
		time.Sleep(stopTime)
	}
}
