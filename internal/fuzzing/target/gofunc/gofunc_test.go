package gofunc

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/afl"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

var sample = filepath.Join("testdata", "mod")

func build(t *testing.T, fn string) *Program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs have other names")
	}
	p, err := Build(t.Context(), Options{Func: fn, Dir: sample, Out: filepath.Join(t.TempDir(), "program")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// failures is functions of the module, each with a text on which it fails and the signature.
var failures = []struct {
	fn, full, text string
	want           string
}{
	{"./calc.Parse", "example.com/mod/calc.Parse", "((((1/0))))", "go-panic|panic|example.com/mod/calc.(*parser).term|calc.go:58"},
	{"example.com/mod/calc.exits", "example.com/mod/calc.exits", "((1))", "go-panic|fatal|example.com/mod/calc.exits|calc.go:89"},
	{"./calc.Waits", "example.com/mod/calc.Waits", "((1))", "go-panic|fatal|example.com/mod/calc.Waits|calc.go:109"},
	{"./calc.Recurses", "example.com/mod/calc.Recurses", "((1))", "go-panic|fatal|recursion|example.com/mod/calc.Recurses"},
	{"./calc.Hangs", "example.com/mod/calc.Hangs", "((1))", "timeout"},
	{"./calc.Eats", "example.com/mod/calc.Eats", "((1))", "oom"},
	{"./internal/hidden.Parse", "example.com/mod/internal/hidden.Parse", "((((1/0))))", "go-panic|panic|example.com/mod/calc.(*parser).term|calc.go:58"},
	{"./cmd/app.run", "example.com/mod/cmd/app.run", "((((1/0))))", "go-panic|panic|example.com/mod/calc.(*parser).term|calc.go:58"},
}

// Each kind of failure is reported, in a process for one text and in one for many. Later texts
// run as if nothing had happened.
func TestFailures(t *testing.T) {
	for _, tt := range failures {
		t.Run(tt.fn, func(t *testing.T) {
			t.Parallel()
			p := build(t, tt.fn)
			if p.Func != tt.full {
				t.Errorf("built %s", p.Func)
			}
			timeout := 10 * time.Second
			if tt.want == "timeout" {
				timeout = 300 * time.Millisecond
			}
			cmd := target.Command{Args: []string{p.Path, target.Placeholder}, Timeout: timeout, Scratch: t.TempDir()}
			if p.Edges {
				cmd.Memory = 2 << 30
			} else if tt.want == "oom" {
				t.Skip("no limit of memory")
			}
			byProcess(t, cmd, tt.text, tt.want)
			if p.Edges {
				d := inProcess(t, p, afl.Options{Timeout: cmd.Timeout, Memory: cmd.Memory})
				lasting(t, d, tt.text, tt.want)
			}
		})
	}
}

// run runs a text, again if a busy machine did not let it end in time.
func run(t *testing.T, r interface {
	Run(context.Context, []byte) (*target.Result, error)
}, text, want string) *target.Result {
	t.Helper()
	for {
		res, err := r.Run(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if res.Kind != target.TimedOut || want == "timeout" {
			return res
		}
	}
}

func byProcess(t *testing.T, cmd target.Command, text, want string) {
	t.Helper()
	r, err := target.New(cmd)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, want string }{{"1+1", "ok"}, {text, want}} {
		res := run(t, r, tt.text, tt.want)
		if got := target.Classify(res).Signature(); got != tt.want {
			t.Errorf("%q: %s, want %s\n%s", tt.text, got, tt.want, res.Stderr)
		}
	}
}

// inProcess starts a program to run texts in its own process.
func inProcess(t *testing.T, p *Program, o afl.Options) *afl.Driver {
	t.Helper()
	if !p.Edges {
		t.Skip("there is no process that lasts, and no edges")
	}
	o.Args, o.Scratch, o.Direct = []string{p.Path}, t.TempDir(), true
	d, err := afl.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func lasting(t *testing.T, d *afl.Driver, text, want string) {
	t.Helper()
	for _, tt := range []struct{ text, want string }{{"1+1", "ok"}, {text, want}, {"2*2", "ok"}, {"2*2", "ok"}, {text, want}} {
		res := run(t, d, tt.text, tt.want)
		if got := target.Classify(res).Signature(); got != tt.want {
			t.Errorf("in process, %q: %s, want %s\n%s", tt.text, got, tt.want, res.Stderr)
		}
		if tt.want == "timeout" && !strings.HasPrefix(string(res.Stderr), "SIGQUIT: quit") {
			t.Errorf("a hang does not say where:\n%s", res.Stderr)
		}
		if d.Running() != (tt.want == "ok") {
			t.Errorf("%q: running %v", tt.text, d.Running())
		}
	}
}

// Edges tell texts apart, and an error that the function returns is exit code 1.
func TestEdges(t *testing.T) {
	t.Parallel()
	d := inProcess(t, build(t, "./calc.Parse"), afl.Options{})
	run := func(text string, code int) string {
		t.Helper()
		res, err := d.Run(t.Context(), []byte(text))
		if err != nil || res.Kind != target.Exited || res.Code != code {
			t.Fatalf("%q: %v, %v", text, res, err)
		}
		return string(d.Map())
	}
	one, product, sum, again := run("1", 0), run("2*3", 0), run("2+3", 0), run("1", 0)
	if one != again {
		t.Error("the same text has other edges")
	}
	if one == product || product == sum || strings.Trim(one, "\x00") == "" {
		t.Error("what differs has the same edges")
	}
	run("x", 1)
	if n := len(d.Map()); n > 1000 {
		t.Errorf("%d edges; more than the module is watched", n)
	}
}

// A panic of a goroutine that outlives its run is a failure of one of the next.
func TestLater(t *testing.T) {
	t.Parallel()
	d := inProcess(t, build(t, "./calc.Later"), afl.Options{})
	text := "((1))"
	for range 10000 { // a busy machine may let the goroutine wait for seconds
		res, err := d.Run(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if o := target.Classify(res); o.Failed() {
			if o.Message != "later" {
				t.Errorf("%v\n%s", o, res.Stderr)
			}
			return
		}
		text = "1"
		time.Sleep(time.Millisecond)
	}
	t.Error("the panic was not seen")
}

// The stack of a hang is known, unless the function was just on another thread.
func TestHangStack(t *testing.T) {
	t.Parallel()
	d := inProcess(t, build(t, "./calc.Hangs"), afl.Options{Timeout: 100 * time.Millisecond})
	for range 20 {
		res, err := d.Run(t.Context(), []byte("((1))"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(res.Stderr), "example.com/mod/calc.Hangs(") {
			return
		}
	}
	t.Error("it never said where it hangs")
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ fn, want string }{
		{"./calc.Nope", "package example.com/mod/calc has no function Nope; functions that can be fuzzed are Parse, "},
		{"./calc.Two", "takes something else than one text; write a function"},
		{"./calc", "names no function; write PACKAGE.FUNC"},
		{"./calc.9", "names no function; write PACKAGE.FUNC"},
		{"./nothing.Parse", "the package cannot be used; the go tool says:"},
		{"./....Parse", "is more than one package; name one"},
		{"Parse", "the package cannot be used; the go tool says:\nno Go files in"},
		{"./broken.Parse", "does not build; the go tool says:"},
		{"./tested.parse", "is in tested_test.go, which is for tests alone; move it"},
		{"bytes.clone", "package bytes has no function clone"},
		{"encoding/json.checkValid", "takes something else"},
		{"encoding/json.freeScanner", "takes something else"},
		{"net/url.unescape", "takes something else"},
		{"net/url.validOptionalPort", "is not exported, and in another module; run it in that module"},
	} {
		_, err := Build(t.Context(), Options{Func: tt.fn, Dir: sample, Out: filepath.Join(t.TempDir(), "program")})
		var pe *target.ProgramError
		if !errors.As(err, &pe) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), tt.fn+": ") {
			t.Errorf("%s: %v, want %q", tt.fn, err, tt.want)
		}
	}
	if _, err := Build(t.Context(), Options{Func: "./calc.Parse", Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "there is no module here") {
		t.Errorf("without a module: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, Options{Func: "./calc.Parse", Dir: sample}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A function of another module, here the standard library, is instrumented too.
func TestOtherModule(t *testing.T) {
	t.Parallel()
	d := inProcess(t, build(t, "encoding/json.Valid"), afl.Options{})
	if _, err := d.Run(t.Context(), []byte(`{"a": [1, 2]}`)); err != nil {
		t.Fatal(err)
	}
	if edges := len(strings.ReplaceAll(string(d.Map()), "\x00", "")); edges < 20 {
		t.Errorf("%d edges", edges)
	}
}

// TestCompare checks that unequal values that a function compares are recorded, in runs of which
// they are wanted.
func TestCompare(t *testing.T) {
	p := build(t, "./planted.Run")
	if !p.Edges {
		t.Skip("the toolchain has no edges here")
	}
	d := inProcess(t, p, afl.Options{})
	has := func(text string, want gocov.Comparison) bool {
		t.Helper()
		all, err := d.Compare(t.Context(), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(all, func(c gocov.Comparison) bool {
			c.Place = 0
			return c == want
		})
	}
	number := gocov.Comparison{Constant: true, Width: 8, X: 31337, Y: 548}
	kinds := gocov.Comparison{S: "text", T: "int"}
	const program, other = "let a : int = 555\nboth a a\n", "let a : text = 'x'\nboth a a\n"
	if !has(program, number) || has(program, kinds) {
		t.Error("the comparisons of a number are not as expected")
	}
	if has(other, number) || !has(other, kinds) {
		t.Error("the comparisons of a text are not as expected")
	}
	if res, err := d.Run(t.Context(), []byte(program)); err != nil || res.Code != 0 {
		t.Errorf("a run without comparisons: %+v, %v", res, err)
	}
	if has("let a : int = 31344\nboth a a\n", number) {
		t.Error("a run that fails has comparisons of an earlier one")
	}
	if !has(program, number) {
		t.Error("after a failure there are no comparisons")
	}
}
