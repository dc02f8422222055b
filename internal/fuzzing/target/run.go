package target

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// The reasons why we ended a run.
const (
	notEnded int32 = iota
	endedByTimeout
	endedByContext
	endedByMemory
	endedByProcesses
)

// Run runs the program on input, to its end or the timeout. Then it kills the process group
// and removes the scratch folder. Every run that was started has a result, however it ended.
// The error is that of ctx if ctx is done first (the program is gone at most 100 ms later), a
// [*ScratchError], or a [*ProgramError] if the program can no longer be started.
func (r *Runner) Run(ctx context.Context, input []byte) (*Result, error) {
	return r.run(ctx, input, r.cmd.Timeout)
}

func (r *Runner) run(ctx context.Context, input []byte, timeout time.Duration) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o, err := r.openRoom()
	if err != nil {
		return nil, err
	}
	defer r.doneRoom(o)
	place, err := r.makeScratch(o, input)
	if err != nil {
		return nil, err
	}
	defer r.doneScratch(o, place)
	dir := place.dir
	s, err := r.openStreams(input)
	if err != nil {
		return nil, &ScratchError{dir, err}
	}
	defer pinThread()()
	begin := time.Now()
	p, err := startProcess(o.cage, r.path, r.argv(place.file), r.runEnv(dir), dir, s.files())
	if err != nil {
		s.abandon()
		return nil, startError(r.args[0], err)
	}
	s.start()
	SetLimits(p.pid, r.cmd.Memory, r.cmd.Bounds)

	var reason atomic.Int32
	stop := r.watch(ctx, p, o.cage, timeout, &reason)
	state, err := p.wait(s)
	stop()
	wall := time.Since(begin)
	strays, struck, tasks := o.cage.Clean(p.pid, dir)
	s.finish()
	if reason.Load() == endedByContext {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: waiting for it: %w", r.args[0], err)
	}
	res := &Result{Wall: wall, Strays: strays, Scratch: dir, Memory: r.cmd.Memory, Limit: r.cmd.Resident, Processes: r.cmd.Processes}
	res.describe(state, reason.Load())
	if struck == Crowded {
		res.Kind, res.Processes, res.Threads = struck, tasks, true
	} else if struck == Overgrown && reason.Load() == notEnded {
		res.Kind = struck
	}
	s.fill(res)
	if r.cmd.Labels {
		res.Labels = takeLabels(dir)
	}
	return res, nil
}

// watch ends p when its time is up, when it exceeds a limit, or when ctx is done. The returned
// function stops watching.
func (r *Runner) watch(ctx context.Context, p *process, cage *Cage, timeout time.Duration, reason *atomic.Int32) func() {
	end := func(why int32, grace time.Duration) {
		if !reason.CompareAndSwap(notEnded, why) {
			return
		}
		if grace > 0 {
			p.terminate()
			time.AfterFunc(grace, p.kill)
			return
		}
		p.kill()
	}
	stopContext := context.AfterFunc(ctx, func() {
		end(endedByContext, min(r.cmd.Grace, DefaultGrace))
	})
	stopResident := func() {}
	if r.cmd.Resident > 0 || r.cmd.Processes > 0 {
		limit := func() Kind { return r.cmd.Exceeded(p.pid, cage, r.cmd.Resident) }
		stopResident = watchLimit(limit, func(how Kind) {
			if how == Crowded {
				end(endedByProcesses, 0)
			} else {
				end(endedByMemory, 0)
			}
		})
	}
	stopTimer := func() bool { return true }
	if timeout > 0 {
		stopTimer = time.AfterFunc(timeout, func() { end(endedByTimeout, r.cmd.Grace) }).Stop
	}
	return func() {
		stopContext()
		stopResident()
		stopTimer()
	}
}

// runEnv returns the environment of one run.
func (r *Runner) runEnv(dir string) []string {
	env := make([]string, 0, len(r.env)+4)
	env = append(env, MarkVariable+"="+dir, "TMPDIR="+dir, "PWD="+dir)
	if r.cmd.Labels {
		env = append(env, LabelsVariable+"="+filepath.Join(dir, labelsName))
	}
	return append(env, r.env...)
}

// describe fills in how the program ended.
func (r *Result) describe(state *os.ProcessState, reason int32) {
	r.User, r.System = state.UserTime(), state.SystemTime()
	r.MaxRSS = maxRSS(state)
	status, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case reason == endedByTimeout:
		r.Kind = TimedOut
	case reason == endedByMemory:
		r.Kind = Overgrown
	case reason == endedByProcesses:
		r.Kind = Crowded
	case ok && status.Signaled():
		r.Kind, r.Signal = Signaled, status.Signal()
	default:
		r.Code = state.ExitCode()
	}
}

// startError returns the error for a checked program that did not start.
func startError(name string, err error) error {
	var caged *CageError
	if errors.As(err, &caged) {
		return err
	}
	e := &ProgramError{Program: name, Err: err}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		e.Problem = errno.Error()
	} else {
		e.Problem = err.Error()
	}
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		e.Hint = "it is for another machine, or a script without a #! line"
	case errors.Is(err, os.ErrNotExist):
		e.Hint = "it, its interpreter or its loader is gone"
	case errors.Is(err, os.ErrPermission):
		e.Hint = "make it executable: chmod +x " + name
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		e.Hint = "the system has no room for another process; run fewer at once"
	case errors.Is(err, syscall.E2BIG):
		e.Hint = "the arguments are too long"
	default:
		e.Hint = "try to run it by hand"
	}
	return e
}
