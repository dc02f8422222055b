package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// peers are the command lines of other reducers. Each reducer on PATH is run in its usual way, with
// one worker. {} stands for the file, {check} for the script.
var peers = map[string]func(t *task, b *bench) ([]string, error){
	"cvise": func(t *task, _ *bench) ([]string, error) {
		// cvise accepts only files in its working directory.
		args := []string{"sh", "-c", `cd "$(dirname "$1")" && shift && exec "$@"`, "sh", "{}", "cvise", "--n", "1"}
		if filepath.Ext(t.input) != ".c" {
			args = append(args, "--not-c")
		}
		return append(args, "{check}", t.input), nil
	},
	"shrinkray": func(*task, *bench) ([]string, error) {
		return []string{"shrinkray", "--parallelism", "1", "--ui", "basic", "{check}", "{}"}, nil
	},
	"picireny": func(t *task, b *bench) ([]string, error) {
		g, files, err := t.load(b.data)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte("superClass")) {
				return nil, errors.New("skipped: the grammar's Java base classes are not in the data folder")
			}
		}
		args := []string{"picireny", "-q", "-i", "{}", "--test", "{check}", "-o", "out", "-s", g.Start.Name}
		if jar := os.Getenv("ANTLR_JAR"); jar != "" { // otherwise picireny searches for one
			args = append(args, "--antlr", jar, "--parser", "java")
		}
		return append(append(args, "-g"), files...), nil
	},
	"treereduce": func(t *task, _ *bench) ([]string, error) {
		language := strings.TrimPrefix(filepath.Ext(t.input), ".")
		if language == "js" {
			language = "javascript"
		}
		return []string{"treereduce-" + language, "--jobs", "1", "--stable", "--min-reduction", "1", "-s", "{}", "--", "{check}", "@@"}, nil
	},
}

// watchedCheck runs the task's check on a file. Reducers pass the file in different ways: as an
// argument, under a name in the working directory, or on standard input. The script logs the
// answers and keeps the smallest text for which the check holds. After the maximum number of calls
// it only reports that the calls are used up.
const watchedCheck = `#!/bin/sh
if [ %[4]d -gt 0 ] && [ -f '%[3]s/log' ] && [ "$(wc -l <'%[3]s/log')" -ge %[4]d ]; then : >'%[3]s/full'; exit 1; fi
f=${1:-%[1]s}
if [ ! -f "$f" ]; then d=$(mktemp -d); f=$d/%[1]s; cat >"$f"; fi
'%[2]s' "$f" </dev/null >/dev/null 2>&1; rc=$?
n=$(wc -c <"$f")
echo "$rc $n" >>'%[3]s/log'
if [ $rc = 0 ] && { [ ! -f '%[3]s/best' ] || [ "$n" -lt "$(wc -c <'%[3]s/best')" ]; }; then
  cp "$f" '%[3]s/new' && mv '%[3]s/new' '%[3]s/best'
fi
[ -z "$d" ] || rm -rf "$d"
exit $rc
`

// peer runs another reducer.
func (b *bench) peer(ctx context.Context, t *task, name string) (row, error) {
	command, ok := peers[name]
	if !ok {
		return row{}, fmt.Errorf("there is no peer %q", name)
	}
	if t.folder {
		return row{}, errors.New("skipped: the input is a folder")
	}
	args, err := command(t, b)
	if err != nil {
		return row{}, err
	}
	program := args[0]
	if program == "sh" {
		program = name
	}
	if _, err := exec.LookPath(program); err != nil {
		return row{}, errors.New("skipped: " + program + " is not installed")
	}
	dir, err := os.MkdirTemp("", "bench-reduce-")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	own, err := filepath.Abs(filepath.Join(t.dir, "check.sh"))
	if err != nil {
		return row{}, err
	}
	check := filepath.Join(dir, "check.sh")
	if err := os.WriteFile(check, fmt.Appendf(nil, watchedCheck, t.input, own, dir, b.calls), 0o755); err != nil {
		return row{}, err
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "{check}", check)
	}
	runner, err := target.New(target.Command{Args: args, Name: t.input, Timeout: b.limit})
	if err != nil {
		return row{}, err
	}
	begin := time.Now()
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go endWhenFull(running, filepath.Join(dir, "full"), stop)
	res, err := runner.Run(running, t.text)
	full := errors.Is(context.Cause(running), errFull)
	if err != nil && !full {
		return row{}, err
	}
	r, err := t.watched(dir)
	r.seconds, r.cut = time.Since(begin).Seconds(), full || res.Kind == target.TimedOut
	if err != nil {
		return row{}, fmt.Errorf("%w; it ended with %v and %q", err, res, lastLine(res.Stderr))
	}
	return r, nil
}

var errFull = errors.New("no calls are left")

// endWhenFull ends a run as soon as its check reports that its calls are used up.
func endWhenFull(ctx context.Context, full string, stop context.CancelCauseFunc) {
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			if _, err := os.Stat(full); err == nil {
				stop(errFull)
			}
		}
	}
}

// watched reads the log of the watched check.
func (t *task) watched(dir string) (row, error) {
	r := row{input: float64(len(t.text))}
	log, err := os.Open(filepath.Join(dir, "log"))
	if err != nil {
		return r, errors.New("it asked nothing")
	}
	defer log.Close()
	size, asked := len(t.text), 0
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var code, n int
		if _, err := fmt.Sscan(lines.Text(), &code, &n); err != nil {
			return r, fmt.Errorf("the line %q of its calls: %w", lines.Text(), err)
		}
		asked++
		if code == 0 {
			size = min(size, n)
		}
		r.mark(asked, size)
	}
	best, err := os.ReadFile(filepath.Join(dir, "best"))
	if err != nil {
		return r, errors.New("it never found the input interesting")
	}
	r.bytes, r.tokens, r.calls = float64(len(best)), float64(countTokens(best)), float64(asked)
	return r, nil
}

func lastLine(out []byte) string {
	out = bytes.TrimSpace(out)
	return string(out[bytes.LastIndexByte(out, '\n')+1:])
}
