package main

import (
	"regexp"
	"strings"
	"testing"
)

// The simulation runs, and its workers run and exchange something.
func TestSimulation(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-workers", "2", "-time", "400ms", "-lease", "1s", "-entries", "20"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{`(?m)^\| 2 \| false \| [1-9]\d* \| [1-9]\d* \| [1-9]\d* \| [\d.]+ \| [1-9]`, `(?m)^\| 2 \| true \| [1-9]\d* \| [1-9]`} {
		if !regexp.MustCompile(row).MatchString(out.String()) {
			t.Errorf("no row %s in\n%s", row, &out)
		}
	}
	for _, args := range [][]string{{"-workers", "x"}, {"-workers", "0"}} {
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
