//go:build !linux

package afl

import (
	"context"
	"errors"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// Driver is not supported on this system; see the Linux build.
type Driver struct{}

// Start always fails: it works on Linux only.
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

// Compare always fails, as Run.
func (d *Driver) Compare(context.Context, []byte) ([]gocov.Comparison, error) {
	return nil, errors.New("no fork server; AFL fork servers are driven on Linux only")
}

// Running returns false.
func (d *Driver) Running() bool { return false }

// Map returns nil.
func (d *Driver) Map() []byte { return nil }

// Dictionary returns nil.
func (d *Driver) Dictionary() [][]byte { return nil }

// Persistent returns false.
func (d *Driver) Persistent() bool { return false }

// SharedInput returns false.
func (d *Driver) SharedInput() bool { return false }

// Close does nothing.
func (d *Driver) Close() error { return nil }
