package afl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/target"
)

// deathTimeout is how long the fork server may take to tell the end of a
// process that was killed.
const deathTimeout = 2 * time.Second

// Run runs the program on input. A crash or timeout is a result; a program in
// persistent mode that came to the end of its loop has exit code 0. When the
// fork server itself fails the error is a [*ServerError], and the next Run
// starts another. When ctx is done the error is its own.
func (d *Driver) Run(ctx context.Context, input []byte) (*target.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.coverage == nil {
		return nil, errors.New("the driver is closed; start another")
	}
	if len(input) > d.opt.MaxInput {
		return nil, fmt.Errorf("input of %d bytes is longer than %d; raise MaxInput", len(input), d.opt.MaxInput)
	}
	if d.server == nil {
		if err := d.start(ctx); err != nil {
			return nil, err
		}
	}
	if err := d.feed(input); err != nil {
		return nil, err
	}
	clear(d.Map())
	begin := time.Now()
	status, timedOut, err := d.runOnce(ctx)
	if ctxErr := ctx.Err(); ctxErr != nil && (timedOut || err != nil) {
		return nil, ctxErr
	}
	if err != nil {
		d.stop()
		return nil, &ServerError{d.opt.Args[0], "the fork server is gone: " + err.Error(),
			"the program may have killed its parent or used up the memory; run this input by hand", err}
	}
	res := &target.Result{Wall: time.Since(begin), Memory: d.opt.Memory, Scratch: d.dir}
	switch {
	case timedOut:
		res.Kind = target.TimedOut
	case status.Signaled():
		res.Kind, res.Signal = target.Signaled, status.Signal()
	case status.Exited():
		res.Code = status.ExitStatus()
	}
	return res, nil
}

// runOnce has the fork server run one process, and kills that when time is up.
func (d *Driver) runOnce(ctx context.Context) (status syscall.WaitStatus, killed bool, err error) {
	l := link{d.status, d.control}
	if err := l.writeWord(d.killed); err != nil {
		return 0, false, err
	}
	d.killed = 0
	stop := d.interruptible(ctx, d.opt.Timeout)
	pid, err := l.readWord()
	if err != nil {
		stop()
		d.stop() // no process to kill and no place in the talk: begin anew
		return 0, false, err
	}
	if int32(pid) <= 1 {
		stop()
		return 0, false, fmt.Errorf("it gave %d as a process number", int32(pid))
	}
	word, err := l.readWord()
	stop()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return syscall.WaitStatus(word), false, err
	}
	_ = unix.Kill(int(pid), unix.SIGKILL)
	d.killed = 1
	_ = d.status.SetReadDeadline(time.Now().Add(deathTimeout))
	word, err = l.readWord()
	return syscall.WaitStatus(word), true, err
}
