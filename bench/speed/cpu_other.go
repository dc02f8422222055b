//go:build !unix

package main

import "time"

var start = time.Now()

// cpuTime returns elapsed time: this system does not say what a process took.
func cpuTime() time.Duration { return time.Since(start) }
