//go:build unix

package corpus

import (
	"os"

	"golang.org/x/sys/unix"
)

func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

func unlockFile(f *os.File) { unix.Flock(int(f.Fd()), unix.LOCK_UN) }
