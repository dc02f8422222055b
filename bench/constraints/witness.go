package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
)

// subject is a language whose sentences must meet constraints.
type subject struct {
	name      string
	witnesses []witness
	names     string // the names of its plan
	studied   bool   // it is that of Fandango's study
}

// witness is a program or a Go package that reads a format.
type witness struct {
	name    string
	accepts func(ctx context.Context, o options, subject string, texts [][]byte) (int, error) // how many of them
}

var subjects = []subject{
	{name: "csv", witnesses: []witness{{"encoding/csv", readBy(readCSV)}, {"python's csv", pythonAccepts}}},
	{name: "tar", witnesses: []witness{{"archive/tar", readBy(readTar)}, {"python's tarfile", pythonAccepts}}},
	{name: "rest", witnesses: []witness{{"docutils", pythonAccepts}}},
	{name: "xml", witnesses: []witness{{"encoding/xml", readBy(readXML)}, {"python's ElementTree", pythonAccepts}}},
	{name: "c", witnesses: []witness{{"clang", clangAccepts}}},
	{name: "lang", witnesses: []witness{{"gcc", gccAccepts}, {"its checker", checkerAccepts}}, names: "pool:238", studied: true},
}

// readBy returns the witness that a Go function is.
func readBy(read func(text []byte) error) func(context.Context, options, string, [][]byte) (int, error) {
	return func(_ context.Context, _ options, _ string, texts [][]byte) (ok int, err error) {
		for _, text := range texts {
			if read(text) == nil {
				ok++
			}
		}
		return ok, nil
	}
}

func readCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma = ';'
	_, err := r.ReadAll() // all records must have as many fields as the first
	return err
}

func readTar(text []byte) error {
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		if _, err := r.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			return err
		}
	}
}

func readXML(text []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// pythonAccepts runs witness.py.
func pythonAccepts(ctx context.Context, o options, subject string, texts [][]byte) (int, error) {
	script, err := files.ReadFile("witness.py")
	if err != nil {
		return 0, err
	}
	var in bytes.Buffer
	for _, text := range texts {
		fmt.Fprintln(&in, base64.StdEncoding.EncodeToString(text))
	}
	cmd := exec.CommandContext(ctx, o.python, "-c", string(script), subject)
	cmd.Stdin, cmd.Dir = &in, o.study
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", o.python, withLast(err))
	}
	if answers := strings.Count(string(out), "\n"); answers != len(texts) {
		return 0, fmt.Errorf("%d answers to %d texts", answers, len(texts))
	}
	return strings.Count(string(out), "ok\n"), nil
}

// withLast adds the last line that a program wrote to the program's error.
func withLast(err error) error {
	if exit := new(exec.ExitError); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
		return fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return err
}

// clangAccepts compiles all texts in one file, each as a function.
func clangAccepts(ctx context.Context, _ options, _ string, texts [][]byte) (int, error) {
	var in bytes.Buffer
	for i, text := range texts {
		fmt.Fprintf(&in, "void f%d(void) { %s }\n", i, bytes.ReplaceAll(text, []byte("\n"), []byte(" ")))
	}
	cmd := exec.CommandContext(ctx, "clang", "-fsyntax-only", "-w", "-ferror-limit=0", "-fno-caret-diagnostics", "-x", "c", "-")
	cmd.Stdin = &in
	var out bytes.Buffer
	cmd.Stderr = &out
	err := cmd.Run()
	wrong := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error: `).FindAllStringSubmatch(out.String(), -1) {
		wrong[m[1]] = true
	}
	if err != nil && len(wrong) == 0 {
		return 0, fmt.Errorf("%w: %s", err, out.Bytes())
	}
	return len(texts) - len(wrong), nil
}
