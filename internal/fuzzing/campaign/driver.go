package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// Ran is a driver's report of one run.
type Ran struct {
	Outcome target.Outcome
	Result  *target.Result
	Edges   []byte // edge counters, if the driver has them; the next run overwrites them
}

// late reports whether the run was ended by its timeout.
func (r *Ran) late() bool { return r.Outcome.Class == target.Timeout }

// reached returns the edges that count: those of a run that ended in time.
func (r *Ran) reached() []byte {
	if r.late() {
		return nil
	}
	return r.Edges
}

// Driver runs a program. It belongs to one goroutine.
type Driver interface {
	// Run runs the program on a text. A run that took place is no error, however it ended.
	Run(ctx context.Context, text []byte) (*Ran, error)
	Close() error
}

// Starter is a Driver with asynchronous runs, so that the next sentence can be drawn while the
// program runs.
type Starter interface {
	Driver

	// Begin begins a run; text may be changed after it. End waits for the run. It must be called
	// after each successful Begin, before the next one.
	Begin(ctx context.Context, text []byte) error
	End(ctx context.Context) (*Ran, error)
}

// Comparer is a Driver that records comparisons.
type Comparer interface {
	Driver

	// Compare runs the program on a text, and returns comparisons of unequal values that it made.
	// How the run ended does not matter.
	Compare(ctx context.Context, text []byte) ([]gocov.Comparison, error)
}

// comparerOf returns the Comparer behind a driver, nil if there is none. Drivers around others
// have a method Unwrap.
func comparerOf(d Driver) Comparer {
	for {
		if c, ok := d.(Comparer); ok {
			return c
		}
		around, ok := d.(interface{ Unwrap() Driver })
		if !ok {
			return nil
		}
		d = around.Unwrap()
	}
}

// Drive makes the driver of a worker.
type Drive func(ctx context.Context) (Driver, error)

// process starts a program for each text.
type process struct{ runner *target.Runner }

// ByProcess starts a command for each text, see [target.Command]. A scratch folder is used again
// if the program leaves nothing in it.
func ByProcess(cmd target.Command) Drive {
	cmd.Reuse = true
	return func(context.Context) (Driver, error) {
		r, err := target.New(cmd)
		if err != nil {
			return nil, err
		}
		return &process{r}, nil
	}
}

func (p *process) Run(ctx context.Context, text []byte) (*Ran, error) {
	res, err := p.runner.Run(ctx, text)
	if err != nil {
		return nil, err
	}
	return &Ran{Outcome: target.ClassifyInput(res, text), Result: res}, nil
}

func (p *process) Close() error { return p.runner.Close() }

// SetProgram sets the driver of a command (process; afl; or auto, which is afl where the program
// is compiled for that and its output is not needed), a build of it with a sanitizer, and another
// command to compare with, if there are any. The program must exist. Accepted and CmpLog must be
// set first.
func (o *Options) SetProgram(cmd target.Command, driver string, sanitized, against []string) (err error) {
	if _, err = target.New(cmd); err != nil {
		return err
	}
	afl := driver == "afl"
	switch {
	case driver == "auto":
		afl = len(against) == 0 && o.Accepted == nil && Instrumented(cmd)
	case driver != "process" && !afl:
		return fmt.Errorf("there is no driver %q; there are auto, process and afl", driver)
	case afl && o.Accepted != nil:
		return errors.New("--accepted is about output, which the fork server does not keep; add --driver process")
	}
	if o.CmpLog != "" {
		if err := recordsComparisons(cmd, o.CmpLog, afl); err != nil {
			return err
		}
	}
	o.Drive = ByProcess(cmd)
	if afl {
		o.Drive = ByAFL(cmd, o.CmpLog)
	}
	o.Program = target.Fingerprint(cmd)
	if o.Explain, err = Explained(cmd, sanitized); err != nil || len(against) == 0 {
		return err
	}
	other := cmd
	other.Args = against
	if _, err = target.New(other); err != nil {
		return err
	}
	o.Program += target.Fingerprint(other)
	o.Drive = Compare(o.Drive, ByProcess(other))
	return nil
}

// Func makes a Drive of a function in this process, which must be safe for concurrent use. It
// cannot be stopped: a text on which it hangs, or that kills it, ends the campaign.
func Func(run func(ctx context.Context, text []byte) (*Ran, error)) Drive {
	return func(context.Context) (Driver, error) { return called(run), nil }
}

type called func(ctx context.Context, text []byte) (*Ran, error)

func (c called) Run(ctx context.Context, text []byte) (*Ran, error) { return c(ctx, text) }

func (c called) Close() error { return nil }
