package afl

import (
	"os"
	"regexp"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// ended waits for the end of a direct program that closed its pipe. It returns the result,
// with the last output on standard error.
func (d *Driver) ended() *target.Result {
	pid := d.server.Pid
	late := time.AfterFunc(deathTimeout, func() { _ = unix.Kill(pid, unix.SIGKILL) })
	for {
		// It stays a zombie, so that its number, also that of its group, is not reused.
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

// said is the end of a program's output on standard error, in a run and in the one before it.
type said struct {
	pipe *os.File
	done chan struct{}

	mu   sync.Mutex
	text []byte
	now  int // the index in text at which the output of the run begins
}

// maxSaid is the least number of bytes kept of the end of the output.
const maxSaid = 256 << 10

// lastWords bounds the wait for the end of a dead program's standard error: a process that it
// started may keep it open.
const lastWords = 100 * time.Millisecond

// listen returns a collector of output, and the end of the pipe for the program.
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
			s.drop(len(s.text) - maxSaid)
		}
		s.mu.Unlock()
	}
}

// drop discards the first n bytes.
func (s *said) drop(n int) {
	s.text = append(s.text[:0], s.text[n:]...)
	s.now = max(0, s.now-n)
}

// reset begins a run after one that did not fail, and discards the output of earlier runs.
func (s *said) reset() {
	s.mu.Lock()
	s.drop(s.now)
	s.now = len(s.text)
	s.mu.Unlock()
}

// lastWord matches the beginning of Go's message of why a program ends.
var lastWord = regexp.MustCompile(`(?m)^(panic|fatal error|runtime): `)

// last waits for the end of a program's output and returns it. A goroutine that outlives its
// run may have begun its failure message before that run was over.
func (s *said) last() []byte {
	_ = s.pipe.SetReadDeadline(time.Now().Add(lastWords))
	<-s.done
	if text := s.text[s.now:]; lastWord.Match(text) {
		return append([]byte(nil), text...)
	}
	return append([]byte(nil), s.text...)
}

// close ends collecting.
func (s *said) close() {
	s.pipe.Close()
	<-s.done
}
