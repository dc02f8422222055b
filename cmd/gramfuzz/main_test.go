package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/fleet"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/ui/screen"
)

var update = flag.Bool("update", false, "write what scripts compare with anew")

func TestMain(m *testing.M) {
	if target.EnterCage(os.Args) {
		return
	}
	beFaulty()
	serveHub = fleet.Serve // with the build tag hub or without
	testscript.Main(m, map[string]func(){"gramfuzz": main, "gramfuzz-broken": broken, "gramfuzz-screen": brokenScreen, "gramfuzz-get": get, "gramfuzz-peak": peak})
}

// peak is gramfuzz, which at its end prints a line with the peak of its memory on Linux.
func peak() {
	std := newStreams(os.Stdin, os.Stdout, os.Stderr)
	std.limitMemory = func(bytes int64) { debug.SetMemoryLimit(bytes) }
	code := cli(os.Args[1:], std)
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Fprint(os.Stderr, line)
		}
	}
	os.Exit(code)
}

// get prints the response of an address.
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

// screenShown is the file that a test makes when it sees the screen of brokenScreen.
const screenShown = "shown"

// brokenScreen is a gramfuzz with a screen; $BREAK selects how its work ends.
func brokenScreen() {
	std := newStreams(os.Stdin, os.Stdout, os.Stderr)
	broken := func(ctx context.Context, _ []string, std streams) error {
		f := newFlags(std, "", "")
		_, closeScreen, err := (&screenFlags{watch: true}).start(f, false, screen.Options{View: screen.NewCampaign(), Title: "broken"})
		if err != nil {
			return err
		}
		defer closeScreen()
		for _, err := os.Stat(screenShown); err != nil; _, err = os.Stat(screenShown) {
			time.Sleep(10 * time.Millisecond)
		}
		switch os.Getenv("BREAK") {
		case "a panic":
			panic("an invariant is broken: \x1b[2J")
		case "a panic of a worker":
			dir, err := os.MkdirTemp("", "")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			c, err := campaign.New(ctx, grammars.Must("json"), campaign.Options{Dir: dir, Jobs: 2, Drive: campaign.Func(func(context.Context, []byte) (*campaign.Ran, error) {
				panic("an invariant is broken: \x1b[2J")
			})})
			if err == nil {
				_, err = c.Run(ctx)
			}
			return err
		}
		select {}
	}
	os.Exit(run(std, func() (*command, []string, int) { return &command{run: broken}, nil, 0 }))
}

// TestScript runs testdata/script: one file for each subcommand or topic.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition: func(name string) (bool, error) {
			switch name {
			case "groups":
				c, err := target.NewCage(target.DefaultBounds(), 0, "")
				return c != nil, err
			case "isolation":
			default:
				return false, fmt.Errorf("there is no condition %q", name)
			}
			c, err := target.NewCage(target.Bounds{Isolate: &target.Isolation{Helper: selfPath}}, 0, t.TempDir())
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
			// Builds share Go's cache, so that they need not compile the standard library.
			if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
				env.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
			}
			return os.MkdirAll(filepath.Join(env.WorkDir, ".cache"), 0o777)
		},
	})
}
