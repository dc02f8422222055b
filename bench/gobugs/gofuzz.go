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

	"github.com/gramfuzz/gramfuzz/internal/corpus"
	"github.com/gramfuzz/gramfuzz/stream"
)

//go:embed gofuzz_test.go.txt
var fuzzTest []byte

// goFuzz is the name of the strategy that is Go's own fuzzing: raw bytes, guided by
// coverage, from sentences of the grammar as seeds. Its engine runs the target
// itself, so that it is no stream.
const goFuzz = "gofuzz"

// fuzzSeeds is the number of sentences that it begins with.
const fuzzSeeds = 200

// huntGoFuzz is hunt for Go's own fuzzing. Its time is that of the clock, for its
// processes are not ours to measure: give it a core of its own. The engine has no
// seed; that of the hunt chooses the sentences.
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
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	a, err := process.ask(r.input)
	if err != nil {
		return nil, err
	}
	return r, r.shrink(ctx, b, nil, a.key)
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

// writeSeeds draws the seeds and runs each: one that fails may be the bug, and is no
// seed, for the engine would end with it.
func (r *result) writeSeeds(ctx context.Context, b *bug, seed uint64, dir string) error {
	process := &served{program: b.old, limit: hangs}
	defer process.close()
	s, err := (&stream.Plan{Strategy: stream.Mixed, Seed: seed}).Open(ctx, b.g, stream.Options{})
	if err != nil {
		return err
	}
	src := s.Source()
	for i := range uint64(fuzzSeeds) {
		text, err := src.Append(ctx, nil, 7*i) // some of each generator
		if err != nil {
			return err
		}
		a, err := process.ask(text)
		if err != nil {
			return err
		}
		r.inputs++
		if a.key != "" {
			if err := r.settle(ctx, b, text); err != nil || r.found {
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

// fuzzOnce runs the engine for a time, or until it finds the bug or ends with an
// input that ended its process.
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

// fuzzFinds judges the finds since the last call and, once the engine has ended, the
// inputs that ended it.
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
		if err := r.settle(ctx, b, data); err != nil || r.found {
			return err
		}
	}
	return nil
}

// settle judges an input that fails.
func (r *result) settle(ctx context.Context, b *bug, text []byte) error {
	v, err := b.judge(ctx, text)
	switch v {
	case another:
		r.others++
	case this:
		r.found, r.input = true, text
	}
	return err
}
