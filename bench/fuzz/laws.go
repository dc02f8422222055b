package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// grammars is the account of the laws over random grammars (internal/testing/agree).
type grammars struct {
	Seed, Next            uint64 // the seed, and the first grammar that was not tested yet
	Tried, Accepted, Rich uint64 // Rich ones have three features or more
	Asked, Refused, Open  uint64 // questions of laws, how many were refused, and grammars with an open defect
	Found                 int    // blocks with a finding
	Took                  time.Duration
}

const lawsTitle = "\n## Laws over random grammars\n"

var (
	toldAccepted = regexp.MustCompile(`(\d+) accepted of (\d+), (\d+) with three features or more; (\d+) of (\d+) questions refused`)
	toldOpen     = regexp.MustCompile(`(?m)open +(\d+): `)
)

// runLaws tests n more grammars, in blocks, and keeps the account in the state file after each.
func runLaws(ctx context.Context, n uint64, state, out string) error {
	a := grammars{Seed: 1}
	if err := readState(state, &a); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gramfuzz-laws")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "agree.test")
	if text, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./internal/testing/agree").CombinedOutput(); err != nil {
		return fmt.Errorf("go test -c ./internal/testing/agree: %w\n%s", err, text)
	}
	const block = 100
	for end := a.Next + n; a.Next < end; {
		if err := a.block(ctx, binary, min(end, a.Next+block)); err != nil {
			return err
		}
		if err := writeState(state, a); err != nil {
			return err
		}
		if out != "" {
			page, err := os.ReadFile(out)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := os.WriteFile(out, append(withoutLaws(page), a.String()...), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// block tests the grammars up to a number.
func (a *grammars) block(ctx context.Context, binary string, end uint64) error {
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^TestLaws$", "-test.v", "-test.timeout", "6h")
	cmd.Dir = "internal/testing/agree"
	cmd.Env = append(os.Environ(), fmt.Sprintf("GRAMFUZZ_AGREE=%d:%d..%d", a.Seed, a.Next, end-1), "GOMAXPROCS=1")
	var text bytes.Buffer
	cmd.Stdout = &text
	start := time.Now()
	err := cmd.Run()
	m := toldAccepted.FindSubmatch(text.Bytes())
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return err
	} else if err != nil {
		a.Found++
		fmt.Printf("grammars %d..%d of seed %d: %v\n%s\n", a.Next, end-1, a.Seed, err, text.Bytes())
	}
	if m == nil {
		return fmt.Errorf("grammars %d..%d of seed %d: the test ends without an account", a.Next, end-1, a.Seed)
	}
	for i, sum := range []*uint64{&a.Accepted, &a.Tried, &a.Rich, &a.Refused, &a.Asked} {
		var n uint64
		fmt.Sscan(string(m[i+1]), &n)
		*sum += n
	}
	for _, m := range toldOpen.FindAllSubmatch(text.Bytes(), -1) {
		var n uint64
		fmt.Sscan(string(m[1]), &n)
		a.Open += n
	}
	a.Took += time.Since(start)
	a.Next = end
	return nil
}

// withoutLaws returns a page without the account of laws.
func withoutLaws(page []byte) []byte {
	before, _, _ := strings.Cut(string(page), lawsTitle)
	return []byte(before)
}

func (a *grammars) String() string {
	return lawsTitle + fmt.Sprintf(`
Written by `+"`go -C bench run ./fuzz -laws N -o fuzz/RESULTS.md -state FILE`"+`: internal/testing/agree makes
grammars and tests all its laws on each, as its package comment says.

| seed | grammars | accepted | three features or more | questions | refused | open defects met | blocks with a finding |
|---|---:|---:|---:|---:|---:|---:|---:|
| %d | %d | %d | %d | %d | %d | %d | %d |

Time: %v.
`, a.Seed, a.Tried, a.Accepted, a.Rich, a.Asked, a.Refused, a.Open, a.Found, a.Took.Round(time.Second))
}
