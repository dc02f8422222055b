package target

import (
	"fmt"
	"os"
	"path/filepath"
)

// Isolation keeps a program from the network and from files that are not its own. On Linux
// a helper starts the program: in a network namespace that has a loopback interface only,
// and under Landlock, so that it may write to its scratch folder, /dev/null, /dev/zero,
// /dev/tty, /dev/shm and the paths of Write, and send signals to nobody but what it started.
// It may read as before.
type Isolation struct {
	// Helper is the path of a program whose main begins with [EnterCage]; a program that does
	// so itself gives /proc/self/exe.
	Helper string
	// Write lists further files and folders that the program may write. They must be there.
	Write []string
}

// writable returns the paths of Write, which must be there, as absolute ones.
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

// CageError says that a program cannot be isolated.
type CageError struct {
	Problem string
	Err     error // the cause, or nil
}

// Error is "isolation: what; what to do".
func (e *CageError) Error() string {
	return "isolation: " + e.Problem + "; run it without, in a container or a virtual machine"
}

// Unwrap gives the cause.
func (e *CageError) Unwrap() error { return e.Err }
