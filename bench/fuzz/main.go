// Fuzz runs every fuzz target of the module on mutants of its seeds, on one core, and keeps an
// account of the executions:
//
//	go -C bench run ./fuzz -o fuzz/RESULTS.md -rounds 10
//
// Each target has a weight (table.go), which determines its share of the executions in a round:
// quick and small readers get more. internal/testing/blind makes the mutants. With -state FILE the account
// is kept in FILE, and the next run continues it. With -laws N the laws of internal/testing/agree are tested on
// N more random grammars.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// target is the account of one fuzz target.
type target struct {
	Pkg, Name string
	Seeds     int    // the number of seeds in the last round
	Next      uint64 // for each seed, the number of the first mutant not yet run
	Runs      uint64
	Took      time.Duration
	Slowest   time.Duration
	Found     int // rounds that ended with a finding

	binary string
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	out := flags.String("o", "", "the table to write after every round")
	state := flags.String("state", "", "the file that keeps the account from run to run; none without it")
	rounds := flags.Int("rounds", 1, "rounds; each is a million executions of a target of weight 1")
	scale := flags.Float64("scale", 1, "millions of executions of a round for a target of weight 1")
	laws := flags.Uint64("laws", 0, "test the laws of internal/testing/agree on this many more random grammars, in place of targets; with a state file of their own")
	only := flags.String("run", "", "only targets whose package and name match this expression")
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if err := enter(out, state); err != nil {
		return err
	}
	if *laws > 0 {
		return runLaws(ctx, *laws, *state, *out)
	}
	all, err := find()
	if err != nil {
		return err
	}
	if err := load(*state, all); err != nil {
		return err
	}
	bin, err := os.MkdirTemp("", "gramfuzz-fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	wanted := slices.DeleteFunc(slices.Clone(all), func(t *target) bool { return !match.MatchString(t.Pkg + " " + t.Name) })
	for _, t := range wanted {
		t.binary = filepath.Join(bin, strings.ReplaceAll(t.Pkg, "/", "_"))
		if _, err := os.Stat(t.binary); err == nil {
			continue
		}
		if text, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", t.binary, "./"+t.Pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("go test -c ./%s: %w\n%s", t.Pkg, err, text)
		}
	}
	slices.SortStableFunc(wanted, func(a, b *target) int { return int(1000 * (weight(b) - weight(a))) }) // quick targets first
	for range *rounds {
		for _, t := range wanted {
			if err := t.round(ctx, uint64(weight(t)**scale*1e6)); err != nil {
				return err
			}
			if err := save(*state, all, *out); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter changes to the folder of gramfuzz's own module, whose targets these are. The paths stay
// those of the files that they name.
func enter(paths ...*string) error {
	for _, path := range paths {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gramfuzz/gramfuzz").Output()
	if err != nil {
		return fmt.Errorf("the module gramfuzz is not found from here: %w", err)
	}
	return os.Chdir(strings.TrimSpace(string(root)))
}

// find lists the fuzz targets that go through internal/testing/blind.
func find() (all []*target, err error) {
	decl := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\) \{$`)
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(src, []byte("blind.Fuzz(")) && !bytes.Contains(src, []byte("notationtest.FuzzPrinted(")) {
			return err
		}
		for _, m := range decl.FindAllSubmatch(src, -1) {
			all = append(all, &target{Pkg: filepath.ToSlash(filepath.Dir(path)), Name: string(m[1])})
		}
		return nil
	})
	return all, err
}

// told matches the line that internal/testing/blind prints at the end.
var told = regexp.MustCompile(`(?m)^blind: (\w+) (\d+) executions of (\d+) seeds, (\S+), slowest (\S+): (.*)$`)

// mutants runs the mutants first … end-1 of each seed and adds them to the account. It prints the
// output of a failing mutant. It returns an error only if the target cannot be run.
func (t *target) mutants(ctx context.Context, first, end uint64) error {
	cmd := exec.CommandContext(ctx, t.binary, "-test.run", "^"+t.Name+"$", "-test.v", "-test.timeout", "6h")
	cmd.Dir = t.Pkg
	cmd.Env = append(os.Environ(), fmt.Sprintf("GRAMFUZZ_MUTANTS=%d..%d", first, end), "GOMAXPROCS=1")
	text, err := cmd.CombinedOutput()
	m := told.FindSubmatch(text)
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return err
	} else if err != nil || m == nil {
		t.Found++
		fmt.Printf("%s %s found, %d..%d: %v\n%s\n", t.Pkg, t.Name, first, end, err, tail(text))
	}
	if m == nil {
		return nil
	}
	number := func(i int) uint64 { n, _ := strconv.ParseUint(string(m[i]), 10, 64); return n }
	span := func(i int) time.Duration { d, _ := time.ParseDuration(string(m[i])); return d }
	t.Seeds, t.Next = int(number(3)), end
	t.Runs += number(2)
	t.Took += span(4)
	if s := span(5); s > t.Slowest {
		t.Slowest = s
		fmt.Printf("%s %s: %v for %s\n", t.Pkg, t.Name, s, m[6])
	}
	return nil
}

// round makes about n executions.
func (t *target) round(ctx context.Context, n uint64) error {
	if t.Seeds == 0 {
		if err := t.mutants(ctx, t.Next, t.Next+1); err != nil || t.Seeds == 0 {
			return err
		}
	}
	before := t.Runs
	err := t.mutants(ctx, t.Next, t.Next+max(n/uint64(t.Seeds), 1))
	fmt.Printf("%s %s: %d more, %d in all\n", t.Pkg, t.Name, t.Runs-before, t.Runs)
	return err
}

// tail returns the last lines of a test's output, without lines about passed tests.
func tail(text []byte) string {
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "=== RUN") && !strings.Contains(line, "--- PASS") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept[max(0, len(kept)-60):], "")
}

// load fills in the accounts of the targets from the state file at path.
func load(path string, all []*target) error {
	var before []*target
	err := readState(path, &before)
	for _, b := range before {
		for _, t := range all {
			if t.Pkg == b.Pkg && t.Name == b.Name {
				*t = *b
			}
		}
	}
	return err
}

// save writes the state and the table to the named files; "" omits one.
func save(state string, all []*target, out string) error {
	if err := writeState(state, all); err != nil || out == "" {
		return err
	}
	page, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(out, append(table(all), page[len(withoutLaws(page)):]...), 0o644)
}

// readState reads an account from the state file at path; there may be none, and "" names none.
func readState(path string, account any) error {
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, account)
}

// writeState writes an account to the state file at path, unless that is "".
func writeState(path string, account any) error {
	if path == "" {
		return nil
	}
	data, err := json.MarshalIndent(account, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
