//go:build !unix

package target

import (
	"errors"
	"os"
	"syscall"
)

const hasMemoryLimit = false

// errTextBusy never occurs on this system.
var errTextBusy = errors.New("text file busy")

func groupAttr() *syscall.SysProcAttr { return nil }

func pinThread() (unpin func()) { return func() {} }

// signalGroup ends the program at once: there are no groups and no SIGTERM.
func (p *process) signalGroup(syscall.Signal) { _ = p.os.Kill() }

// SetLimits sets no limits on this system.
func SetLimits(int, int64, Bounds) {}

func (s *streams) openInput(input []byte) error { return s.openPipe(input) }

func killStrays(pid int, dir string) int { return 0 }

// readNow reads nothing: a pipe cannot be asked here without waiting.
func readNow(fd uintptr, buf []byte) int { return 0 }

// links is not known here; a hard link to a scratch file is not found.
func links(os.FileInfo) uint64 { return 1 }
