package campaign

import (
	"context"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// Ran is what a driver tells of one run.
type Ran struct {
	Outcome target.Outcome
	Result  *target.Result
	Edges   []byte // counters of edges, where the driver has them; the next run overwrites them
}

// late reports whether the run was ended since it took too long.
func (r *Ran) late() bool { return r.Outcome.Class == target.Timeout }

// reached returns the edges that count: those of a run that was in time.
func (r *Ran) reached() []byte {
	if r.late() {
		return nil
	}
	return r.Edges
}

// Driver runs a program. It belongs to one goroutine.
type Driver interface {
	// Run runs the program on a text. A run that was made is no error,
	// however it ended.
	Run(ctx context.Context, text []byte) (*Ran, error)
	Close() error
}

// Starter is a Driver whose runs can be waited for later, so that its user draws
// the next sentence while the program runs.
type Starter interface {
	Driver

	// Begin begins a run; text may be changed after it. End waits for it, and
	// must be called for each Begin that returned no error before the next.
	Begin(ctx context.Context, text []byte) error
	End(ctx context.Context) (*Ran, error)
}

// Drive makes the driver of a worker.
type Drive func(ctx context.Context) (Driver, error)

// process runs a program anew for each text.
type process struct{ runner *target.Runner }

// ByProcess runs a command anew for each text, see [target.Command]. Scratch
// folders are used again where the program leaves nothing in them.
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

// SetProgram sets how a command is run: by its driver (process; afl; or auto, which is afl
// where the program is compiled for that and its output is not needed), with a build that
// has a sanitizer where there is one, and against another command, if there is one. The
// program must be there. Accepted must be set before.
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
	o.Drive = ByProcess(cmd)
	if afl {
		o.Drive = ByAFL(cmd)
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

// Func makes a Drive of a function that is called in this process, by several
// goroutines at once. It cannot be stopped: a text on which it hangs, or that
// kills it, ends the campaign.
func Func(run func(ctx context.Context, text []byte) (*Ran, error)) Drive {
	return func(context.Context) (Driver, error) { return called(run), nil }
}

type called func(ctx context.Context, text []byte) (*Ran, error)

func (c called) Run(ctx context.Context, text []byte) (*Ran, error) { return c(ctx, text) }

func (c called) Close() error { return nil }
