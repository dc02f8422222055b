package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gramfuzz/gramfuzz/bench/internal/antlrtool"
)

// verdict is a parser's answer to a text.
type verdict struct {
	accepted bool
	reason   string
}

var places = regexp.MustCompile(`\d+:\d+`)

// class returns the reason without its position.
func (v verdict) class() string {
	r := places.ReplaceAllString(v.reason, "")
	if i := strings.Index(r, "expecting"); i > 0 {
		r = r[:i]
	}
	return strings.TrimSpace(r[:min(len(r), 60)])
}

// antlr runs ANTLR's own parser on texts.
func (b *bench) antlr(ctx context.Context, g testGrammar, texts []string) ([]verdict, error) {
	cmd, err := antlrtool.Command(ctx, b.data, g.dir, g.start)
	if err != nil {
		return nil, err
	}
	return ask(cmd, texts)
}

// nativeShare runs the native program for the grammar's language, if there is one.
func (b *bench) nativeShare(ctx context.Context, g testGrammar, texts []string) (r ratio, err error) {
	if g.native == "" {
		return r, nil
	}
	vs, err := ask(exec.CommandContext(ctx, filepath.Join(b.data, "grammars", "tools", "native_accepts.sh"), g.native), texts)
	for _, v := range vs {
		r.all++
		if v.accepted {
			r.some++
		}
	}
	return r, err
}

// ask writes texts to files and runs a program. The program reads the names of the files on its
// standard input and answers each with a line.
func ask(cmd *exec.Cmd, texts []string) ([]verdict, error) {
	dir, err := os.MkdirTemp("", "antlr")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var names strings.Builder
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("%06d.txt", i))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return nil, err
		}
		fmt.Fprintln(&names, path)
	}
	cmd.Stdin = strings.NewReader(names.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(cmd.Path), err)
	}
	var vs []verdict
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.SplitN(lines.Text(), "\t", 3)
		v := verdict{accepted: f[0] == "accept", reason: f[0]}
		if len(f) > 2 {
			v.reason += " " + f[2]
		}
		vs = append(vs, v)
	}
	if len(vs) != len(texts) {
		return nil, fmt.Errorf("%s: %d answers for %d texts", filepath.Base(cmd.Path), len(vs), len(texts))
	}
	return vs, nil
}
