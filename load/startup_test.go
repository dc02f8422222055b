package load_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// initLine is a line of GODEBUG=inittrace=1: package and allocations.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) allocs$`)

// TestStartup: a program that imports this package builds no parser before it reads a grammar.
// Building one takes thousands of allocations.
func TestStartup(t *testing.T) {
	const most = 500
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	traced := 0
	for _, m := range initLine.FindAllStringSubmatch(string(out), -1) {
		allocs, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		traced++
		if strings.Contains(m[1], "/load/internal/") && allocs > most {
			t.Errorf("%s makes %d allocations at start-up, want at most %d", m[1], allocs, most)
		}
	}
	if traced == 0 {
		t.Errorf("no package was traced:\n%s", out)
	}
}
