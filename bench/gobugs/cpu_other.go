//go:build !linux

package main

import (
	"time"

	"github.com/gramfuzz/gramfuzz/internal/cputime"
)

// cpuTime returns the CPU time of this program alone: that of other processes is
// measured on Linux.
func cpuTime(...int) time.Duration { return cputime.Used() }
