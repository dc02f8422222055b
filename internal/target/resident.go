package target

import (
	"sync"
	"time"
)

// DefaultResident is a quarter of the machine's memory, or of that of the control group, in
// whole MiB; 0 where it is not known. It is what a program that is fuzzed may hold.
func DefaultResident() int64 { return machineMemory() / 4 >> 20 << 20 }

// residentEvery is how often one looks how much a program holds. Shorter runs are not looked
// at.
const residentEvery = 50 * time.Millisecond

// watchLimit calls exceeded, once, with what limit says of a program, if that is not [Exited].
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
