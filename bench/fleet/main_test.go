package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gramfuzz/gramfuzz/bench/fleet/planted"
)

// TestMain makes the test binary a process of a fleet if it is started as one.
func TestMain(m *testing.M) {
	text, ok := os.LookupEnv(child)
	if !ok {
		os.Exit(m.Run())
	}
	if err := serve(context.Background(), text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestSimulation checks that simulated workers run places and exchange entries.
func TestSimulation(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-workers", "2", "-fleets", "2,3", "-hubs", "2", "-time", "400ms", "-lease", "1s", "-entries", "20"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		`(?m)^\| 2 \| 2 \| 2 \| false \| [1-9]\d* \| [1-9]\d* \| [1-9]\d* \| [\d.]+ \| [1-9]`,
		`(?m)^\| 2 \| 2 \| 2 \| true \| [1-9]\d* \| [1-9]\d* \| [1-9]\d* \|$`,
	} {
		if !regexp.MustCompile(row).MatchString(out.String()) {
			t.Errorf("no row %s in\n%s", row, &out)
		}
	}
	if got := len(shapes([]int{1, 4}, []int{1, 2}, []int{1, 2})); got != 8 {
		t.Errorf("%d shapes, not 2 of one worker and 6 of four", got)
	}
	for _, args := range [][]string{{"-workers", "x"}, {"-fleets", "0"}, {"-hubs", ""}, {"-workers", "0"}, {"-what", "x"}, {"-turns", "0"}} {
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}

// TestReal runs real workers, in a fleet and alone. They find the planted bug from a near start.
func TestReal(t *testing.T) {
	if _, err := built(t.Context(), t.TempDir()); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"-what", "cost", "-turns", "1", "-time", "10m", "-runs", "2000"}, `(?m)^\| none \| 1 \| [1-9]\d* \| [1-9]\d* \| [\d.]+ \| [\d.]+ \|$`},
		{[]string{"-what", "deep", "-turns", "1", "-only", "alone, all"}, `(?m)^\| one alone, all texts \| 1 of 1 \| [1-9]`},
		{[]string{"-what", "deep", "-turns", "1", "-runs", "500", "-only", "fleet"}, `(?m)^\| a fleet of three, a text each \| 0 of 1 \| [1-9]`},
	}
	for _, test := range tests {
		var out strings.Builder
		if err := run(t.Context(), test.args, &out); err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(test.want).MatchString(out.String()) {
			t.Errorf("%v: no row %s in\n%s", test.args, test.want, &out)
		}
	}
}

// TestPlanted checks that each text fulfils one condition of the planted bug, and that all
// conditions together trigger it.
func TestPlanted(t *testing.T) {
	all := texts()
	panics := func(text string) (did bool) {
		defer func() { did = recover() != nil }()
		if err := planted.Sum([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		return false
	}
	for _, text := range all {
		if panics(text) {
			t.Errorf("%s panics by itself", text)
		}
	}
	if text := strings.Replace(all[2], "1", "("+all[0]+" + "+all[1]+")", 1); panics(text) {
		t.Errorf("%s panics, and its operators begin with +", text)
	}
	if text := all[2] + " + " + all[0] + " + " + all[1]; !panics(text) {
		t.Errorf("%s does not panic", text)
	}
	if planted.Sum([]byte("01")) == nil || planted.Sum([]byte("1 +")) == nil {
		t.Error("texts that are no sentences are taken")
	}
}
