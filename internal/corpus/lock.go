package corpus

import (
	"errors"
	"os"
)

// Lock is a file that one process holds. The system gives it up when the
// process ends, however it ends.
type Lock struct{ file *os.File }

// ErrLocked is the error of a file that another process, or another Lock of this
// one, holds.
var ErrLocked = errors.New("another process holds it")

// TryLock takes the lock of a file, which is made where it is missing. It does
// not wait: the error is then [ErrLocked].
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

// Unlock gives the lock up. The file stays: whoever removed it could leave two
// others each with a lock of its own.
func (l *Lock) Unlock() error {
	unlockFile(l.file)
	return l.file.Close()
}
