package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gramfuzz/gramfuzz/bench/coverage/reach"
)

// edgeProgram is a parser's program that measures edges.
type edgeProgram struct {
	target  target
	path    string
	grammar string // as reach.Job has it
}

// edgeMain is the source of an edgeProgram.
const edgeMain = `package main

import (
	"github.com/gramfuzz/gramfuzz/bench/coverage/reach"
	_ "github.com/gramfuzz/gramfuzz/bench/coverage/reach/linktrace"
%s)

func main() { reach.Main(feed) }

// feed survives a parser that panics: that is a finding, not the end.
func feed(b []byte) {
	defer func() { recover() }()
	%s
}
`

// buildEdges makes the program of a target in a scratch module below dir. It contains the parser,
// with counters for its edges, and this module, whose source is at root.
func buildEdges(ctx context.Context, t target, dir, root string) (*edgeProgram, error) {
	dir = filepath.Join(dir, strings.ReplaceAll(t.name, "/", "-"))
	p := &edgeProgram{target: t, path: filepath.Join(dir, "program"), grammar: t.grammar}
	var imports strings.Builder
	for _, i := range t.imports {
		fmt.Fprintf(&imports, "\t%q\n", i)
	}
	files := map[string][]byte{"main.go": fmt.Appendf(nil, edgeMain, &imports, t.call)}
	if strings.HasPrefix(t.grammar, inData) {
		p.grammar = t.dataPath()
	}
	if strings.HasPrefix(t.grammar, "testdata/") {
		text, err := testdata.ReadFile(t.grammar)
		if err != nil {
			return nil, err
		}
		p.grammar = filepath.Join(dir, filepath.Base(t.grammar))
		files[filepath.Base(t.grammar)] = text
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return nil, err
	}
	files["go.sum"] = sums
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return nil, err
		}
	}
	module := "github.com/gramfuzz/gramfuzz"
	steps := [][]string{
		{"mod", "init", "coverage"},
		{"mod", "edit", "-require=" + module + "@v0.0.0", "-replace=" + module + "=" + root},
	}
	for _, r := range t.require {
		steps = append(steps, []string{"get", r})
	}
	build := []string{"build", "-tags=gramfuzz_edges", "-o", p.path}
	for _, pkg := range t.cover {
		build = append(build, "-gcflags="+pkg+"=-d=libfuzzer")
	}
	for _, args := range append(steps, append(build, ".")) {
		if err := runGo(ctx, dir, args); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return p, nil
}

// runGo runs the go command in a scratch module.
func runGo(ctx context.Context, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// measure runs the program once.
func (p *edgeProgram) measure(ctx context.Context, way string, d time.Duration, seed uint64) (reach.Result, error) {
	var res reach.Result
	job, err := json.Marshal(reach.Job{Way: way, Grammar: p.grammar, CPU: d, Seed: seed})
	if err != nil {
		return res, err
	}
	out, err := exec.CommandContext(ctx, p.path, string(job)).Output()
	if err != nil {
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return res, fmt.Errorf("%s, %s: %w", p.target.name, way, err)
	}
	return res, json.Unmarshal(out, &res)
}

// edges prints, for every generator and target, the number of edges reached in a given CPU time:
// the median, the least and the greatest over some seeds.
func edges(ctx context.Context, ts []target, ways []string, d time.Duration, seeds int, dir string, stdout, stderr io.Writer) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/gramfuzz/gramfuzz").Output()
	if err != nil {
		return fmt.Errorf("where the source of gramfuzz is cannot be found out: %w", err)
	}
	var programs []*edgeProgram
	for _, t := range ts {
		fmt.Fprintf(stderr, "building %s\n", t.name)
		p, err := buildEdges(ctx, t, dir, strings.TrimSpace(string(root)))
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	w := tabwriter.NewWriter(stdout, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "| edges\t")
	for _, p := range programs {
		fmt.Fprintf(w, "| %s\t", p.target.name)
	}
	fmt.Fprintf(w, "|\n%s|\n", strings.Repeat("|---\t", len(programs)+1))
	for _, way := range ways {
		fmt.Fprintf(w, "| %s\t", way)
		for _, p := range programs {
			var reached, tests []int
			for seed := range uint64(seeds) {
				res, err := p.measure(ctx, way, d, seed+1)
				if err != nil {
					return err
				}
				reached, tests = append(reached, res.Edges), append(tests, res.Tests)
				fmt.Fprintf(stderr, "%s, %s, seed %d: %d edges, %d sentences;", way, p.target.name, seed+1, res.Edges, res.Tests)
				for _, at := range res.Growth {
					fmt.Fprintf(stderr, " %v %d", at.CPU, at.Edges)
				}
				fmt.Fprintln(stderr)
			}
			slices.Sort(reached)
			slices.Sort(tests)
			fmt.Fprintf(w, "| %d (%d–%d)\t", reached[seeds/2], reached[0], reached[seeds-1])
		}
		fmt.Fprintln(w, "|")
	}
	return w.Flush()
}
