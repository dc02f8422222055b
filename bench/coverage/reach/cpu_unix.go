//go:build unix

package reach

import (
	"syscall"
	"time"
)

// cpuTime returns how long the process has computed: on a busy machine that says
// more than the time of day.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
