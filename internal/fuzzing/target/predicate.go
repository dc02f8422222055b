package target

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// Predicate is a test of whether an input is interesting, by running a program on it. It may
// be used from several goroutines.
type Predicate struct {
	runner *Runner
	judge  func(*Result) (bool, error)
	// wantTimeout makes a timeout an answer, not an error.
	wantTimeout bool
	// follow and slowest (nanoseconds) are for FollowTimeout.
	follow  bool
	slowest atomic.Int64
}

// BrokenError is the error for a predicate script that answered neither yes nor no. Its exit
// code was 126 or 127, which shells use for commands that cannot be run, or a signal ended
// it.
type BrokenError struct {
	Script string
	Result *Result
	Hint   string
}

// Error is "script: what; what to do", with the last line the script printed.
func (e *BrokenError) Error() string {
	msg := fmt.Sprintf("%s: predicate ended with %v, which is neither yes nor no; %s", e.Script, e.Result, e.Hint)
	if line := lastLine(e.Result.Stderr); line != "" {
		msg += fmt.Sprintf(" (it printed: %s)", line)
	}
	return msg
}

// TimeoutError is the error for a predicate that did not answer in time. A reducer recognizes
// it by its method Timeout, takes it for "no", and may ask again with more time.
type TimeoutError struct {
	Program string
	Limit   time.Duration
}

// Error is "program: what; what to do".
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s: no answer within %v; give it more time", e.Program, e.Limit)
}

// Timeout is true, as in [net.Error].
func (e *TimeoutError) Timeout() bool { return true }

// scriptOutput is the number of bytes kept of a script's output, to explain failures.
const scriptOutput = 4 << 10

// NewScript returns a predicate for a script as C-Reduce and similar reducers use it. The
// script gets the candidate in three ways at once: on standard input, as the file $1, and in
// its working directory under the name cmd.Name. Exit code 0 says that the candidate is
// interesting. Any other code is "no", except 126 and 127, which are a [*BrokenError], as is
// death by a signal. A script that is missing, not executable or has a bad #! line is a
// [*ProgramError] here, before any run. With cmd.Feed FeedNamed, there is no $1, as for
// C-Reduce and Perses; else cmd.Feed is ignored. cmd.Output 0 keeps 4 KiB for messages.
func NewScript(cmd Command) (*Predicate, error) {
	if cmd.Feed != FeedNamed {
		cmd.Feed = FeedAll
	}
	if cmd.Output == 0 {
		cmd.Output = scriptOutput
	}
	r, err := New(cmd)
	if err != nil {
		return nil, err
	}
	p := &Predicate{runner: r}
	p.judge = func(res *Result) (bool, error) {
		if hint := brokenHint(res); hint != "" {
			return false, &BrokenError{Script: cmd.Args[0], Result: res, Hint: hint}
		}
		return res.Code == 0, nil
	}
	return p, nil
}

// brokenHint returns a hint for a script that gave no answer; "" if it gave one.
func brokenHint(res *Result) string {
	switch {
	case res.Kind == Signaled:
		return "let the script itself survive: run what may crash as a command in it and look at $?"
	case res.Code == 126:
		return "a command in it is not executable: check permissions and #! lines (chmod +x)"
	case res.Code == 127:
		return "a command in it was not found: check PATH, spelling and #! lines, " +
			"and give files by absolute paths, since it runs in a scratch folder"
	}
	return ""
}

// Test reports whether a candidate is interesting. It fits reducers as a
// func(context.Context, []byte) (bool, error). An error does not mean "no"; only a
// [*TimeoutError] may be taken for it.
func (p *Predicate) Test(ctx context.Context, candidate []byte) (bool, error) {
	yes, _, err := p.Ask(ctx, candidate)
	return yes, err
}

// Ask is like Test, but also returns the result of the run, nil if there was none.
func (p *Predicate) Ask(ctx context.Context, candidate []byte) (bool, *Result, error) {
	limit := p.Limit()
	res, err := p.runner.run(ctx, candidate, limit)
	if err != nil {
		return false, nil, err
	}
	if res.Kind == TimedOut && !p.wantTimeout {
		return false, res, &TimeoutError{Program: p.runner.args[0], Limit: limit}
	}
	yes, err := p.judge(res)
	if yes && res.Kind != TimedOut {
		p.noteWall(res.Wall)
	}
	return yes, res, err
}

// Close removes what [Command.Reuse] kept; see [Runner.Close].
func (p *Predicate) Close() error { return p.runner.Close() }

// The factor and the minimum of timeouts under FollowTimeout.
const (
	followFactor = 10
	followLeast  = time.Second
)

// FollowTimeout makes the timeout adapt to the runs. After the first "yes", it is ten times
// the slowest "yes" so far, at least a second and at most the command's own timeout. Call it
// before the first Test.
func (p *Predicate) FollowTimeout() { p.follow = true }

// Limit returns the timeout of the next run; 0 is none.
func (p *Predicate) Limit() time.Duration {
	most := p.runner.cmd.Timeout
	slowest := time.Duration(p.slowest.Load())
	if !p.follow || slowest == 0 {
		return most
	}
	limit := max(followFactor*slowest, followLeast)
	if most > 0 {
		limit = min(limit, most)
	}
	return limit
}

func (p *Predicate) noteWall(wall time.Duration) {
	for {
		old := p.slowest.Load()
		if int64(wall) <= old || p.slowest.CompareAndSwap(old, int64(wall)) {
			return
		}
	}
}

func lastLine(b []byte) string {
	s := strings.TrimSpace(string(b))
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}
