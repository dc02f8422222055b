package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	_ "embed"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/load"
)

//go:embed server.go.txt
var server []byte

// bug is one case with its built programs.
type bug struct {
	name      string
	g         *grammar.Grammar
	crasher   []byte
	signature []*regexp.Regexp // all must match; empty for a hang
	old       string           // paths of both programs
	fixed     string
	cache     string
	dir       string
}

// prepare reads a case and builds its programs. They stay in the folder cache.
func prepare(ctx context.Context, dir, cache string) (*bug, error) {
	b := &bug{name: filepath.Base(dir), cache: cache, dir: dir}
	g, _, err := load.File(filepath.Join(dir, "grammar.ebnf"), load.Options{})
	if err != nil {
		return nil, err
	}
	b.g = g
	if b.crasher, err = os.ReadFile(filepath.Join(dir, "crasher.txt")); err != nil {
		return nil, err
	}
	if b.signature, err = signature(filepath.Join(dir, "signature.txt")); err != nil {
		return nil, err
	}
	if b.old, err = build(ctx, dir, "go", filepath.Join(cache, b.name)); err != nil {
		return nil, err
	}
	b.fixed, err = build(ctx, dir, "fixed", filepath.Join(cache, b.name+".fixed"))
	return b, err
}

// hangs reports whether the bug is a hang. If not, hangs are not judged.
func (b *bug) hangs() bool { return len(b.signature) == 0 }

// limit is the time limit for an input of a hunt.
func (b *bug) limit() time.Duration {
	if b.hangs() {
		return hangs
	}
	return hangsLater
}

// signature reads regular expressions, one per line. A missing file means none.
func signature(path string) ([]*regexp.Regexp, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*regexp.Regexp
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" {
			continue
		}
		re, err := regexp.Compile("(?m)" + line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, re)
	}
	return all, nil
}

// build makes the program of a case in a scratch module. It contains the target, whose main is
// renamed, and the server. mod is the base name of its go.mod.
func build(ctx context.Context, dir, mod, program string) (string, error) {
	files, err := caseFiles(dir, mod)
	if err != nil {
		return "", err
	}
	return buildFiles(ctx, files, program, "build")
}

func caseFiles(dir, mod string) (map[string][]byte, error) {
	source, err := os.ReadFile(filepath.Join(dir, "target.go"))
	if err != nil {
		return nil, err
	}
	renamed := bytes.Replace(source, []byte("\nfunc main() {"), []byte("\nfunc targetMain() {"), 1)
	if bytes.Equal(renamed, source) {
		return nil, fmt.Errorf("%s: target.go has no func main", dir)
	}
	files := map[string][]byte{"target.go": renamed, "server.go": server}
	for name, from := range map[string]string{"go.mod": mod + ".mod", "go.sum": mod + ".sum"} {
		data, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil && !(os.IsNotExist(err) && name == "go.sum") {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}

// buildFiles builds the program of a module with these files, unless it exists. command is the go
// command with its flags.
func buildFiles(ctx context.Context, files map[string][]byte, program string, command ...string) (string, error) {
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	scratch, err := scratchModule(files)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	cmd := exec.CommandContext(ctx, "go", append(command, "-o", program, ".")...)
	cmd.Dir = scratch
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: the build failed: %w\n%s", program, err, out)
	}
	return program, nil
}

// scratchModule writes files to a new folder.
func scratchModule(files map[string][]byte) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "gobugs-"); err != nil {
		return "", err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}

// verdict is the class of an input.
type verdict int

const (
	passes  verdict = iota // does not fail when run alone
	both                   // fails in both versions
	another                // another bug, absent from the fixed version
	this                   // the bug of the case
)

// steady is the number of times that an input is judged. An input that fails only sometimes, for
// example because of the order of a map, does not count.
const steady = 3

// judge runs an input alone in both versions, for up to five seconds each. The input must show the
// bug every time.
func (b *bug) judge(ctx context.Context, input []byte) (v verdict, err error) {
	for try := 0; try < steady && (try == 0 || v == this); try++ {
		if v, err = b.judgeOnce(ctx, input); err != nil {
			return passes, err
		}
		if b.signature == nil {
			break // a hang costs seconds, so it is judged once
		}
	}
	return v, nil
}

func (b *bug) judgeOnce(ctx context.Context, input []byte) (verdict, error) {
	old, err := run(ctx, b.old, input)
	if err != nil {
		return passes, err
	}
	if !failed(old) {
		return passes, nil
	}
	fixed, err := run(ctx, b.fixed, input)
	switch {
	case err != nil:
		return passes, err
	case failed(fixed):
		return both, nil
	case old.Kind == target.TimedOut || outOfMemory(old):
		if !b.hangs() {
			return another, nil
		}
		return this, nil
	case b.hangs():
		return another, nil
	}
	for _, re := range b.signature {
		if !re.Match(old.Stderr) {
			return another, nil
		}
	}
	return this, nil
}

func failed(r *target.Result) bool { return r.Kind != target.Exited || r.Code != 0 }

func outOfMemory(r *target.Result) bool { return bytes.Contains(r.Stderr, []byte("out of memory")) }

// run runs a program on one input.
func run(ctx context.Context, program string, input []byte) (*target.Result, error) {
	r, err := target.New(target.Command{Args: []string{program, target.Placeholder}, Timeout: 5 * time.Second, Output: 1 << 20})
	if err != nil {
		return nil, err
	}
	return r.Run(ctx, input)
}
