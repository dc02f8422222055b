package main

import (
	"errors"

	"golang.org/x/sys/windows"
)

// brokenPipe reports whether err says that the reader of our output is gone.
func brokenPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
