package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

const fakeTarget = `package main

import (
	"os"

	"example.com/lib"
)

func Target(data []byte) { lib.Parse(string(data)) }

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		os.Exit(3)
	}
	Target(data)
}
`

const fakeLib = `package lib

import "strings"

func Parse(s string) {
	if strings.HasSuffix(s, "+") { panic("both versions fail") }
	%s
}
`

// fakeCase writes a case whose library is a local folder, so that building it needs no proxy.
func fakeCase(t *testing.T, bug, signature string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fake")
	libs := t.TempDir()
	files := map[string]string{
		filepath.Join(dir, "target.go"):        fakeTarget,
		filepath.Join(dir, "crasher.txt"):      "((",
		filepath.Join(dir, "grammar.ebnf"):     "E ::= T ( \"+\" T )*\nT ::= [0-9]+ | \"(\" E \")\"\n",
		filepath.Join(libs, "old", "lib.go"):   fmt.Sprintf(fakeLib, bug),
		filepath.Join(libs, "old", "go.mod"):   "module example.com/lib\n\ngo 1.21\n",
		filepath.Join(libs, "fixed", "lib.go"): fmt.Sprintf(fakeLib, ""),
		filepath.Join(libs, "fixed", "go.mod"): "module example.com/lib\n\ngo 1.21\n",
	}
	for mod, lib := range map[string]string{"go.mod": "old", "fixed.mod": "fixed"} {
		files[filepath.Join(dir, mod)] = fmt.Sprintf("module gobugs/fake\n\ngo 1.21\n\nrequire example.com/lib v1.0.0\n\nreplace example.com/lib => %s\n", filepath.Join(libs, lib))
	}
	if signature != "" {
		files[filepath.Join(dir, "signature.txt")] = signature
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestHunt checks that the runner finds, distinguishes and shrinks bugs of every kind.
func TestHunt(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the runner is for Linux")
	}
	const when = `if strings.Contains(s, "((") { %s }`
	tests := []struct {
		name, bug, signature, want string
		others                     int
	}{
		{"panic", `panic("double")`, "^panic: double\nexample\\.com/lib\\.Parse\n", "((", 0},
		{"runtime error", `var m map[string]int; m[s] = 1`, "assignment to entry in nil map\n", "((", 0},
		{"another", `panic("another")`, "^panic: double\n", "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, err := prepare(t.Context(), fakeCase(t, fmt.Sprintf(when, tt.bug), tt.signature), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			p := &plan{budget: budget{10 * time.Minute, 3000}}
			for _, strategy := range []string{"defaults", guided} {
				r, err := p.hunt(t.Context(), b, strategy, 1)
				if errors.Is(err, errNoEdges) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if r.found != (tt.want != "") || string(r.shrunk) != tt.want || r.others != tt.others {
					t.Errorf("%s: found %v, %q shrunk to %q, %d others; want %q, %d", strategy, r.found, r.input, r.shrunk, r.others, tt.want, tt.others)
				}
			}
		})
	}
}

// TestGoFuzz checks that Go's engine finds the bug from the grammar's sentences, and that it
// continues after finding another bug and after the death of its process.
func TestGoFuzz(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the runner is for Linux")
	}
	tests := []struct{ name, bug, signature string }{
		{"panic", `if strings.HasSuffix(s, "?") { panic("another") }; if strings.HasSuffix(s, "!") { panic("double") }`, "^panic: double\n"},
		{"death", `if strings.HasSuffix(s, "!") { go func() { panic("far away") }(); select {} }`, "^panic: far away\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, err := prepare(t.Context(), fakeCase(t, tt.bug, tt.signature), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			r, err := huntGoFuzz(t.Context(), b, 1, budget{time: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if !r.found || !strings.HasSuffix(string(r.shrunk), "!") {
				t.Errorf("found %v, %q shrunk to %q", r.found, r.input, r.shrunk)
			}
		})
	}
}

// TestRapid checks that rapid draws sentences of the grammar, and the same ones for the same seed.
func TestRapid(t *testing.T) {
	if os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("GRAMFUZZ_LONG is not set: rapid has to be fetched")
	}
	g := grammars.Must("json")
	b := &bug{name: "json", g: g, cache: t.TempDir()}
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) (texts []string) {
		s, err := newRapid(t.Context(), b, seed)
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		for i := range uint64(200) {
			text, err := s.Append(t.Context(), nil, i)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Parse(t.Context(), "rapid", string(text)); err != nil {
				t.Fatalf("%q is no sentence: %v", text, err)
			}
			texts = append(texts, string(text))
		}
		return texts
	}
	one := draw(1)
	if diff := cmp.Diff(one, draw(1)); diff != "" {
		t.Errorf("the same seed (-want +got):\n%s", diff)
	}
	slices.Sort(one)
	if n := len(slices.Compact(one)); n < 50 {
		t.Errorf("200 sentences are %d different ones", n)
	}
}

// TestSlice hunts one real case with a limited number of inputs.
func TestSlice(t *testing.T) {
	if os.Getenv("GRAMFUZZ_DATA") == "" || os.Getenv("GRAMFUZZ_LONG") == "" {
		t.Skip("GRAMFUZZ_DATA does not name the data folder, or GRAMFUZZ_LONG is not set: old modules have to be fetched")
	}
	var out, log bytes.Buffer
	args := []string{"-time", "30m", "-inputs", "20000", "-seeds", "1", "-strategy", "defaults", "-cases", "^gojq_iter_error$", "-cache", t.TempDir()}
	if err := runMain(t.Context(), args, &out, &log); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "**1**") {
		t.Errorf("the bug was not found:\n%s%s", &out, &log)
	}
}

// TestEnough checks that hunts end early only if the remaining seeds cannot change whether most find
// the bug.
func TestEnough(t *testing.T) {
	for _, tt := range []struct {
		seeds, hits, hunted int
		settled             bool
	}{
		{3, 0, 0, false}, {3, 1, 1, false}, {3, 0, 1, false}, {3, 2, 2, true}, {3, 0, 2, true}, {3, 1, 2, false},
		{1, 0, 0, false}, {1, 1, 1, true}, {2, 1, 1, false}, {2, 0, 1, true}, {4, 2, 3, false}, {4, 1, 3, true},
	} {
		p := plan{seeds: tt.seeds}
		if got := p.settled(tt.hits, tt.hunted); got != tt.settled {
			t.Errorf("%d of %d found, %d seeds in all: settled %v", tt.hits, tt.hunted, tt.seeds, got)
		}
	}
}

func TestFlags(t *testing.T) {
	t.Setenv("GRAMFUZZ_DATA", "")
	var out, log bytes.Buffer
	if err := runMain(t.Context(), nil, &out, &log); err != nil || !strings.Contains(log.String(), "nothing is done") {
		t.Errorf("without data: %v, %s", err, &log)
	}
	for _, args := range [][]string{{"-strategy", "luck"}, {"-cases", "("}, {"-time", "x"}} {
		if err := runMain(t.Context(), args, &out, &log); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
