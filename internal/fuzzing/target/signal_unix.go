//go:build unix

package target

import "syscall"

// signalGroup signals the group and so the leader, which cannot move to another one, as it leads
// a session. The leader gets no signal of its own: a shell would run its trap twice.
func (p *process) signalGroup(sig syscall.Signal) { _ = syscall.Kill(-p.pid, sig) }
