//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns elapsed time: this system does not say what a process took.
func Used() time.Duration { return time.Since(start) }
