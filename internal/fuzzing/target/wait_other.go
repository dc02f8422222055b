//go:build !linux

package target

import (
	"os"
	"syscall"
)

// maxRSS is not known: the unit differs from system to system.
func maxRSS(*os.ProcessState) int64 { return 0 }

// wait waits for the program's end and kills the rest of its group. Between the two, the
// group's number could in theory be reused; this system has no way to reserve it.
func (p *process) wait(*streams) (*os.ProcessState, error) {
	state, err := p.os.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.signalGroup(syscall.SIGKILL)
	return state, err
}
