package gramtest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// childVariable is the environment variable that gives a child process its job.
const childVariable = "GRAMFUZZ_CHILD"

// job is the task of a child process: to run the property of one check on texts. Texts come on
// standard input, one line of JSON each. Each is answered by a line on standard output that
// begins with Token. The property may print anything in between.
type job struct {
	Test, Site, Token string
}

type question struct {
	Text    []byte
	Damaged bool
}

type answer struct {
	Kind, Type, Frame, Message, Stack, Logs string // Kind "" is a pass
}

// childJob returns the job of this process if it is a child.
func childJob() (*job, bool) {
	text := os.Getenv(childVariable)
	if text == "" {
		return nil, false
	}
	j := &job{}
	if err := json.Unmarshal([]byte(text), j); err != nil {
		return &job{}, true // a different version: it does nothing
	}
	return j, true
}

// child is the main loop of a child process: it answers until there are no more questions.
// Other checks than that of the job do nothing, so the child skips them.
func (r *runner) child(tb interface{ SkipNow() }, j *job) {
	if j.Test != r.tb.Name() || j.Site != r.site {
		return
	}
	r.c.timeout = 0 // the parent watches the time
	ctx := context.Background()
	dec := json.NewDecoder(os.Stdin)
	j.answer(&failure{kind: kindReady})
	for {
		var q question
		if err := dec.Decode(&q); err != nil {
			tb.SkipNow()
		}
		over := make(chan struct{})
		go r.guard(j, over)
		f, err := r.ask(ctx, q.Text, q.Damaged)
		close(over)
		switch {
		case err != nil:
			f = &failure{kind: kindError, message: err.Error()}
		case f == nil:
			f = &failure{}
		}
		j.answer(f)
	}
}

// guard ends the child when it uses too much memory.
func (r *runner) guard(j *job, over chan struct{}) {
	ticker := time.NewTicker(tick / 4)
	defer ticker.Stop()
	w := newWatch(r.c, func() uint64 { return 1 })
	for {
		select {
		case <-over:
			return
		case now := <-ticker.C:
			if f := w.look(now); f != nil {
				j.answer(f)
				panic(f.message) // nothing else stops the property
			}
		}
	}
}

func (j *job) answer(f *failure) {
	line, err := json.Marshal(answer{f.kind, f.typ, f.frame, f.message, f.stack, f.logs})
	if err != nil {
		panic(err) // plain strings
	}
	fmt.Fprintf(os.Stdout, "\n%s%s\n", j.Token, base64.StdEncoding.EncodeToString(line))
}

// childProcess is a child that runs the property, which may end the process.
type childProcess struct {
	r       *runner
	token   string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan *failure
	stderr  *head
	stdout  *head
}

// newChild returns a child process; it is started by the first question.
func (r *runner) newChild() (*childProcess, error) {
	if _, inside := childJob(); inside {
		return nil, errors.New("a child has no children")
	}
	return &childProcess{r: r, token: fmt.Sprintf("gramtest-child-%d-%d:", os.Getpid(), time.Now().UnixNano())}, nil
}

func (c *childProcess) start() error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	told, err := json.Marshal(job{c.r.tb.Name(), c.r.site, c.token})
	if err != nil {
		return err
	}
	c.cmd = exec.Command(exe, "-test.run="+pattern(c.r.tb.Name()), "-test.count=1", "-test.timeout=0")
	c.cmd.Env = append(os.Environ(), childVariable+"="+string(told))
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.stderr, c.stdout = &head{}, &head{}
	c.cmd.Stderr = c.stderr
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.answers = make(chan *failure)
	go c.read(out, c.answers)
	select {
	case f, answered := <-c.answers:
		if !answered || f.kind != kindReady {
			_, err := c.death(nil)
			if err == nil {
				err = errors.New("it died before the property was called")
			}
			return err
		}
	case <-time.After(startTime):
		c.close()
		return fmt.Errorf("it did not reach the call of gramtest (%s) within %v", c.r.site, startTime)
	}
	return nil
}

// kindReady is the first answer of a child, before any question.
const kindReady = "ready"

// startTime bounds the time in which a child reaches the check. It includes the code of the
// test before the check.
const startTime = time.Minute

// read forwards answers; it closes the channel when the child's output ends.
func (c *childProcess) read(out io.Reader, answers chan<- *failure) {
	defer close(answers)
	var line []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := out.Read(buf)
		for _, b := range buf[:n] {
			if b != '\n' {
				if len(line) < 1<<20 {
					line = append(line, b)
				}
				continue
			}
			if rest, ok := bytes.CutPrefix(line, []byte(c.token)); ok {
				if f := parseAnswer(rest); f != nil {
					answers <- f
				}
			} else {
				c.stdout.Write(append(line, '\n'))
			}
			line = line[:0]
		}
		if err != nil {
			return
		}
	}
}

