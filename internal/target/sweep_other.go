//go:build !linux

package target

import "os"

// Swept counts the removals of [Sweep].
type Swept struct {
	Folders   int // removed
	Processes int // killed
}

// Sweep does nothing here: it cannot be told whose a process is.
func Sweep(folder string) (Swept, error) { return Swept{}, nil }

func self() owner { return owner{place: "0", pid: os.Getpid(), started: "0"} }
