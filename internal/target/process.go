package target

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// process is a started program that leads its own group. Signals may come from
// timers at any moment, also after its end: once ended is set its number may
// belong to somebody else, and nothing is sent any more.
type process struct {
	os    *os.Process
	pid   int
	mu    sync.Mutex
	ended bool
}

// startTries bounds how often a program that is just being written is tried.
// That happens when another goroutine forked while we had it open for writing.
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

// terminate asks the group to end, kill ends it.
func (p *process) terminate() { p.signal(syscall.SIGTERM) }
func (p *process) kill()      { p.signal(syscall.SIGKILL) }

func (p *process) signal(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.signalGroup(sig)
	}
}
