package afl

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// watchdog kills processes that take too long. The driver reads the fork server's pipe with
// plain blocking reads, so a run sets no timers and wakes no goroutines. The watchdog checks
// periodically, and a kill ends the read.
type watchdog struct {
	quit, gone chan struct{}
	direct     bool // the server runs the inputs itself and can print its stack

	mu       sync.Mutex
	ctx      context.Context // nil: nothing is watched
	deadline time.Time
	cage     *target.Cage // of the fork server
	server   int          // the fork server
	pid      int          // the process that it runs; 0: not known
	struck   bool         // a process was killed
	large    target.Kind  // the exceeded limit, if that was the reason
	opt      Options
	looks    int // the number of checks of this run
}

// watchEvery is the longest interval between two checks: a run may exceed its limit by that.
const watchEvery = 20 * time.Millisecond

// newWatchdog returns a watchdog for time limits not much shorter than the timeout.
func newWatchdog(opt Options) *watchdog {
	w := &watchdog{quit: make(chan struct{}), gone: make(chan struct{}), direct: opt.Direct, opt: opt}
	go w.watch(max(min(watchEvery, opt.Timeout/8), time.Millisecond))
	return w
}

func (w *watchdog) watch(every time.Duration) {
	defer close(w.gone)
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-w.quit:
			return
		case now := <-t.C:
			w.look(now)
		}
	}
}

// look kills a run that is over time or whose context is done. It kills the process that is
// run; if that is not known or does not help, it kills the fork server with it.
func (w *watchdog) look(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil || now.Before(w.deadline) && w.ctx.Err() == nil && !w.overgrown() {
		return
	}
	switch {
	case w.large == target.Crowded, w.large != target.Exited && w.direct:
		_ = unix.Kill(-w.server, unix.SIGKILL)
	case w.direct && !w.struck && w.ctx.Err() == nil:
		_ = unix.Tgkill(w.server, w.server, unix.SIGQUIT) // mostly the thread that runs the input, so Go shows its stack
	case w.pid > 0 && !w.struck:
		_ = unix.Kill(w.pid, unix.SIGKILL)
	default:
		_ = unix.Kill(-w.server, unix.SIGKILL)
	}
	w.struck = true
	w.ctx, w.deadline = context.Background(), now.Add(deathTimeout)
}

// residentEvery is the number of checks of a run for each check of its memory and processes.
const residentEvery = 3

// overgrown reports whether the process that is run, or the fork server with all others,
// exceeds a limit.
func (w *watchdog) overgrown() bool {
	pid := w.pid
	if w.direct {
		pid = w.server
	}
	w.looks++
	if pid == 0 || w.struck || w.looks%residentEvery != 0 {
		return false
	}
	w.large = w.opt.Exceeded(w.server, w.cage, 0)
	if w.large == target.Exited {
		w.large = target.Bounds{}.Exceeded(pid, nil, w.opt.Resident)
	}
	return w.large != target.Exited
}

// arm begins to watch.
func (w *watchdog) arm(ctx context.Context, cage *target.Cage, server int, limit time.Duration) {
	w.mu.Lock()
	w.ctx, w.deadline, w.cage, w.server = ctx, time.Now().Add(limit), cage, server
	w.pid, w.struck, w.large, w.looks = 0, false, target.Exited, 0
	w.mu.Unlock()
}

// runs sets the process that is run.
func (w *watchdog) runs(pid int) {
	w.mu.Lock()
	w.pid = pid
	w.mu.Unlock()
}

// disarm ends watching. It reports whether a process was killed, and the limit that it
// exceeded, if that was the reason.
func (w *watchdog) disarm() (struck bool, large target.Kind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ctx = nil
	return w.struck, w.large
}

// close ends the watchdog.
func (w *watchdog) close() {
	close(w.quit)
	<-w.gone
}
