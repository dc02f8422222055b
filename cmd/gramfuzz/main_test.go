package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

var update = flag.Bool("update", false, "write what scripts compare with anew")

func TestMain(m *testing.M) {
	target.EnterCage()
	beFaulty()
	testscript.Main(m, map[string]func(){"gramfuzz": main, "gramfuzz-broken": broken, "gramfuzz-get": get})
}

// get prints what an address serves.
func get() {
	r, err := http.Get(os.Args[1])
	if err == nil {
		_, err = io.Copy(os.Stdout, r.Body)
	}
	if err != nil {
		panic(err)
	}
}

// broken is a gramfuzz whose commands panic.
func broken() {
	std := newStreams(os.Stdin, os.Stdout, os.Stderr)
	os.Exit(finish(context.Background(), guard(func() error { panic("an invariant is broken: \x1b[2J") }), std))
}

// TestScript runs testdata/script: one file for each subcommand or idea.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition: func(name string) (bool, error) {
			if name != "isolation" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			c, err := target.NewCage(&target.Isolation{Helper: selfPath}, t.TempDir())
			if err != nil {
				return false, nil
			}
			return len(c.Missing()) == 0, c.Close()
		},
		Setup: func(env *testscript.Env) error {
			// Every script has a cache of its own, and sees a plain terminal.
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("LocalAppData", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("TERM", "dumb")
			// But builds need not begin with the standard library.
			if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
				env.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
			}
			return os.MkdirAll(filepath.Join(env.WorkDir, ".cache"), 0o777)
		},
	})
}
