package target

import (
	"errors"
	"fmt"
)

// Bounds keep a program in, beside its time and memory. The zero value sets none. Linux
// only; elsewhere [New] refuses them.
type Bounds struct {
	// FileSize is how large in bytes a file may get that the program writes (RLIMIT_FSIZE):
	// who writes on gets SIGXFSZ, or the error EFBIG. 0 sets no limit.
	FileSize int64
	// Processes is how many processes the program may have at once, those of its session or
	// of its control group; 0 sets no limit. One looks 20 times a second. A group with the
	// controller pids is refused more processes and threads together than Processes + 1,024.
	Processes int
	// Isolate keeps the program from the network and from files of others; nil does not.
	Isolate *Isolation
}

// The bounds of a program that is fuzzed.
const (
	DefaultFileSize  = 1 << 30
	DefaultProcesses = 1024
)

// DefaultBounds are the bounds of a program that is fuzzed; none where the system has none.
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

// Exceeded reports how the processes of a program that was started in a cage exceed a limit
// of memory or the bounds: [Overgrown], [Crowded], or [Exited] if they do not.
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
