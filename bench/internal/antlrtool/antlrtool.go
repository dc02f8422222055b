// Package antlrtool runs ANTLR's own parsers by the scripts of the data folder. The scripts download
// a jar and compile a parser for each grammar into shared folders. Test processes run side by side,
// so this package does both under a lock for the whole machine, before any parser runs.
//
//	cmd, err := antlrtool.Command(ctx, os.Getenv("GRAMFUZZ_DATA"), "grammars/dev/json", "json")
//	cmd.Args = append(cmd.Args, "a.json", "b.json")
//	verdicts, err := cmd.Output()
package antlrtool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/corpus"
)

// Command returns a command that is not yet started. The command reads names of files on its
// standard input and answers each with a line: whether ANTLR's parser of the grammar in folder dir
// accepts the file. The parser is compiled before Command returns. data is the data folder, and
// start is a rule, or Grammar:rule.
func Command(ctx context.Context, data, dir, start string) (*exec.Cmd, error) {
	tools := filepath.Join(data, "grammars", "tools")
	lock, err := wait(ctx)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	jar, err := fetch(ctx, tools)
	if err != nil {
		return nil, err
	}
	parser := func() *exec.Cmd {
		cmd := exec.CommandContext(ctx, filepath.Join(tools, "antlr_accepts.sh"), dir, start, "-")
		cmd.Env = append(os.Environ(), "ANTLR_JAR="+jar)
		return cmd
	}
	if _, err := output(parser()); err != nil { // without files the parser is only compiled
		return nil, fmt.Errorf("ANTLR's parser of %s: %w", dir, err)
	}
	return parser(), nil
}

// wait waits for the lock, which all processes of a user share.
func wait(ctx context.Context) (*corpus.Lock, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "gramfuzz")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for {
		lock, err := corpus.TryLock(filepath.Join(dir, "antlr.lock"))
		if !errors.Is(err, corpus.ErrLocked) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// fetch returns the path of ANTLR's jar. It downloads a missing jar, in up to three attempts.
func fetch(ctx context.Context, tools string) (jar string, err error) {
	if jar := os.Getenv("ANTLR_JAR"); jar != "" {
		return jar, nil
	}
	for try := range 3 {
		if try > 0 {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(time.Duration(try) * 2 * time.Second):
			}
		}
		out, failed := output(exec.CommandContext(ctx, filepath.Join(tools, "get_antlr_jar.sh")))
		jar = strings.TrimSpace(out)
		if err = failed; err == nil {
			_, err = os.Stat(jar)
		}
		if err == nil {
			return jar, nil
		}
	}
	return "", fmt.Errorf("ANTLR's jar: %w; needs mvn or npm, and the network", err)
}

// output runs a command and returns its output. The error includes the standard error.
func output(cmd *exec.Cmd) (string, error) {
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, bytes.TrimSpace(complaints.Bytes()))
	}
	return out.String(), nil
}
