package target

import (
	"fmt"
	"syscall"
	"time"
)

// Kind is how a run ended.
type Kind int

const (
	// Exited: the program ended by itself; Code holds.
	Exited Kind = iota
	// Signaled: a signal that we did not send ended the program; Signal holds.
	Signaled
	// TimedOut: we ended the program after [Command.Timeout].
	TimedOut
	// Overgrown: we ended the program for holding more than [Command.Resident].
	Overgrown
	// Crowded: we ended the program for having more than [Bounds.Processes].
	Crowded
)

// String is the kind's name.
func (k Kind) String() string {
	return [...]string{"exited", "signaled", "timed out", "overgrown", "crowded"}[k]
}

// Result is the result of one run.
type Result struct {
	Kind   Kind
	Code   int            // exit code, for Exited
	Signal syscall.Signal // for Signaled
	// Stdout and Stderr are the first bytes of the output, at most
	// [Command.Output] of each; the totals are what was printed in all.
	Stdout, Stderr           []byte
	StdoutTotal, StderrTotal int64
	// Labels is what the program wrote to its file of labels, if
	// [Command.Labels] gave it one; at most 1 MiB.
	Labels []byte
	// Wall is the time from start to end, User and System the processor time
	// of the program and the children it waited for.
	Wall, User, System time.Duration
	// MaxRSS is the most memory in bytes that the program, or one child it
	// waited for, held at once; 0 where the system does not tell.
	MaxRSS int64
	// Strays is how many processes had to be killed outside the program's
	// own group. Those inside it are killed without being counted.
	Strays int
	// Scratch is the path the run's scratch folder had, so that messages of
	// different runs can be made equal.
	Scratch string
	// Memory is the limit of address space that held, 0 for none.
	Memory int64
	// Limit is the limit of resident memory that held, 0 for none.
	Limit int64
	// Processes is the limit of processes that held, 0 for none; of processes and threads
	// together if Threads.
	Processes int
	Threads   bool
}

// String says how the run ended, in a few words.
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