func parseAnswer(line []byte) *failure {
	data, err := base64.StdEncoding.DecodeString(string(line))
	if err != nil {
		return nil
	}
	var a answer
	if json.Unmarshal(data, &a) != nil {
		return nil
	}
	return &failure{kind: a.Kind, typ: a.Type, frame: a.Frame, message: a.Message, stack: a.Stack, logs: a.Logs}
}

// ask is an asker: it runs the property on a text in the child, and starts a new child if the
// last one ended.
func (c *childProcess) ask(ctx context.Context, text []byte, damaged bool) (*failure, error) {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return nil, fmt.Errorf("no child process: %w", err)
		}
	}
	q, err := json.Marshal(question{text, damaged})
	if err != nil {
		return nil, err
	}
	var late <-chan time.Time
	if c.r.c.timeout > 0 {
		timer := time.NewTimer(c.r.c.timeout)
		defer timer.Stop()
		late = timer.C
	}
	c.in.Write(append(q, '\n')) // a child that has ended gives no answer either
	select {
	case f, answered := <-c.answers:
		if !answered {
			return c.death(text)
		}
		f.text = text
		if f.kind == kindMemory {
			c.close()
		}
		if f.kind == "" {
			return nil, nil
		}
		return f, nil
	case <-late:
		c.close()
		return &failure{kind: kindHang, text: text, message: "the property takes longer than " + c.r.c.timeout.String()}, nil
	case <-ctx.Done():
		c.close()
		return nil, ctx.Err()
	}
}

// death describes how a child ended without an answer.
func (c *childProcess) death(text []byte) (*failure, error) {
	c.in.Close()
	err := c.cmd.Wait()
	code := c.cmd.ProcessState.ExitCode()
	output := append(c.stderr.bytes(), c.stdout.bytes()...)
	c.cmd = nil
	if err == nil && code == 0 && !bytes.Contains(output, []byte("panic:")) {
		return nil, fmt.Errorf("the child process ended without an answer; does the test reach its call of gramtest (%s) every time?", c.r.site)
	}
	result := &target.Result{Kind: target.Exited, Code: code, Stderr: output}
	if code < 0 {
		result.Kind = target.Signaled
	}
	o := target.Classify(result)
	f := &failure{kind: kindDied, typ: string(o.Class) + " " + o.Detail, message: strings.TrimSpace(o.Message), text: text, stack: string(output)}
	if len(o.Frames) > 0 {
		f.frame = o.Frames[0].Func
	}
	if f.message == "" {
		f.message = "exit code " + strconv.Itoa(code)
	}
	return f, nil
}

// close ends the child.
func (c *childProcess) close() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	c.cmd.Process.Kill()
	go func(answers <-chan *failure) {
		for range answers { // drain the remaining answers
		}
	}(c.answers)
	c.cmd.Wait()
	c.cmd = nil
}

// head keeps the beginning of a stream.
type head struct {
	mu  sync.Mutex
	buf []byte
}

// headSize is the number of bytes kept: enough for the first goroutine of a long trace.
const headSize = 64 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf = append(h.buf, p[:min(len(p), headSize-len(h.buf))]...)
	return len(p), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Clone(h.buf)
}

// isolatedVariable makes a child run the check itself, without isolation.
const isolatedVariable = "GRAMFUZZ_ISOLATED"

// isolated runs the check in a child and, if that dies, the sentence that ended it.
func (r *runner) isolated() {
	r.tb.Helper()
	if os.Getenv(isolatedVariable) != "" {
		r.check()
		return
	}
	exe, err := os.Executable()
	if err != nil {
		r.tb.Fatalf("gramtest: no child process: %v", err)
	}
	cmd := exec.Command(exe, "-test.run="+pattern(r.tb.Name()), "-test.count=1", "-test.timeout=0", "-test.v")
	cmd.Env = append(os.Environ(), isolatedVariable+"=1")
	out := &head{}
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	if err == nil {
		r.tb.Logf("gramtest: in a child process:\n%s", out.bytes())
		return
	}
	if seed, index, ok := leftover(r.key()); ok && r.post(context.Background(), seed, index) {
		return
	}
	r.tb.Errorf("gramtest: in a child process (%v):\n%s", err, out.bytes())
}
