//go:build !linux

package target

import "os"

// Cage is not supported on this system.
type Cage struct{}

// EnterCage returns false on this system.
func EnterCage([]string) bool { return false }

// NewCage returns nil without an [Isolation], and an error with one.
func NewCage(b Bounds, resident int64, dir string) (*Cage, error) {
	if b.Isolate == nil {
		return nil, nil
	}
	return nil, &CageError{Problem: "this system has no network namespaces and no Landlock"}
}

// StartProcess starts a program as [os.StartProcess] does.
func (c *Cage) StartProcess(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	return os.StartProcess(path, argv, attr)
}

// Missing returns nothing.
func (c *Cage) Missing() []string { return nil }

func (c *Cage) members(int) []int { return nil }

// Clean kills the processes that the run of a program in dir has left.
func (c *Cage) Clean(pid int, dir string) (strays int, how Kind, tasks int) {
	return killStrays(pid, dir), Exited, 0
}

// Close does nothing.
func (c *Cage) Close() error { return nil }
