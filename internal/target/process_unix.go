//go:build unix && !linux

package target

import "syscall"

const hasMemoryLimit = false

const errTextBusy = syscall.ETXTBSY

// groupAttr makes the program the leader of a session and so of a group.
func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func pinThread() (unpin func()) { return func() {} }

// signalGroup signals the group, and the leader too in case it moved to another group.
func (p *process) signalGroup(sig syscall.Signal) {
	_ = syscall.Kill(-p.pid, sig)
	_ = p.os.Signal(sig)
}

// SetLimits sets no limits on this system.
func SetLimits(int, int64, Bounds) {}

func (s *streams) openInput(input []byte) error { return s.openPipe(input) }

func killStrays(pid int, dir string) int { return 0 }
