package afl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// deathTimeout bounds the time until the fork server reports the end of a killed process.
const deathTimeout = 2 * time.Second

// Run runs the program on input. A crash or timeout is a result. A program in persistent mode
// that reached the end of its loop has exit code 0. If the fork server itself fails, the error
// is a [*ServerError], and the next Run starts another server. If ctx is done, the error is
// that of ctx. The next run may overwrite the result.
func (d *Driver) Run(ctx context.Context, input []byte) (*target.Result, error) {
	if err := d.Begin(ctx, input); err != nil {
		return nil, err
	}
	return d.End()
}

// Begin is the first half of Run: it starts the run and does not wait for its end. [Driver.End]
// must be called after every Begin without an error. The caller may change input after Begin.
func (d *Driver) Begin(ctx context.Context, input []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.coverage == nil {
		return errors.New("the driver is closed; start another")
	}
	if len(input) > d.opt.MaxInput {
		return fmt.Errorf("input of %d bytes is longer than %d; raise MaxInput", len(input), d.opt.MaxInput)
	}
	if d.server == nil {
		if err := d.start(ctx); err != nil {
			return err
		}
	}
	if err := d.feed(input); err != nil {
		return err
	}
	clear(d.Map())
	d.ctx, d.begun = ctx, time.Now()
	d.dog.arm(ctx, d.cage, d.server.Pid, d.opt.Timeout)
	killed := d.killed
	d.killed = 0
	// A direct program that is gone died after its last run; End reports it.
	if err := (link{d.status, d.control}).writeWord(killed); err != nil && !d.opt.Direct {
		d.dog.disarm()
		return d.gone(err)
	}
	return nil
}

// End is the second half of Run. The next one may overwrite its result.
func (d *Driver) End() (*target.Result, error) {
	status, err := d.await()
	struck, large := d.dog.disarm()
	wall := time.Since(d.begun)
	if ctxErr := d.ctx.Err(); ctxErr != nil && (struck || err != nil) {
		if err != nil {
			d.stop()
		}
		d.killed = 1
		return nil, ctxErr
	}
	if err != nil && !d.opt.Direct {
		return nil, d.gone(err)
	}
	if err != nil || struck && d.opt.Direct {
		res := d.ended()
		res.Wall = wall
		if struck {
			res.Kind = ended(large)
		}
		res.Limit, res.Processes = d.opt.Resident, d.opt.Processes
		d.stop()
		return res, nil
	}
	if d.said != nil {
		d.said.reset() // later output belongs to the next run
	}
	res := &d.result
	*res = target.Result{Wall: wall, Memory: d.opt.Memory, Limit: d.opt.Resident, Processes: d.opt.Processes, Scratch: d.dir}
	switch {
	case struck:
		d.killed = 1
		res.Kind = ended(large)
	case status.Signaled():
		res.Kind, res.Signal = target.Signaled, status.Signal()
	case status.Exited():
		res.Code = status.ExitStatus()
	}
	return res, nil
}

// ended returns the kind of a run that the watchdog ended.
func ended(large target.Kind) target.Kind {
	if large != target.Exited {
		return large
	}
	return target.TimedOut
}

// Running reports whether the fork server is running. A direct program that died in the last
// run is not.
func (d *Driver) Running() bool { return d.server != nil }

// gone ends a fork server that does not answer.
func (d *Driver) gone(err error) error {
	d.stop()
	return &ServerError{d.opt.Args[0], "the fork server is gone: " + err.Error(),
		"the program may have killed its parent or used up the memory; run this input by hand", err}
}

// await reads the fork server's messages about a run: the number of the process, and later its
// wait status. Often both are there at the first read.
func (d *Driver) await() (syscall.WaitStatus, error) {
	var b [8]byte
	for n := 0; n < len(b); {
		k, err := d.status.Read(b[n:])
		if err != nil {
			return 0, err
		}
		n += k
		if n < 4 || n == len(b) {
			continue
		}
		pid := int32(binary.NativeEndian.Uint32(b[:]))
		if pid <= 1 {
			return 0, fmt.Errorf("it gave %d as a process number", pid)
		}
		d.dog.runs(int(pid))
	}
	return syscall.WaitStatus(binary.NativeEndian.Uint32(b[4:])), nil
}
