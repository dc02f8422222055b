package target

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Placeholder stands in [Command.Args] for the path of the input file. It may
// stand anywhere in an argument and more than once. Where no argument has it, "@@" does the
// same, as in commands for afl-fuzz.
const Placeholder = "{}"

// WithFile returns a command with the path of the input file for each [Placeholder] in its
// arguments, and reports whether there is one.
func WithFile(args []string, path string) (out []string, has bool) {
	contains := func(mark string) bool {
		return slices.ContainsFunc(args[1:], func(a string) bool { return strings.Contains(a, mark) })
	}
	mark := Placeholder
	if !contains(mark) {
		mark = "@@"
	}
	out = slices.Clone(args)
	for i, a := range args[1:] {
		out[i+1] = strings.ReplaceAll(a, mark, path)
	}
	return out, contains(mark)
}

// Feed is the way in which a program gets its input.
type Feed int

const (
	// FeedAuto gives the input as a file when an argument has the
	// [Placeholder] (standard input is then empty), else on standard input.
	FeedAuto Feed = iota
	// FeedAll gives the input in every way at once: on standard input, as a
	// file in the working directory, and that file's path as the last
	// argument ($1 of a script without other arguments) unless an argument
	// has the [Placeholder].
	FeedAll
	// FeedNamed is FeedAll without the argument: scripts for C-Reduce and
	// Perses know the file by its name, and some refuse arguments.
	FeedNamed
)

// Limits that hold when a [Command] leaves them zero.
const (
	DefaultGrace  = 50 * time.Millisecond
	DefaultOutput = 64 << 10
	DefaultName   = "input"
)

// MarkVariable is an environment variable of every program run. It identifies processes that
// outlive the run.
const MarkVariable = "GRAMFUZZ_TARGET"

// Command is a specification of how to run a program. Only Args is required; the fields'
// comments describe the zero values.
type Command struct {
	// Args is the program and its arguments. A program without a separator
	// is looked up in PATH; a relative path is taken from Dir. Other
	// arguments that begin with ./ or ../ and name an existing file are made
	// absolute too, since the program runs in another folder.
	Args []string
	// Feed is the way in which the input is given.
	Feed Feed
	// Env is the environment as key=value; nil inherits that of this process.
	// TMPDIR, PWD and MarkVariable are set for each run.
	Env []string
	// Dir is the folder for relative paths in Args; "" is the current folder.
	Dir string
	// Name is the base name of the input file; "" is DefaultName. A path is
	// cut to its last element.
	Name string
	// Unpack, unless nil, writes an input into the working directory, which is empty. The
	// program then gets that folder for the file, and nothing on standard input. Reuse is
	// ignored.
	Unpack func(dir string, input []byte) error
	// Scratch is the folder in which scratch folders are made; "" is the
	// system's folder for temporary files.
	Scratch string
	// Reuse keeps the scratch folder of a run for a later one, if the program left
	// nothing but the input in it: to a program, it looks like a new one. On a disk,
	// this saves most of the cost of a run besides the program itself. With Reuse,
	// Close must be called at the end.
	Reuse bool
	// Timeout ends a run; 0 sets no limit.
	Timeout time.Duration
	// Grace is the time between SIGTERM and SIGKILL when a run is ended by
	// timeout or context; 0 is DefaultGrace, negative kills at once. For a
	// cancelled context it is at most DefaultGrace.
	Grace time.Duration
	// Memory limits the address space of each process in bytes (RLIMIT_AS,
	// Linux only; elsewhere New refuses it); 0 sets no limit. Programs that
	// reserve far more than they use (AddressSanitizer, Go, Java) need a
	// large one or none. It is set right after the program starts.
	Memory int64
	// Resident limits the memory that the program and the processes of its session
	// hold together, in bytes (Linux; elsewhere New refuses it); 0 sets no limit. It is
	// checked 20 times a second. See [DefaultResident].
	Resident int64
	Bounds
	// Sanitizers sets the environment variables of sanitizers so that they end the
	// program at the first report, and print a stack for abort(3) too. Existing
	// settings in these variables take precedence.
	Sanitizers bool
	// Labels gives the program a file for labels: see [LabelsVariable].
	Labels bool
	// Output is the number of bytes kept of the beginning of standard output and of
	// standard error, each; 0 is DefaultOutput, negative keeps none.
	Output int
}

// Runner is a checked [Command]. It may be used from several goroutines.
type Runner struct {
	cmd     Command
	path    string   // the program, absolute
	args    []string // with placeholders
	env     []string // without the variables that each run sets
	hasFile bool     // an argument has a placeholder
	scratch string   // the folder in which scratch folders are made
	prefix  string   // of the names of scratch folders
	rooms   rooms
}

