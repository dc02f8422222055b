package target

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// bugPrograms is the programs of testdata/bugs. Each has many bugs; the input selects one.
// A program that is built in two ways counts twice.
var bugPrograms = []struct {
	name, source string
	build        []string // the compiler and its flags; the first of several compilers that works
	debugger     bool     // a failure has no stack of its own
	long         bool
}{
	{"heap", "heap.c", []string{"cc", "-g", "-fsanitize=address,undefined"}, false, false},
	{"heap, optimized", "heap.c", []string{"cc", "-g", "-O1", "-fno-optimize-sibling-calls", "-fsanitize=address,undefined"}, false, true},
	{"arith", "arith.c", []string{"cc", "-g", "-fsanitize=undefined"}, false, false},
	{"arith, without stacks", "arith.c", []string{"cc", "-fsanitize=undefined"}, false, true},
	{"panics", "panics.go", []string{"go", "build"}, false, false},
	{"panics, trimmed and without inlining", "panics.go", []string{"go", "build", "-trimpath", "-gcflags=-l"}, false, true},
	{"plain", "plain.c", []string{"cc", "-g", "-Og", "-fno-optimize-sibling-calls"}, true, true},
	{"plain, stripped", "plain.c", []string{"cc", "-s", "-Og", "-fno-optimize-sibling-calls"}, true, true},
}

// bugLine matches a comment that names a bug and the inputs that trigger it.
var bugLine = regexp.MustCompile(`(?m)^\s*(?:.*\S\s+)?// bug ([\w-]+): (".*")$`)

// bugInputs returns the bugs of a program and the inputs that trigger them.
func bugInputs(t *testing.T, source string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	bugs := map[string][]string{}
	for _, m := range bugLine.FindAllStringSubmatch(string(text), -1) {
		for rest := m[2]; rest != ""; {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("%s: bug %s: %v in %s", source, m[1], err, rest)
			}
			input, _ := strconv.Unquote(quoted)
			bugs[m[1]] = append(bugs[m[1]], input)
			rest = strings.TrimSpace(rest[len(quoted):])
		}
	}
	return bugs
}

// Failures of the same bug have equal signatures, and those of different bugs different ones,
// each in at least 95 of 100 pairs of inputs of one program.
func TestBugsToldApart(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs and runs them in a debugger")
	}
	var total pairs
	bugs, programs := 0, 0
	for _, p := range bugPrograms {
		if p.long && os.Getenv("GRAMFUZZ_LONG") == "" {
			continue
		}
		source := filepath.Join("testdata", "bugs", p.source)
		path, missing := compiled(t, source, p.build)
		if missing == "" && p.debugger {
			if _, err := NewDebugger(Command{Args: []string{path}}); errors.Is(err, ErrNoDebugger) {
				missing = err.Error()
			}
		}
		if missing != "" {
			t.Logf("%s is left out: %s", p.name, missing)
			continue
		}
		inputs := bugInputs(t, source)
		if os.Getenv("GRAMFUZZ_LONG") != "all" { // a debugger takes a second for each
			for bug, all := range inputs {
				inputs[bug] = all[:min(len(all), 2)]
			}
		}
		got := comparePairs(t, inputs, signatures(t, path, inputs, p.debugger))
		t.Logf("%s: %d bugs, %v", p.name, len(inputs), got)
		total.add(got)
		bugs += len(inputs)
		programs++
	}
	if programs == 0 {
		t.Skip("no compiler that has the sanitizers, and no go tool")
	}
	t.Logf("%d programs with %d bugs: %v", programs, bugs, total)
	if total.merged*100 < total.same*95 || total.split*100 < total.different*95 {
		t.Errorf("%v: less than 95 %% are right", total)
	}
}

// compiled builds a program; missing is the reason if it cannot be built.
func compiled(t *testing.T, source string, with []string) (path, missing string) {
	t.Helper()
	compilers := [][]string{with}
	if with[0] == "cc" {
		compilers = [][]string{append([]string{"clang"}, with[1:]...), append([]string{"gcc"}, with[1:]...)}
	}
	path = filepath.Join(t.TempDir(), "program.exe")
	for _, c := range compilers {
		cmd := exec.Command(c[0], append(c[1:], "-o", path, source)...)
		out, err := cmd.CombinedOutput()
		if err == nil {
			return path, ""
		}
		missing = strings.Join(cmd.Args, " ") + ": " + err.Error()
		if with[0] == "go" && !errors.Is(err, exec.ErrNotFound) {
			t.Fatalf("%s\n%s", missing, out)
		}
	}
	return "", missing
}

// signatures runs a program on all inputs.
func signatures(t *testing.T, path string, bugs map[string][]string, debug bool) map[string]string {
	t.Helper()
	r, err := New(Command{Args: []string{path}, Sanitizers: true, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	var d *Debugger
	if debug {
		if d, err = NewDebugger(Command{Args: []string{path}, Timeout: time.Second}); err != nil {
			t.Fatal(err)
		}
	}
	found := map[string]string{}
	var mu sync.Mutex
	var group sync.WaitGroup
	running := make(chan bool, 2)
	for _, inputs := range bugs {
		for _, input := range inputs {
			running <- true
			group.Go(func() {
				defer func() { <-running }()
				res, err := r.Run(t.Context(), []byte(input))
				if err != nil {
					t.Error(err)
					return
				}
				o := Classify(res)
				if d != nil && o.Unexplained() {
					if o.Frames, err = d.Frames(t.Context(), []byte(input)); err != nil {
						t.Error(err)
					}
				}
				if !o.Failed() {
					t.Errorf("%q does not fail: %v", input, res)
				}
				mu.Lock()
				found[input] = o.Signature()
				mu.Unlock()
			})
		}
	}
	group.Wait()
	return found
}

// pairs counts pairs of inputs: of the same bug, and of those the ones with one signature;
// of different bugs, and those with two.
type pairs struct{ same, merged, different, split int }

func (p *pairs) add(q pairs) {
	p.same, p.merged, p.different, p.split = p.same+q.same, p.merged+q.merged, p.different+q.different, p.split+q.split
}

func (p pairs) String() string {
	return strconv.Itoa(p.merged) + " of " + strconv.Itoa(p.same) + " pairs of one bug merged, " +
		strconv.Itoa(p.split) + " of " + strconv.Itoa(p.different) + " pairs of two bugs split"
}

func comparePairs(t *testing.T, bugs map[string][]string, found map[string]string) (p pairs) {
	for a, of := range bugs {
		for b, others := range bugs {
			for i, x := range of {
				for j, y := range others {
					equal := found[x] == found[y]
					switch {
					case a == b && i < j:
						p.same++
						if equal {
							p.merged++
						} else {
							t.Logf("not merged: %s, %q and %q: %s and %s", a, x, y, found[x], found[y])
						}
					case a < b:
						p.different++
						if !equal {
							p.split++
						} else {
							t.Logf("not split: %s %q and %s %q: %s", a, x, b, y, found[x])
						}
					}
				}
			}
		}
	}
	return p
}
