package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestSlice(t *testing.T) {
	if os.Getenv("GRAMFUZZ_DATA") == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("no JDK")
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-bytes", "20000,40000", "-passes", "1"}, &out); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(rows) != 4 {
		t.Errorf("%d lines, want a head of two and a row for each length:\n%s", len(rows), &out)
	}
}
