//go:build !linux

package outfile

import "errors"

// exchange would exchange the names of two folders in one step.
func exchange(_, _ string) error { return errors.ErrUnsupported }
