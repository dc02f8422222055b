package target

import (
	"sync"
	"time"
)

// DefaultResident returns the default limit of the memory of a fuzzed program: a quarter of
// the memory of the machine or control group, in whole MiB; 0 if that is not known.
func DefaultResident() int64 { return machineMemory() / 4 >> 20 << 20 }

// residentEvery is the interval between checks of a program's limits. Shorter runs are not
// checked.
const residentEvery = 50 * time.Millisecond

// watchLimit calls limit every residentEvery. It calls exceeded, once, with the first result
// other than [Exited].
func watchLimit(limit func() Kind, exceeded func(Kind)) (stop func()) {
	var mu sync.Mutex
	var t *time.Timer
	stopped := false
	mu.Lock()
	defer mu.Unlock()
	t = time.AfterFunc(residentEvery, func() {
		if how := limit(); how != Exited {
			exceeded(how)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if !stopped {
			t.Reset(residentEvery)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		t.Stop()
	}
}