// New checks a command: the program must exist and be executable, a script must
// name an interpreter that exists. The error is a [*ProgramError] with a hint,
// or says which field is wrong.
func New(cmd Command) (*Runner, error) {
	if len(cmd.Args) == 0 || cmd.Args[0] == "" {
		return nil, errors.New("no program to run; give a command")
	}
	if cmd.Timeout < 0 {
		return nil, fmt.Errorf("timeout %v is negative; give a positive one or 0 for none", cmd.Timeout)
	}
	if cmd.Memory < 0 {
		return nil, fmt.Errorf("memory limit %d is negative; give bytes or 0 for none", cmd.Memory)
	}
	if cmd.Resident < 0 {
		return nil, fmt.Errorf("limit of resident memory %d is negative; give bytes or 0 for none", cmd.Resident)
	}
	if cmd.Memory > 0 && !hasMemoryLimit || cmd.Resident > 0 && !hasResident {
		return nil, errors.New("a memory limit is not supported on this system; leave it out")
	}
	if err := cmd.Bounds.check(); err != nil {
		return nil, err
	}
	path, err := findProgram(cmd.Args[0], cmd.Dir)
	if err != nil {
		return nil, err
	}
	cmd.Name = filepath.Base(cmd.Name)
	if cmd.Name == "." || cmd.Name == ".." || cmd.Name == string(filepath.Separator) {
		cmd.Name = DefaultName
	}
	if cmd.Grace == 0 {
		cmd.Grace = DefaultGrace
	}
	if cmd.Output == 0 {
		cmd.Output = DefaultOutput
	}
	cmd.Reuse = cmd.Reuse && cmd.Unpack == nil
	r := &Runner{cmd: cmd, path: path, env: baseEnv(cmd.Env)}
	if cmd.Sanitizers {
		r.env = sanitizerEnv(r.env)
	}
	if r.args, err = absoluteArgs(cmd.Args, cmd.Dir); err != nil {
		return nil, err
	}
	if r.scratch, err = scratchRoot(cmd.Scratch); err != nil {
		return nil, err
	}
	r.prefix = ScratchPrefix()
	_, r.hasFile = WithFile(r.args, "")
	return r, nil
}

// absoluteArgs returns a copy of args in which paths of files near the caller (./… and ../…)
// are absolute: the program runs in another folder and would not find them.
func absoluteArgs(args []string, dir string) ([]string, error) {
	out := append([]string(nil), args...)
	for i, a := range out[1:] {
		slashed := filepath.ToSlash(a)
		if !strings.HasPrefix(slashed, "./") && !strings.HasPrefix(slashed, "../") {
			continue
		}
		abs, err := filepath.Abs(filepath.Join(dir, a))
		if err != nil {
			return nil, fmt.Errorf("argument %q: %w", a, err)
		}
		if _, err := os.Stat(abs); err == nil {
			out[i+1] = abs
		}
	}
	return out, nil
}

// baseEnv returns the environment that all runs share.
func baseEnv(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	out := make([]string, 0, len(env)+3)
	for _, kv := range env {
		key, _, _ := strings.Cut(kv, "=")
		if key != "TMPDIR" && key != "PWD" && key != MarkVariable && key != LabelsVariable {
			out = append(out, kv)
		}
	}
	return out
}

// sanitizerOptions is the options that [Command.Sanitizers] sets.
var sanitizerOptions = []string{"ASAN_OPTIONS=handle_abort=1", "UBSAN_OPTIONS=halt_on_error=1"}

// sanitizerEnv puts the options before existing ones, because the last one takes effect.
func sanitizerEnv(env []string) []string {
	for _, o := range sanitizerOptions {
		key, _, _ := strings.Cut(o, "=")
		i := slices.IndexFunc(env, func(kv string) bool { return strings.HasPrefix(kv, key+"=") })
		if i < 0 {
			env = append(env, o)
		} else {
			env[i] = o + ":" + env[i][len(key)+1:]
		}
	}
	return env
}

// argv returns the argument list for an input at path.
func (r *Runner) argv(path string) []string {
	argv, _ := WithFile(r.args, path)
	if strings.ContainsAny(argv[0], `/\`) {
		argv[0] = r.path // a relative $0 would not be found from the scratch folder
	}
	if r.cmd.Feed == FeedAll && !r.hasFile {
		argv = append(argv, path)
	}
	return argv
}

// wantsFile reports whether the input is written to a file; wantsStdin, whether it is given
// on standard input.
func (r *Runner) wantsFile() bool { return r.cmd.Feed != FeedAuto || r.hasFile }
func (r *Runner) wantsStdin() bool {
	return r.cmd.Unpack == nil && (r.cmd.Feed != FeedAuto || !r.hasFile)
}
