package target

import (
	"fmt"
	"os"
	"path/filepath"
)

// Isolation keeps a program from the network and from files that are not its own. On Linux,
// a helper starts the program in a network namespace with a loopback interface only, and
// under Landlock. The program may write only to its scratch folder, /dev/null, /dev/zero,
// /dev/tty, /dev/shm and the paths of Write. It may send signals only to processes that it
// started. Reading is not restricted.
type Isolation struct {
	// Helper is the path of a program whose main begins with [EnterCage]. A program that
	// does so itself gives /proc/self/exe.
	Helper string
	// Write lists further files and folders that the program may write. They must exist.
	Write []string
}

// writable returns the paths of Write as absolute ones. They must exist.
func (i *Isolation) writable() (paths []string, err error) {
	if i == nil {
		return nil, nil
	}
	for _, path := range i.Write {
		abs, err := filepath.Abs(path)
		if err == nil {
			_, err = os.Stat(abs)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: the program cannot be let write there: %w; make it first", path, plainError(err))
		}
		paths = append(paths, abs)
	}
	return paths, nil
}

// plainError strips the system call and the path from an error.
func plainError(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

// CageError is the error for a program that cannot be isolated.
type CageError struct {
	Problem string
	Err     error // the cause, or nil
}

// Error is "isolation: what; what to do".
func (e *CageError) Error() string {
	return "isolation: " + e.Problem + "; run it without, in a container or a virtual machine"
}

// Unwrap returns the cause.
func (e *CageError) Unwrap() error { return e.Err }
