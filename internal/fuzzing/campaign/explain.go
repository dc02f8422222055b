package campaign

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Explain looks again at a failure that showed no stack, and returns it with the stack if it sees
// one.
type Explain func(ctx context.Context, text []byte, o target.Outcome) (target.Outcome, error)

// Explained runs a command again in gdb where a failure shows no stack; or runs another build of
// it with a sanitizer, which reports failures by itself, if there is one. It returns nil if there
// is neither.
func Explained(cmd target.Command, sanitized []string) (Explain, error) {
	if len(sanitized) > 0 {
		cmd.Args, cmd.Sanitizers, cmd.Memory = sanitized, true, 0
		r, err := target.New(cmd)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, text []byte, o target.Outcome) (target.Outcome, error) {
			res, err := r.Run(ctx, text)
			if err != nil {
				return o, err
			}
			if seen := target.ClassifyInput(res, text); seen.Failed() && !seen.Unexplained() && seen.Class != target.Timeout {
				o = seen
			}
			return o, nil
		}, nil
	}
	d, err := target.NewDebugger(cmd)
	if errors.Is(err, target.ErrNoDebugger) {
		return nil, nil
	}
	return func(ctx context.Context, text []byte, o target.Outcome) (target.Outcome, error) {
		frames, err := d.Frames(ctx, text)
		o.Frames = frames
		return o, err
	}, err
}

// The least number of failures with the same stackless signature that are looked at; later ones
// only while that takes less than this share of the time.
const (
	explainFirst = 32
	explainShare = 10 // a tenth
)

// explainer decides which failures are looked at again. The zero value looks at none, and returns
// them unchanged.
type explainer struct {
	explain Explain
	began   time.Time

	mu     sync.Mutex
	spent  time.Duration
	looked map[string]int // by signature without a stack
	passed uint64         // failures that were not looked at
}

func (e *explainer) begin(how Explain) {
	e.explain, e.began, e.looked = how, time.Now(), map[string]int{}
}

// of returns a failure with its stack, if one can be found. Unless always is set, looked is false
// for failures that are skipped, since others of the same signature took too much time already.
func (e *explainer) of(ctx context.Context, text []byte, o target.Outcome, always bool) (_ target.Outcome, looked bool, err error) {
	if e.explain == nil || !o.Unexplained() {
		return o, true, nil
	}
	key, begin := o.Key(), time.Now()
	e.mu.Lock()
	e.looked[key]++
	if !always && e.looked[key] > explainFirst && e.spent > begin.Sub(e.began)/explainShare {
		e.passed++
		e.mu.Unlock()
		return o, false, nil
	}
	e.mu.Unlock()
	o, err = e.explain(ctx, text, o)
	e.mu.Lock()
	e.spent += time.Since(begin)
	e.mu.Unlock()
	return o, true, err
}
