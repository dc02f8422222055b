package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	var out strings.Builder
	if err := run(context.Background(), []string{"-g", "tree", "-lengths", "8", "-mb", "1", "-rounds", "1"}, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 3 {
		t.Errorf("%d lines:\n%s", n, &out)
	}
}

func TestRival(t *testing.T) {
	if _, err := exec.LookPath("seq"); err != nil {
		t.Skip("no seq to compare with")
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-g", "tree", "-lengths", "8", "-mb", "1", "-rounds", "1", "-rival", "seq 10000 60000"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), " 50001 |") || !strings.Contains(out.String(), "geometric mean") {
		t.Errorf("no comparison with 50,001 distinct lines:\n%s", &out)
	}
}

func TestReal(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA names no data folder")
	}
	var out strings.Builder
	if err := run(context.Background(), []string{"-real", filepath.Join(data, "grammars"), "-n", "20", "-strategy", "uniform,walk", "-rival", "echo GRAMMAR START N"}, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 82 || !strings.Contains(out.String(), "geometric mean") || !strings.Contains(out.String(), "rival") {
		t.Errorf("%d lines:\n%s", n, &out)
	}
}
