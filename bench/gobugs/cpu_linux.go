package main

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/cputime"
)

// cpuTime returns the CPU time that this program, the processes it has waited
// for and the running ones with these numbers have taken so far; 0 is no process.
func cpuTime(pids ...int) time.Duration {
	total := cputime.Used()
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) == nil {
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, pid := range pids {
		// The number of the clock of a process's CPU time, as clock_getcpuclockid
		// makes it.
		var t unix.Timespec
		if pid > 0 && unix.ClockGettime(int32(^uint32(pid)<<3|2), &t) == nil {
			total += time.Duration(t.Nano())
		}
	}
	return total
}
