package campaign

import (
	"context"
	"fmt"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/afl"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// goDriver calls a Go function in a separate process, which lives until a text ends it.
type goDriver struct {
	server *afl.Driver
	text   []byte // the text of the current run
}

// ByGo runs a program of package gofunc in its process, text after text, and reports its edges.
// It uses only the program in cmd.Args. If the function ends the process in any way, that is a
// failure.
func ByGo(cmd target.Command) Drive {
	return func(ctx context.Context) (Driver, error) {
		s, err := afl.Start(ctx, afl.Options{
			Args: cmd.Args[:1], Dir: cmd.Dir, Env: cmd.Env, Scratch: cmd.Scratch,
			Timeout: cmd.Timeout, Memory: cmd.Memory, Resident: cmd.Resident, Bounds: cmd.Bounds, Direct: true,
		})
		if err != nil {
			return nil, err
		}
		return &goDriver{server: s}, nil
	}
}

func (d *goDriver) Run(ctx context.Context, text []byte) (*Ran, error) {
	if err := d.Begin(ctx, text); err != nil {
		return nil, err
	}
	return d.End(ctx)
}

// Begin implements Starter.
func (d *goDriver) Begin(ctx context.Context, text []byte) error {
	d.text = append(d.text[:0], text[:min(len(text), afl.DefaultMaxInput)]...)
	return d.server.Begin(ctx, d.text)
}

// End implements Starter.
func (d *goDriver) End(context.Context) (*Ran, error) {
	res, err := d.server.End()
	if err != nil {
		return nil, err
	}
	r := &Ran{Outcome: target.ClassifyInput(res, d.text), Result: res, Edges: d.server.Map()}
	if !d.server.Running() && !r.Outcome.Failed() {
		r.Outcome = target.Outcome{Class: target.GoPanic, Detail: "fatal", Message: fmt.Sprintf("the process was ended with exit code %d", res.Code)}
	}
	return r, nil
}

// Compare implements Comparer.
func (d *goDriver) Compare(ctx context.Context, text []byte) ([]gocov.Comparison, error) {
	return d.server.Compare(ctx, text[:min(len(text), afl.DefaultMaxInput)])
}

func (d *goDriver) Close() error { return d.server.Close() }
