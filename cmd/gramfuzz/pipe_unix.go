//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// brokenPipe reports whether err says that nobody reads our output any more.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
