//go:build !linux

package main

import (
	"time"

	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
)

// cpuTime returns the CPU time of this program alone. Only on Linux does it include other
// processes.
func cpuTime(...int) time.Duration { return cputime.Used() }
