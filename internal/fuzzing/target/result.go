package target

import (
	"fmt"
	"syscall"
	"time"
)

// Kind is the way in which a run ended.
type Kind int

const (
	// Exited: the program ended by itself; Code is valid.
	Exited Kind = iota
	// Signaled: a signal that we did not send ended the program; Signal is valid.
	Signaled
	// TimedOut: we ended the program after [Command.Timeout].
	TimedOut
	// Overgrown: we ended the program for holding more than [Command.Resident].
	Overgrown
	// Crowded: we ended the program for having more than [Bounds.Processes].
	Crowded
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{"exited", "signaled", "timed out", "overgrown", "crowded"}[k]
}

// Result is the result of one run.
type Result struct {
	Kind   Kind
	Code   int            // exit code, for Exited
	Signal syscall.Signal // for Signaled
	// Stdout and Stderr are the first bytes of the output, at most
	// [Command.Output] of each; the totals count all bytes printed.
	Stdout, Stderr           []byte
	StdoutTotal, StderrTotal int64
	// Labels is the content of the file of labels, if [Command.Labels] asked
	// for one; at most 1 MiB.
	Labels []byte
	// Wall is the time from start to end; User and System are the processor
	// time of the program and of the children it waited for.
	Wall, User, System time.Duration
	// MaxRSS is the peak resident memory in bytes of the program, or of one
	// child it waited for; 0 if the system does not report it.
	MaxRSS int64
	// Strays is the number of processes killed outside the program's own
	// group. Those inside it are killed without being counted.
	Strays int
	// Scratch is the path of the run's scratch folder, so that messages of
	// different runs can be made equal.
	Scratch string
	// Memory is the limit of address space in force, 0 for none.
	Memory int64
	// Limit is the limit of resident memory in force, 0 for none.
	Limit int64
	// Processes is the limit of processes in force, 0 for none; of processes and threads
	// together if Threads.
	Processes int
	Threads   bool
}

// String describes the end of the run in a few words.
func (r *Result) String() string {
	switch r.Kind {
	case Signaled:
		return fmt.Sprintf("signal %d (%v)", int(r.Signal), r.Signal)
	case TimedOut:
		return fmt.Sprintf("timeout after %v", r.Wall.Round(time.Millisecond))
	case Overgrown:
		return fmt.Sprintf("ended when it held more than %d MiB of memory", r.Limit>>20)
	case Crowded:
		if r.Threads {
			return fmt.Sprintf("ended when it had more than %d processes and threads", r.Processes)
		}
		return fmt.Sprintf("ended when it had more than %d processes", r.Processes)
	default:
		return fmt.Sprintf("exit code %d", r.Code)
	}
}
