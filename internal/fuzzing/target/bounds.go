package target

import (
	"errors"
	"fmt"
)

// Bounds is the limits of a program other than its time and memory. The zero value sets
// none. Bounds work on Linux only; elsewhere [New] refuses them.
type Bounds struct {
	// FileSize is the greatest size in bytes of a file that the program writes (RLIMIT_FSIZE).
	// A process that writes more gets SIGXFSZ or the error EFBIG. 0 sets no limit.
	FileSize int64
	// Processes is the greatest number of processes that the program may have at once, in its
	// session or its control group. 0 sets no limit. The number is checked 20 times a second.
	// A group with the controller pids cannot have more than Processes + 1,024 processes and
	// threads together.
	Processes int
	// Isolate keeps the program from the network and from files of others; nil does not.
	Isolate *Isolation
}

// The bounds of a program that is fuzzed.
const (
	DefaultFileSize  = 1 << 30
	DefaultProcesses = 1024
)

// DefaultBounds returns the bounds of a program that is fuzzed. It returns none on systems
// that do not support them.
func DefaultBounds() Bounds {
	if !hasResident {
		return Bounds{}
	}
	return Bounds{FileSize: DefaultFileSize, Processes: DefaultProcesses}
}

// check refuses bounds that cannot be set.
func (b Bounds) check() error {
	switch {
	case b.FileSize < 0 || b.Processes < 0:
		return fmt.Errorf("a limit of %d bytes for a file and %d processes is negative; give positive ones or 0 for none", b.FileSize, b.Processes)
	case b.FileSize+int64(b.Processes) > 0 && !hasResident:
		return errors.New("limits of files and processes are not supported on this system; leave them out")
	}
	_, err := b.Isolate.writable()
	return err
}

// Exceeded reports whether the processes of a program in a cage exceed the bounds or the
// limit resident of memory: [Crowded] or [Overgrown], or [Exited] if they do not.
func (b Bounds) Exceeded(pid int, cage *Cage, resident int64) Kind {
	pids := cage.members(pid)
	switch {
	case b.Processes > 0 && len(pids) > b.Processes:
		return Crowded
	case resident > 0 && residentOf(pids) > resident:
		return Overgrown
	}
	return Exited
}
