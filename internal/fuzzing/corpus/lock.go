package corpus

import (
	"errors"
	"os"
)

// Lock is a file that one process holds. The system releases it when the process ends, however it
// ends.
type Lock struct{ file *os.File }

// ErrLocked is the error of a file held by another process, or by another Lock of this one.
var ErrLocked = errors.New("another process holds it")

// TryLock takes the lock of a file, which is created if missing. It does not wait; the error of a
// held lock is [ErrLocked].
func TryLock(path string) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		f.Close()
		return nil, ErrLocked
	}
	return &Lock{f}, nil
}

// Unlock releases the lock. The file stays: if it were removed, two others could each hold a lock
// of their own.
func (l *Lock) Unlock() error {
	unlockFile(l.file)
	return l.file.Close()
}
