package gofunc

import (
	"context"
	"embed"
	"encoding/json"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Options is the specification of a program to build. Func and Out are required.
type Options struct {
	// Func is PACKAGE.FUNC. The package is a path or a pattern of one package, as
	// for the go tool; the default is the current one.
	//
	// The function takes one []byte, string or io.Reader; variadic options may
	// follow. Its results are ignored, except an error as the last one. It has no
	// type parameters. It may be unexported, internal or in a package main if its
	// package is in the main module.
	Func string
	// Dir is the folder in a module from which the package is resolved; "" is the
	// current one.
	Dir string
	// Watch is patterns of packages whose edges count, in addition to those of the
	// function's own module.
	Watch []string
	// Out is the path of the program. A file there is replaced when the new one
	// is complete.
	Out string
}

// Program is a built program.
type Program struct {
	Path  string
	Func  string // the path of the package, a dot, the function
	Edges bool   // it has edge counters, and works with internal/fuzzing/target/afl
}

//go:embed harness
var harness embed.FS

// Names that no module uses.
const (
	servePackage = target.HarnessMark
	mainPackage  = target.HarnessMark + "_main"
	exportFile   = target.HarnessMark + "_export.go"
)

// Build builds the program. It takes the time of go build. An error of the user is a
// [*target.ProgramError].
func Build(ctx context.Context, opt Options) (*Program, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, problem(opt.Func, "the go tool is not in PATH", "install Go, or put its folder bin into PATH", err)
	}
	t := &goTool{dir: opt.Dir, name: opt.Func}
	env, err := t.env(ctx)
	if err != nil {
		return nil, err
	}
	f, err := t.find(ctx, opt.Func)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "gramfuzz-go-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	o := &overlay{scratch: scratch, Replace: map[string]string{}}
	main, err := o.add(f, env)
	if err != nil {
		return nil, err
	}
	path, err := o.write()
	if err != nil {
		return nil, err
	}
	args := []string{"build", "-overlay", path, "-buildvcs=false", "-ldflags=-checklinkname=0", "-o", filepath.Join(scratch, "program")}
	args = append(append(args, f.flags(main, opt.Watch, env.edges())...), main)
	if _, err := t.run(ctx, "does not build", args...); err != nil {
		return nil, err
	}
	if err := install(filepath.Join(scratch, "program"), opt.Out); err != nil {
		return nil, err
	}
	return &Program{Path: opt.Out, Func: f.pkg.ImportPath + "." + f.name, Edges: env.edges()}, nil
}

// flags returns the build flags that instrument the watched packages. The harness, into which
// the function may be inlined, is instrumented too, but not the code that runs it.
func (f *function) flags(main string, watch []string, edges bool) []string {
	if !edges {
		return nil
	}
	patterns := []string{main, f.pkg.ImportPath}
	if m := f.pkg.Module; m != nil {
		patterns = append(patterns, m.Path+"/...")
	}
	var flags []string
	for _, p := range slices.Concat(patterns, watch) {
		flags = append(flags, "-gcflags="+p+"=-d=libfuzzer")
	}
	return append(flags, "-gcflags="+f.home.path+"/"+servePackage+"=")
}

// install moves a program to its path. A running program there is not affected.
func install(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(to), ".program-")
	if err != nil {
		return err
	}
	_, err = beside.Write(data)
	if e := beside.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(beside.Name(), 0o777)
	}
	if err == nil {
		err = os.Rename(beside.Name(), to)
	}
	if err != nil {
		os.Remove(beside.Name())
	}
	return err
}

// goTool runs go commands.
type goTool struct {
	dir  string
	name string // of the function, for errors
}

// oldest is the first version of Go whose linker has -checklinkname.
const oldest = "go1.23"

// goEnv is the used part of the output of go env.
type goEnv struct{ GOOS, GOARCH, GOMOD, GOVERSION string }

// edges reports whether the toolchain has edge counters that another process can read through
// shared memory.
func (e *goEnv) edges() bool {
	return e.GOOS == "linux" && slices.Contains([]string{"amd64", "arm64", "loong64"}, e.GOARCH)
}

func (t *goTool) env(ctx context.Context) (*goEnv, error) {
	out, err := t.run(ctx, "go env does not work", "env", "-json", "GOOS", "GOARCH", "GOMOD", "GOVERSION")
	if err != nil {
		return nil, err
	}
	var e goEnv
	if err := json.Unmarshal(out, &e); err != nil {
		return nil, err
	}
	if e.GOMOD == "" || e.GOMOD == os.DevNull {
		return nil, problem(t.name, "there is no module here", "run it in the folder of a go.mod, or one below", nil)
	}
	if version.IsValid(e.GOVERSION) && version.Compare(e.GOVERSION, oldest) < 0 { // a version between releases is not valid
		return nil, problem(t.name, "the toolchain is "+e.GOVERSION, "use "+oldest+" or a newer one", nil)
	}
	return &e, nil
}

// maxSaid bounds the bytes quoted from the output of the go tool.
const maxSaid = 2 << 10

// run runs a go command and returns its output; trouble describes its failure.
func (t *goTool) run(ctx context.Context, trouble string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = t.dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		text := strings.TrimSpace(said.String())
		if len(text) > maxSaid {
			text = text[:maxSaid] + "\n…"
		}
		return nil, problem(t.name, trouble, "the go tool says:\n"+text, err)
	}
	return out, nil
}

func problem(name, what, hint string, err error) error {
	return &target.ProgramError{Program: name, Problem: what, Hint: hint, Err: err}
}
