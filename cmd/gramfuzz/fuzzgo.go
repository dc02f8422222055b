package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gofunc"
)

// goFlags select the Go function to fuzz.
type goFlags struct {
	fn    string
	watch []string
}

// goMemory is the default address space of the program with a Go function. Without a limit a leak
// would exhaust the machine's memory.
const goMemory = 2 << 30

func (x *goFlags) add(f *flags) {
	f.StringVar(&x.fn, "go", "", "instead of a program: `PACKAGE.FUNC` of a Go function that takes a []byte, string or io.Reader, such as ./parser.Parse, built and run in process; run this in its module")
	f.StringSliceVar(&x.watch, "go-cover", nil, "`PACKAGES` whose edges count, beside those of the function's module, as patterns of the go tool")
}

// check refuses flags that exclude each other.
func (x *goFlags) check(f *fuzzFlags) error {
	switch {
	case x.fn == "" && len(x.watch) > 0:
		return f.wrong("--go-cover goes with --go; name a function")
	case x.fn == "":
		return nil
	case f.NArg() > 0:
		return f.wrong("--go and a program after -- are two things to fuzz; leave one out")
	case f.accept.Regexp != nil:
		return f.wrong("--accepted is about a program's output; a Go function refuses a text by returning an error")
	case f.sane != "":
		return f.wrong("--sanitized is about a program's failures without a stack; those of Go functions have one")
	case f.against != "":
		return f.wrong("--against compares programs and does not go with --go; write a function that compares")
	}
	return nil
}

// drive builds the program of the function in the campaign's folder, and sets it as the target.
func (x *goFlags) drive(ctx context.Context, f *fuzzFlags) error {
	o := &f.o
	f.note("building a program of %s", x.fn)
	out := filepath.Join(o.Dir, gofunc.ProgramName(x.fn))
	if !strings.ContainsRune(out, filepath.Separator) {
		out = "." + string(filepath.Separator) + out // a path without a slash would be looked up in PATH
	}
	p, err := gofunc.Build(ctx, gofunc.Options{Func: x.fn, Watch: x.watch, Out: out})
	if err != nil {
		return err
	}
	o.Command = []string{p.Path, target.Placeholder}
	if !f.Changed("target-memory") && p.Edges {
		f.memory = goMemory
	}
	cmd := f.command(o.Command)
	o.Program = target.Fingerprint(cmd)
	switch f.driver {
	case "auto":
		if !p.Edges {
			f.note("there are no counters of edges on this system; a process is started for each text")
			o.Drive = campaign.ByProcess(cmd)
			return nil
		}
		o.Drive = campaign.ByGo(cmd)
	case "process":
		o.Drive = campaign.ByProcess(cmd)
	default:
		return fmt.Errorf("--driver %s does not go with --go; there are auto, which calls the function in process, and process", f.driver)
	}
	return nil
}
