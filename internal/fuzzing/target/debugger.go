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

// Debugger runs a program again in gdb to get the stack of a failure that showed none. It
// may be used from several goroutines. A run takes at least a quarter of a second.
type Debugger struct{ runner *Runner }

// ErrNoDebugger is the error if there is no gdb, or if gdb cannot run the program: a script,
// or a program for another machine.
var ErrNoDebugger = errors.New("gdb is not in PATH, or cannot run the program")

// debuggerTime is added to ten times the program's timeout to bound a run in the debugger.
const debuggerTime = 20 * time.Second

// debuggerFrames is the number of frames that gdb is asked for.
const debuggerFrames = "64"

// executables is the first bytes of the files that gdb can run.
var executables = [][]byte{[]byte("\x7fELF"), []byte("\xcf\xfa\xed\xfe")}

// NewDebugger returns a debugger for a command. It ignores the command's limit of memory,
// because gdb needs more.
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
	// gdb quotes the arguments for a shell, so SHELL must be one that understands this.
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
// innermost first. It returns nil if no signal ends the program, or if the stack has no
// known frame.
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
			return frames[i:], nil // the frames inside it: a call to an address without code
		}
	}
	return frames, nil
}

// withoutAddresses removes addresses from frames, because they are random in each run.
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
