package target

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// process is a started program that leads its own group. Timers may send signals at any
// moment, even after its end. Once ended is set, its number may belong to another process, so
// no more signals are sent.
type process struct {
	os    *os.Process
	pid   int
	mu    sync.Mutex
	ended bool
}

// startTries bounds the tries to start a program that is open for writing. That happens if
// another goroutine forked while we were writing the program.
const startTries = 8

func startProcess(c *Cage, path string, argv, env []string, dir string, files []*os.File) (*process, error) {
	attr := &os.ProcAttr{Dir: dir, Env: env, Files: files, Sys: groupAttr()}
	for try := 1; ; try++ {
		p, err := c.StartProcess(path, argv, attr)
		if err == nil {
			return &process{os: p, pid: p.Pid}, nil
		}
		if !errors.Is(err, errTextBusy) || try == startTries {
			return nil, err
		}
		time.Sleep(time.Duration(try) * time.Millisecond)
	}
}

// terminate asks the group to end; kill ends it.
func (p *process) terminate() { p.signal(syscall.SIGTERM) }
func (p *process) kill()      { p.signal(syscall.SIGKILL) }

func (p *process) signal(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.signalGroup(sig)
	}
}
