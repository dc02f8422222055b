package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	_ "embed"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
	"github.com/gramfuzz/gramfuzz/stream"
)

//go:embed gofuzz_test.go.txt
var fuzzTest []byte

// goFuzz is the name of the strategy of Go's own fuzzing: coverage-guided mutation of raw bytes,
// with sentences of the grammar as seeds. The engine runs the target itself, so this strategy has
// no stream.
const goFuzz = "gofuzz"

// fuzzSeeds is the number of seeds of goFuzz.
const fuzzSeeds = 200

// huntGoFuzz is hunt for Go's own fuzzing. Its time is elapsed time, since the CPU time of the
// engine's processes cannot be measured here. So it needs a core of its own. The engine has no
// seed; the seed of the hunt determines the sentences.
func huntGoFuzz(ctx context.Context, b *bug, seed uint64, l budget) (*result, error) {
	program, err := buildFuzz(ctx, b)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "gobugs-fuzz-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	for _, name := range []string{"seeds", "finds", "cache"} {
		if err := os.Mkdir(filepath.Join(scratch, name), 0o777); err != nil {
			return nil, err
		}
	}
	r := &result{}
	began := time.Now()
	if err := r.writeSeeds(ctx, b, seed, filepath.Join(scratch, "seeds")); err != nil {
		return nil, err
	}
	r.took = time.Since(began)
	for r.took < l.time && !r.found && ctx.Err() == nil {
		if err := r.fuzzOnce(ctx, b, program, scratch, l.time-r.took); err != nil {
			return nil, err
		}
		r.took = time.Since(began)
	}
	if !r.found {
		return r, ctx.Err()
	}
	return r, r.shrinkAlone(ctx, b)
}

// buildFuzz builds the test of a case with the counters that the engine needs.
func buildFuzz(ctx context.Context, b *bug) (string, error) {
	files, err := caseFiles(b.dir, "go")
	if err != nil {
		return "", err
	}
	files["gofuzz_test.go"] = fuzzTest
	return buildFiles(ctx, files, filepath.Join(b.cache, b.name+".fuzz"), "test", "-c", "-fuzz=FuzzTarget")
}

// writeSeeds draws the seeds and runs each. A sentence that fails may show the bug. It is not used
// as a seed, because the engine would end with it.
func (r *result) writeSeeds(ctx context.Context, b *bug, seed uint64, dir string) error {
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: seed}).Open(ctx, b.g, stream.Options{})
	if err != nil {
		return err
	}
	src := s.Source()
	for i := range uint64(fuzzSeeds) {
		text, err := src.Append(ctx, nil, 7*i) // so that each generator has some
		if err != nil {
			return err
		}
		a, err := process.ask(text)
		if err != nil {
			return err
		}
		r.inputs++
		if a.key != "" {
			if err := r.settle(ctx, b, text, true); err != nil || r.found {
				return err
			}
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, strconv.FormatUint(i, 10)), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

var execs = regexp.MustCompile(`execs: ([0-9]+)`)

// fuzzOnce runs the engine until the time is over, the bug is found, or an input ends the engine's
// process.
func (r *result) fuzzOnce(ctx context.Context, b *bug, program, scratch string, left time.Duration) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.fuzz=^FuzzTarget$", "-test.fuzztime="+left.String(),
		"-test.parallel=1", "-test.fuzzminimizetime=0", "-test.fuzzcachedir="+filepath.Join(scratch, "cache"))
	cmd.Dir = scratch
	cmd.Env = append(os.Environ(), "GOBUGS_SEEDS="+filepath.Join(scratch, "seeds"), "GOBUGS_FINDS="+filepath.Join(scratch, "finds"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	ended, err := false, error(nil)
	for !ended && !r.found && err == nil {
		select {
		case <-done:
			ended = true
		case <-time.After(50 * time.Millisecond):
		}
		err = r.fuzzFinds(context.WithoutCancel(ctx), b, scratch, ended)
	}
	cancel()
	<-done
	if all := execs.FindAllSubmatch(out.Bytes(), -1); len(all) > 0 {
		n, _ := strconv.Atoi(string(all[len(all)-1][1]))
		r.inputs += n
	} else if err == nil && !r.found && !strings.Contains(out.String(), "fuzz: ") {
		err = fmt.Errorf("the test of the case fails:\n%s", &out)
	}
	return err
}

// fuzzFinds judges the inputs found since the last call and, once the engine has ended, the inputs
// that ended it.
func (r *result) fuzzFinds(ctx context.Context, b *bug, scratch string, ended bool) error {
	names, err := filepath.Glob(filepath.Join(scratch, "finds", "*.find"))
	if err != nil {
		return err
	}
	if ended {
		crashes, err := filepath.Glob(filepath.Join(scratch, "testdata", "fuzz", "FuzzTarget", "*"))
		if err != nil {
			return err
		}
		names = append(names, crashes...)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.Remove(name); err != nil {
			return err
		}
		if filepath.Ext(name) != ".find" {
			values, err := corpus.ParseFuzz(name, data)
			if err != nil {
				return err
			}
			data = values[0]
		}
		if err := r.settle(ctx, b, data, true); err != nil || r.found {
			return err
		}
	}
	return nil
}

// settle judges a failing input and records the verdict. Another bug counts if it is the first of
// its kind.
func (r *result) settle(ctx context.Context, b *bug, text []byte, first bool) error {
	v, err := b.judge(ctx, text)
	switch v {
	case another:
		if first {
			r.others++
		}
	case this:
		r.found, r.input = true, text
	}
	return err
}
