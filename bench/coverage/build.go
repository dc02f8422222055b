package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// built is a parser's program with coverage compiled in.
type built struct {
	target target
	dir    string
	path   string
}

// build makes the program of a target in a scratch module below dir.
func build(ctx context.Context, t target, dir string) (*built, error) {
	b := &built{target: t, dir: filepath.Join(dir, strings.ReplaceAll(t.name, "/", "-"))}
	b.path = filepath.Join(b.dir, "program")
	if err := os.MkdirAll(b.dir, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(b.dir, "main.go"), []byte(t.program()), 0o666); err != nil {
		return nil, err
	}
	steps := [][]string{{"mod", "init", "coverage"}}
	for _, r := range t.require {
		steps = append(steps, []string{"get", r})
	}
	steps = append(steps, []string{"build", "-cover", "-coverpkg=coverage," + strings.Join(t.cover, ","), "-o", b.path, "."})
	for _, args := range steps {
		if err := runGo(ctx, b.dir, args); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return b, nil
}

// reached feeds sentences to the program. It returns the number of statements that ran, and the
// number of all statements.
func (b *built) reached(ctx context.Context, feed func(w io.Writer) error) (hit, all int, err error) {
	counters, err := os.MkdirTemp(b.dir, "counters")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(counters)
	cmd := exec.CommandContext(ctx, b.path)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+counters)
	cmd.Stderr = io.Discard
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	w := bufio.NewWriterSize(in, 1<<16)
	feedErr := feed(w)
	w.Flush()
	in.Close()
	if err := cmd.Wait(); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", b.target.name, err)
	}
	if feedErr != nil {
		return 0, 0, feedErr
	}
	profile := filepath.Join(counters, "profile.txt")
	out, err := exec.CommandContext(ctx, "go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput()
	if err != nil {
		return 0, 0, fmt.Errorf("go tool covdata: %w\n%s", err, out)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return 0, 0, err
	}
	return statements(text)
}

// statements adds up a coverage profile: "file:from,to statements count" a line.
// The program's own file does not count.
func statements(profile []byte) (hit, all int, err error) {
	for line := range bytes.Lines(profile) {
		var n, count int
		fields := strings.Fields(string(line))
		if len(fields) != 3 || strings.HasPrefix(fields[0], "coverage/") {
			continue // the line of the mode has two fields
		}
		if _, err := fmt.Sscan(fields[1]+" "+fields[2], &n, &count); err != nil {
			return 0, 0, fmt.Errorf("coverage profile: %q: %w", line, err)
		}
		all += n
		if count > 0 {
			hit += n
		}
	}
	return hit, all, nil
}
