//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns elapsed time, since this system does not report the CPU time of a process.
func Used() time.Duration { return time.Since(start) }
