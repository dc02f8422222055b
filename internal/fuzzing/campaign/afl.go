package campaign

import (
	"bytes"
	"context"
	"errors"
	"os"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/afl"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// aflDriver runs a program through its fork server. It runs failing texts again by process, since
// the server keeps no output.
type aflDriver struct {
	server *afl.Driver
	runner *target.Runner
	text   []byte // the text of the current run
	err    error  // the error of beginning it
}

// ByAFL runs a command with AFL instrumentation through its fork server, and reports its edges. A
// failing text is run again by process, as cmd demands, for its output; a failure that does not
// recur there is identified by its signal only. If cmpLog is not "", it is a build of the program
// that records its comparisons, and the driver is a [Comparer].
func ByAFL(cmd target.Command, cmpLog string) Drive {
	serve := func(ctx context.Context, program string, records bool) (*afl.Driver, error) {
		return afl.Start(ctx, afl.Options{
			Args: append([]string{program}, cmd.Args[1:]...), Dir: cmd.Dir, Env: cmd.Env, Scratch: cmd.Scratch, CmpLog: records,
			Timeout: cmd.Timeout, Memory: cmd.Memory, Resident: cmd.Resident, Bounds: cmd.Bounds,
		})
	}
	return func(ctx context.Context) (Driver, error) {
		cmd.Reuse = true
		r, err := target.New(cmd)
		if err != nil {
			return nil, err
		}
		s, err := serve(ctx, cmd.Args[0], false)
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		d := &aflDriver{server: s, runner: r}
		if cmpLog == "" {
			return d, nil
		}
		records, err := serve(ctx, cmpLog, true)
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
		return &aflComparer{d, records}, nil
	}
}

// aflComparer is an aflDriver with a build of the program that records comparisons.
type aflComparer struct {
	*aflDriver
	records *afl.Driver
}

// Compare implements Comparer.
func (d *aflComparer) Compare(ctx context.Context, text []byte) ([]gocov.Comparison, error) {
	return d.records.Compare(ctx, text[:min(len(text), afl.DefaultMaxInput)])
}

func (d *aflComparer) Close() error { return errors.Join(d.aflDriver.Close(), d.records.Close()) }

// Instrumented reports whether the program of a command is compiled for AFL, so that [ByAFL] can
// run it.
func Instrumented(cmd target.Command) bool {
	if len(cmd.Args) == 0 {
		return false
	}
	path, err := target.LookPath(cmd.Args[0], cmd.Dir)
	if err != nil {
		return false
	}
	program, err := os.ReadFile(path)
	return err == nil && bytes.Contains(program, []byte("__AFL_SHM_ID"))
}

// recordsComparisons returns an error if a program cannot be run beside a command for the
// comparisons that it records.
func recordsComparisons(cmd target.Command, program string, driven bool) error {
	if !driven {
		return errors.New("--cmplog needs a program that is compiled for AFL and run by --driver afl")
	}
	path, err := target.LookPath(program, cmd.Dir)
	if err != nil {
		return err
	}
	return afl.CheckCmpLog(path)
}

func (d *aflDriver) Run(ctx context.Context, text []byte) (*Ran, error) {
	if err := d.Begin(ctx, text); err != nil {
		return nil, err
	}
	return d.End(ctx)
}

// Begin implements Starter.
func (d *aflDriver) Begin(ctx context.Context, text []byte) error {
	d.text = append(d.text[:0], text[:min(len(text), afl.DefaultMaxInput)]...)
	d.err = d.server.Begin(ctx, d.text)
	return ctx.Err()
}

// End implements Starter.
func (d *aflDriver) End(ctx context.Context) (*Ran, error) {
	var res *target.Result
	err := d.err
	if err == nil {
		res, err = d.server.End()
	}
	var gone *afl.ServerError
	if errors.As(err, &gone) { // the server died of this text; the next run starts another one
		if res, err = d.runner.Run(ctx, d.text); err == nil {
			return &Ran{Outcome: target.ClassifyInput(res, d.text), Result: res}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	r := &Ran{Outcome: target.ClassifyInput(res, d.text), Result: res, Edges: d.server.Map()}
	if !r.Outcome.Failed() {
		return r, nil
	}
	again, err := d.runner.Run(ctx, d.text)
	if err != nil {
		return nil, err
	}
	if o := target.ClassifyInput(again, d.text); o.Failed() {
		r.Outcome, r.Result = o, again
	}
	return r, nil
}

func (d *aflDriver) Close() error {
	return errors.Join(d.server.Close(), d.runner.Close())
}
