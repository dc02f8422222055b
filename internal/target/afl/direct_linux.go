package afl

import (
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// ended waits for the end of a direct program that closed its pipe, and returns how
// it ended and what it wrote to standard error last.
func (d *Driver) ended() *target.Result {
	pid := d.server.Pid
	late := time.AfterFunc(deathTimeout, func() { _ = unix.Kill(pid, unix.SIGKILL) })
	for {
		// It is left unwaited for: until then its number, and that of its group, is its own.
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			break
		}
	}
	late.Stop()
	_ = unix.Kill(-pid, unix.SIGKILL)
	res := &target.Result{Memory: d.opt.Memory, Scratch: d.dir}
	state, err := d.server.Wait()
	d.server = nil
	if err == nil {
		res.User, res.System = state.UserTime(), state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			res.MaxRSS = int64(usage.Maxrss) * 1024
		}
		switch status := state.Sys().(syscall.WaitStatus); {
		case status.Signaled():
			res.Kind, res.Signal = target.Signaled, status.Signal()
		default:
			res.Code = status.ExitStatus()
		}
	}
	res.Stderr = d.said.last()
	res.StderrTotal = int64(len(res.Stderr))
	return res
}

// said is what a program writes to standard error in a run, its end.
type said struct {
	pipe *os.File
	done chan struct{}

	mu   sync.Mutex
	text []byte
}

// maxSaid is how much of it is kept, at least.
const maxSaid = 256 << 10

// lastWords is how long standard error of a program that is gone is waited for:
// one that it started may hold it.
const lastWords = 100 * time.Millisecond

// listen returns what collects, and the end of the pipe for the program.
func listen() (*said, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	s := &said{pipe: r, done: make(chan struct{})}
	go s.collect()
	return s, w, nil
}

func (s *said) collect() {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.pipe.Read(buf)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.text = append(s.text, buf[:n]...)
		if len(s.text) > 2*maxSaid {
			s.text = append(s.text[:0], s.text[len(s.text)-maxSaid:]...)
		}
		s.mu.Unlock()
	}
}

// reset forgets what a run wrote that did not fail.
func (s *said) reset() {
	s.mu.Lock()
	s.text = s.text[:0]
	s.mu.Unlock()
}

// last waits for the end of what a program wrote and returns it.
func (s *said) last() []byte {
	_ = s.pipe.SetReadDeadline(time.Now().Add(lastWords))
	<-s.done
	return append([]byte(nil), s.text...)
}

// close ends collecting.
func (s *said) close() {
	s.pipe.Close()
	<-s.done
}
