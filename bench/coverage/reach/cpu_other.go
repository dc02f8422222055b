//go:build !unix

package reach

import "time"

var begin = time.Now()

// cpuTime returns how long the process has run.
func cpuTime() time.Duration { return time.Since(begin) }
