package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// targetFlags are the flags of running a program.
type targetFlags struct {
	timeout time.Duration
	memory  words.Bytes
	held    words.Bytes
	file    words.Bytes
	bounds  target.Bounds
	isolate bool
	write   []string
	driver  string
	against string
	sane    string
}

func (t *targetFlags) add(f *flags) {
	f.durationVar(&t.timeout, "timeout", fuzzTimeout, "the time limit of the program for one sentence; longer is a hang")
	t.held = words.Bytes(target.DefaultResident())
	if t.held > 0 {
		f.Var(&t.held, "target-rss", "the greatest memory of the program and its child processes; a quarter of the machine's when not given")
	}
	t.bounds = target.DefaultBounds()
	if t.bounds != (target.Bounds{}) {
		t.file = words.Bytes(t.bounds.FileSize)
		f.Var(&t.file, "target-file", "the greatest size of a file that the program writes")
		f.IntVar(&t.bounds.Processes, "target-processes", t.bounds.Processes, "the greatest number of processes of the program at once; more are a failure, 0 for no limit")
	}
	f.BoolVar(&t.isolate, "isolate", false, "deny the program the network, writing outside its scratch folder, and signals to others (Linux)")
	f.StringArrayVar(&t.write, "target-write", nil, "with --isolate: a file or folder, `PATH`, that the program may write too; may be given again")
	f.Var(&t.memory, "target-memory", "the greatest address space of the program (Linux); no limit when not given. Sanitizers, node and Java reserve far more than they use")
	f.StringVar(&t.driver, "driver", "auto", "how the program is run: process, afl (its fork server), or auto: afl if it is compiled for that")
	f.StringVar(&t.against, "against", "", "a second `COMMAND` with the same task, split at spaces: it is a finding if one accepts a text and the other refuses it, or if outputs differ")
	f.StringVar(&t.sane, "sanitized", "", "a `COMMAND`, split at spaces, that runs a build of the program with a sanitizer: it replaces gdb to find the stack of failures without one")
}

// command returns the program for package target.
func (t *targetFlags) command(args []string) target.Command {
	t.bounds.FileSize = int64(t.file)
	return target.Command{
		Args: args, Timeout: t.timeout, Memory: int64(t.memory), Resident: int64(t.held), Bounds: t.bounds, Labels: true, Sanitizers: true,
	}
}

// cage checks that the program can be isolated, if that is demanded, and reports missing parts.
func (t *targetFlags) cage(f *flags) error {
	switch {
	case t.isolate:
		t.bounds.Isolate = &target.Isolation{Helper: selfPath, Write: t.write}
	case len(t.write) > 0:
		return f.wrong("--target-write is about --isolate; without it the program may write where you may")
	}
	c, err := target.NewCage(target.Bounds{Isolate: t.bounds.Isolate}, 0, os.TempDir())
	if err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	for _, m := range c.Missing() {
		f.note("--isolate: %s", m)
	}
	if err := target.GroupsMissing(); err != nil && t.bounds.Processes > 0 {
		f.note("no limit of the kernel holds the program's processes, so they are counted 20 times a second: %v", err)
	}
	return c.Close()
}

// selfPath is this program, on Linux.
const selfPath = "/proc/self/exe"

// drive sets the driver of the program, and refuses flags that it does not support.
func (t *targetFlags) drive(o *campaign.Options, args []string) error {
	return o.SetProgram(t.command(args), t.driver, strings.Fields(t.sane), strings.Fields(t.against))
}

// failFlags are the flags of further kinds of failures, and of labels.
type failFlags struct {
	exits  []string
	ignore []string

	output, label, accept words.Regexp
}

func (x *failFlags) add(f *flags) {
	f.StringSliceVar(&x.exits, "fail-exit", nil, "exit `CODES` that are failures, such as 70,139; any: all but 0")
	f.Var(&x.output, "fail-output", "a `REGEXP`: a match in the output is a failure, each different match a finding")
	f.StringSliceVar(&x.ignore, "ignore", nil, "`CLASSES` of failures to ignore: "+campaign.Classes())
	f.Var(&x.label, "label", "a `REGEXP`: each different match in the output is a behaviour of its own for --guide")
	f.Var(&x.accept, "accepted", "a `REGEXP` that matches the output for accepted texts, if the exit code does not distinguish them")
}

func (x *failFlags) failing(f *flags) (out campaign.Failing, err error) {
	if err := out.Set(x.exits, x.ignore); err != nil {
		return out, f.wrong("%v", err)
	}
	out.Output = x.output.Regexp
	return out, nil
}

func guideNames() string { return strings.Join(guide.Names(), ", ") }

func checkGuide(f *flags, name string) error {
	if !slices.Contains(guide.Names(), name) {
		return f.wrong("unknown guide %q; there are %s", name, guideNames())
	}
	return nil
}
