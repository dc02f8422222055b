//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// brokenPipe reports whether err says that the reader of our output is gone.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
