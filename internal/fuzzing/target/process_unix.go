//go:build unix && !linux

package target

import "syscall"

const hasMemoryLimit = false

const errTextBusy = syscall.ETXTBSY

// groupAttr makes the program the leader of a session and so of a group.
func groupAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func pinThread() (unpin func()) { return func() {} }

// SetLimits sets no limits on this system.
func SetLimits(int, int64, Bounds) {}

func (s *streams) openInput(input []byte) error { return s.openPipe(input) }

func killStrays(pid int, dir string) int { return 0 }
