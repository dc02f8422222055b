package main

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/testing/cputime"
)

// cpuTime returns the CPU time so far of this program, the processes that it has waited for, and
// the running processes with these pids. The pid 0 stands for no process.
func cpuTime(pids ...int) time.Duration {
	total := cputime.Used()
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) == nil {
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, pid := range pids {
		// The id of the process's CPU-time clock, computed as in clock_getcpuclockid.
		var t unix.Timespec
		if pid > 0 && unix.ClockGettime(int32(^uint32(pid)<<3|2), &t) == nil {
			total += time.Duration(t.Nano())
		}
	}
	return total
}
