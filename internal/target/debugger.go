package target

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Debugger runs a program again in gdb, for the stack of a failure that showed none. It
// may be used from several goroutines. A run takes a quarter of a second and more.
type Debugger struct{ runner *Runner }

// ErrNoDebugger says that there is no gdb, or that the program is none that it can run: a
// script, or one for another machine.
var ErrNoDebugger = errors.New("gdb is not in PATH, or cannot run the program")

// debuggerTime bounds a run in the debugger, beside ten times that of the program.
const debuggerTime = 20 * time.Second

// debuggerFrames is how many frames are asked for.
const debuggerFrames = "64"

// executables are how files begin that gdb runs.
var executables = [][]byte{[]byte("\x7fELF"), []byte("\xcf\xfa\xed\xfe")}

// NewDebugger returns a debugger for a command; its limit of memory does not hold, since
// gdb takes more.
func NewDebugger(cmd Command) (*Debugger, error) {
	r, err := New(cmd)
	if err != nil {
		return nil, err
	}
	gdb, err := exec.LookPath("gdb")
	if err != nil || !isExecutable(r.path) {
		return nil, ErrNoDebugger
	}
	args := []string{gdb, "-nx", "-batch"}
	for _, set := range []string{"debuginfod enabled off", "auto-load off", "width 0", "print frame-arguments none"} {
		args = append(args, "-iex", "set "+set)
	}
	args = append(args, "-ex", "handle all nostop noprint pass",
		"-ex", "handle SIGSEGV SIGABRT SIGBUS SIGFPE SIGILL SIGSYS stop print",
		"-ex", "run", "-ex", "bt "+debuggerFrames, "--args", r.path)
	cmd.Args = append(args, r.args[1:]...)
	// gdb quotes the arguments for a shell, which must be one that reads that.
	cmd.Env = slices.DeleteFunc(slices.Clone(r.env), func(kv string) bool { return strings.HasPrefix(kv, "SHELL=") })
	cmd.Env = append(cmd.Env, "SHELL=/bin/sh")
	cmd.Memory, cmd.Labels, cmd.Output = 0, false, 1<<20
	if cmd.Timeout > 0 {
		cmd.Timeout = 10*cmd.Timeout + debuggerTime
	}
	d, err := New(cmd)
	return &Debugger{d}, err
}

func isExecutable(path string) bool {
	head := readHead(path)
	for _, e := range executables {
		if bytes.HasPrefix(head, e) {
			return true
		}
	}
	return false
}

// Frames runs the program on an input and returns the stack at the signal that ends it,
// innermost first; nil where it does not end by one, or where the stack tells nothing.
func (d *Debugger) Frames(ctx context.Context, input []byte) ([]Frame, error) {
	res, err := d.runner.Run(ctx, input)
	if err != nil {
		return nil, err
	}
	_, stack, found := bytes.Cut(res.Stdout, []byte("\nProgram received signal "))
	if !found {
		return nil, nil
	}
	frames := readFrames(splitLines(stack), &form{frame: gdbFrame}, res.Scratch)
	if bytes.Contains(res.Stderr, []byte("disabling address space randomization")) {
		frames = withoutAddresses(frames)
	}
	for i, f := range frames {
		if !isAddress(f.Func) {
			return frames[i:], nil // above it: a call to where no code is
		}
	}
	return frames, nil
}

// withoutAddresses leaves out what another run would not have: addresses that the system
// draws anew.
func withoutAddresses(frames []Frame) (kept []Frame) {
	for _, f := range frames {
		if isAddress(f.Place) {
			f.Place = ""
		}
		if !isAddress(f.Func) {
			kept = append(kept, f)
		}
	}
	return kept
}

func isAddress(s string) bool { return len(s) > 2 && s[:2] == "0x" }

// Close removes the scratch folders of a command with [Command.Reuse].
func (d *Debugger) Close() error { return d.runner.Close() }
