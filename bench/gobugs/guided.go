package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gofunc"
	"github.com/gramfuzz/gramfuzz/stream"
)

// guided is the name of the strategy of campaigns.
const guided = "guided"

// huntGuided is hunt for a campaign with --go and a guide. Failing inputs are judged as in hunt.
func huntGuided(ctx context.Context, b *bug, seed uint64, l budget) (*result, error) {
	program, err := buildGuided(ctx, b)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "gobugs-guided-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	cmd := target.Command{Args: []string{program}, Timeout: b.limit(), Scratch: scratch}
	r := &result{}
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &judging{result: r, bug: b, seen: map[string]int{}, cancel: cancel, began: cpuTime(), limit: l.time}
	c, err := campaign.New(running, b.g, campaign.Options{
		Dir: filepath.Join(scratch, "findings"), Seed: seed, Guide: "cover", Damage: stream.DefaultDamage,
		Runs: uint64(l.inputs), ShrinkTime: -1,
		Drive: func(ctx context.Context) (_ campaign.Driver, err error) {
			w.Driver, err = campaign.ByGo(cmd)(ctx)
			return w, err
		},
	})
	if err != nil {
		return nil, err
	}
	if _, err := c.Run(running); err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	if w.err != nil || !r.found {
		return r, errors.Join(w.err, ctx.Err())
	}
	return r, r.shrinkAlone(ctx, b)
}

var errNoEdges = errors.New("the toolchain has no edges here")

// requirement matches a direct requirement in a go.mod.
var requirement = regexp.MustCompile(`(?m)^(?:require )?\t?(\S+) v\S+$`)

// buildGuided builds the case's function with counters for the edges of the modules that it is
// about.
func buildGuided(ctx context.Context, b *bug) (string, error) {
	out := filepath.Join(b.cache, b.name+".guided")
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	files, err := caseFiles(b.dir, "go")
	if err != nil {
		return "", err
	}
	dir, err := scratchModule(files)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	var watch []string
	for _, m := range requirement.FindAllSubmatch(files["go.mod"], -1) {
		watch = append(watch, string(m[1])+"/...")
	}
	p, err := gofunc.Build(ctx, gofunc.Options{Func: "Target", Dir: dir, Watch: watch, Out: out})
	if err == nil && !p.Edges {
		err = fmt.Errorf("%s: %w", b.name, errNoEdges)
	}
	return out, err
}

// judging is a driver around another. It judges the texts that fail. When the bug is found or the
// time is over, it ends the campaign.
type judging struct {
	campaign.Driver
	*result
	bug    *bug
	seen   map[string]int
	text   []byte
	cancel func()
	began  time.Duration
	timed  time.Time // when the CPU time was last read
	limit  time.Duration
	err    error
}

// Unwrap returns the driver that records comparisons.
func (w *judging) Unwrap() campaign.Driver { return w.Driver }

// Begin implements campaign.Starter.
func (w *judging) Begin(ctx context.Context, text []byte) error {
	w.text = append(w.text[:0], text...)
	return w.Driver.(campaign.Starter).Begin(ctx, text)
}

// End implements campaign.Starter.
func (w *judging) End(ctx context.Context) (*campaign.Ran, error) {
	ran, err := w.Driver.(campaign.Starter).End(ctx)
	if err == nil {
		w.judge(ctx, ran)
	}
	return ran, err
}

// Run implements campaign.Driver.
func (w *judging) Run(ctx context.Context, text []byte) (*campaign.Ran, error) {
	if err := w.Begin(ctx, text); err != nil {
		return nil, err
	}
	return w.End(ctx)
}

func (w *judging) judge(ctx context.Context, ran *campaign.Ran) {
	if w.found || w.err != nil {
		return
	}
	w.inputs++
	late := ran.Outcome.Class == target.Timeout && !w.bug.hangs()
	if key := ran.Outcome.Signature(); ran.Outcome.Failed() && !late && worthJudging(w.seen, key) {
		w.err = w.settle(context.WithoutCancel(ctx), w.bug, bytes.Clone(w.text), w.seen[key] == 1)
	}
	if ended := w.found || w.err != nil; ended || time.Since(w.timed) > 250*time.Millisecond {
		w.took, w.timed = cpuTime(children()...)-w.began, time.Now()
		if ended || w.took >= w.limit {
			w.cancel()
		}
	}
}

// children returns the processes that this one has begun and not waited for.
func children() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path)
		// The parent is the second field after the name, which is in parentheses.
		if f := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]); len(f) > 1 && string(f[1]) == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}
