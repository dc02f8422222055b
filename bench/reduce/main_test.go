package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSlice reduces one small task with the default algorithm and with a single pass.
func TestSlice(t *testing.T) {
	data := os.Getenv("GRAMFUZZ_DATA")
	if data == "" {
		t.Skip("GRAMFUZZ_DATA is not set")
	}
	for _, program := range []string{"python3", "jq", "sqlite3"} { // used by the task's predicate
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	ts, err := tasks(data, filepath.Join("testdata", "tasks"), []string{"json-dupkey"})
	if err != nil || len(ts) != 1 {
		t.Fatalf("%d tasks: %v", len(ts), err)
	}
	b := &bench{jobs: 2, calls: 140, limit: time.Minute, data: data}
	for algorithm, most := range map[string]float64{"auto": 20, "perses": 100} {
		r, err := b.run(context.Background(), ts[0], algorithm)
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		if r.bytes > most || r.calls > 140 || r.input < 2000 {
			t.Errorf("%s: %v bytes to %v in %v calls; want at most %v", algorithm, r.input, r.bytes, r.calls, most)
		}
	}
}

// TestOwnTasks checks that the check of every task here holds for its input, if its programs are
// installed.
func TestOwnTasks(t *testing.T) {
	ts, err := tasksIn(filepath.Join("testdata", "tasks"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(ts) != 10 {
		t.Errorf("%d tasks", len(ts))
	}
	programs := map[string]string{
		"c-two-definitions": "gcc", "css-extend": "sassc", "dockerfile-later-stage": "awk", "go-printf": "go", "makefile-recursive": "make",
		"markdown-link": "cmark", "png-text": "pngcheck", "python-circular": "python3", "sql-circular-view": "sqlite3", "yaml-merge": "python3",
	}
	for _, task := range ts {
		t.Run(task.name, func(t *testing.T) {
			program := programs[task.name]
			if program == "" {
				t.Fatal("its program is not listed here")
			}
			if _, err := exec.LookPath(program); err != nil {
				t.Skip(err)
			}
			if task.name == "yaml-merge" && exec.Command(program, "-I", "-c", "import yaml").Run() != nil {
				t.Skip("there is no yaml")
			}
			p, err := task.predicate()
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if holds, err := p.Test(t.Context(), task.text); !holds || err != nil {
				t.Errorf("%v, %v", holds, err)
			}
		})
	}
}
