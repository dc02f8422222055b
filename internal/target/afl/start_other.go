//go:build !linux

package afl

import (
	"context"
	"errors"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// Driver holds a running fork server; see the Linux build.
type Driver struct{}

// Start is possible on Linux only.
func Start(context.Context, Options) (*Driver, error) {
	return nil, errors.New("AFL fork servers are driven on Linux only; run the program with package target")
}

// Run always fails: there is no driver here.
func (d *Driver) Run(context.Context, []byte) (*target.Result, error) {
	return nil, errors.New("no fork server; AFL fork servers are driven on Linux only")
}

// Begin always fails, as Run.
func (d *Driver) Begin(context.Context, []byte) error {
	return errors.New("no fork server; AFL fork servers are driven on Linux only")
}

// End always fails, as Run.
func (d *Driver) End() (*target.Result, error) {
	return nil, errors.New("no fork server; AFL fork servers are driven on Linux only")
}

// Running is false.
func (d *Driver) Running() bool { return false }

// Map is empty.
func (d *Driver) Map() []byte { return nil }

// Dictionary is empty.
func (d *Driver) Dictionary() [][]byte { return nil }

// Persistent is false.
func (d *Driver) Persistent() bool { return false }

// SharedInput is false.
func (d *Driver) SharedInput() bool { return false }

// Close does nothing.
func (d *Driver) Close() error { return nil }
