package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// hangs is the time limit for one input. An input that exceeds it is judged alone.
const hangs = 2 * time.Second

// hangsLater is the time limit while hangs are not judged, so that a version that hangs often does
// not use up the time of the hunt.
const hangsLater = 200 * time.Millisecond

// mostAtOnce is the maximum number of inputs sent together. bytesAtOnce is about their maximum total
// length, which fits into a pipe.
const (
	mostAtOnce  = 64
	bytesAtOnce = 32 << 10
)

// served runs inputs in a process, and in a new process after one has ended.
type served struct {
	program string
	limit   time.Duration
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer
	stderr  *tail
	message []byte
}

// answer is the key of an input's failure, or "" if it did not fail, and the time that the input
// took. The time is the limit if the input ended the process.
type answer struct {
	key  string
	took time.Duration
}

// tail keeps the last output of a process.
type tail struct{ buf []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if len(t.buf) > 1<<20 {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-1<<19:]...)
	}
	return len(p), nil
}

func (s *served) start() error {
	s.cmd = exec.Command(s.program, "serve")
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.stderr = &tail{}
	s.cmd.Stderr = s.stderr
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.in, s.answers = in, make(chan answer, mostAtOnce)
	go func(answers chan<- answer) {
		defer close(answers)
		in := bufio.NewReader(out)
		for {
			var head [8]byte
			if _, err := io.ReadFull(in, head[:]); err != nil {
				return
			}
			key := make([]byte, binary.LittleEndian.Uint32(head[4:]))
			if _, err := io.ReadFull(in, key); err != nil {
				return
			}
			took := time.Duration(binary.LittleEndian.Uint32(head[:])) * time.Microsecond
			answers <- answer{masked(string(key)), took}
		}
	}(s.answers)
	return nil
}

// ask runs one input.
func (s *served) ask(input []byte) (answer, error) {
	answers, err := s.send([][]byte{input})
	switch {
	case err != nil:
		return answer{}, err
	case len(answers) == 1:
		return answers[0], nil
	case s.cmd == nil:
		return answer{"hang", s.limit}, nil
	}
	s.cmd.Wait()
	o := target.Classify(&target.Result{Kind: target.Exited, Code: max(1, s.cmd.ProcessState.ExitCode()), Stderr: s.stderr.buf})
	s.cmd = nil
	return answer{"died: " + masked(o.Signature()), s.limit}, nil
}

// askAll runs inputs in order. It sends them together, since switching processes can cost as much
// as running an input. If an input ends the process or hangs, the unanswered inputs are run one by
// one up to that input, and then the rest together again.
func (s *served) askAll(inputs [][]byte) ([]answer, error) {
	answers, err := s.send(inputs)
	if err == nil && len(answers) < len(inputs) {
		s.close()
	}
	for err == nil && len(answers) < len(inputs) {
		var one answer
		one, err = s.ask(inputs[len(answers)])
		answers = append(answers, one)
		if s.cmd == nil && err == nil {
			var rest []answer
			rest, err = s.askAll(inputs[len(answers):])
			return append(answers, rest...), err
		}
	}
	return answers, err
}

// send runs inputs and returns the answers received. There are fewer answers than inputs if the
// process ended, or if no answer came within the limit. In the latter case send ends the process.
func (s *served) send(inputs [][]byte) (answers []answer, err error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return nil, err
		}
	}
	s.message = s.message[:0]
	for _, input := range inputs {
		s.message = binary.LittleEndian.AppendUint32(s.message, uint32(len(input)))
		s.message = append(s.message, input...)
	}
	s.in.Write(s.message) // if the process is gone, the answers are missing, too
	timer := time.NewTimer(s.limit)
	defer timer.Stop()
	for len(answers) < len(inputs) {
		select {
		case a, alive := <-s.answers:
			if !alive {
				return answers, nil
			}
			answers = append(answers, a)
			timer.Reset(s.limit)
		case <-timer.C:
			s.close()
			return answers, nil
		}
	}
	return answers, nil
}

// pid returns the running process, 0 for none.
func (s *served) pid() int {
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

func (s *served) close() {
	if s.cmd == nil {
		return
	}
	s.in.Close()
	s.cmd.Process.Kill()
	s.cmd.Wait()
	s.cmd = nil
}

var variable = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|0x[0-9a-fA-F]+|[0-9]+`)

// masked replaces the parts of a message that vary between inputs: numbers and quoted texts. The
// frame keeps its line number.
func masked(key string) string {
	at := strings.LastIndex(key, " at ")
	if at < 0 {
		return variable.ReplaceAllString(key, "#")
	}
	return variable.ReplaceAllString(key[:at], "#") + key[at:]
}
