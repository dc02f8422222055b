package afl

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/target"
)

// Limits that hold when [Options] leave them zero.
const (
	DefaultTimeout  = time.Second
	DefaultMapSize  = 8 << 20
	DefaultMaxInput = 1 << 20
)

// startTimeout is how long a program may take to its fork server's first word.
const startTimeout = 10 * time.Second

// Options say what is run and how. Args alone must be given.
type Options struct {
	// Args is the program and its arguments; [target.Placeholder] stands for
	// the path of the input file. Without one the program gets its input in
	// shared memory if it asks for that, else on standard input.
	Args []string
	// Dir is where a relative program path starts; "" is the current folder.
	Dir string
	// Env is the environment; nil inherits that of this process. What AFL++
	// programs need is added, sanitizer options only where there are none.
	Env []string
	// Scratch is the folder for the driver's own folder, in which the program
	// runs; "" is the system's folder for temporary files.
	Scratch string
	// Timeout ends one run; 0 is DefaultTimeout.
	Timeout time.Duration
	// Memory limits the address space in bytes, as [target.Command] does.
	Memory int64
	// Resident limits the memory that is held, in bytes, as [target.Command] does.
	Resident      int64
	target.Bounds // of all that the fork server runs
	// MapSize is the most bytes of coverage a program may use; 0 is
	// DefaultMapSize. Memory is taken only for what it uses.
	MapSize int
	// Direct is for a program that runs the inputs in the process of its fork
	// server, as those of package gofunc do. When it dies in a run, that is the
	// run's result, with what it wrote to standard error, and the next run starts
	// another. One that takes too long is ended with SIGQUIT, at which a Go
	// program prints where it is.
	Direct bool
	// MaxInput is the longest input in bytes; 0 is DefaultMaxInput.
	MaxInput int
}

// ServerError says that the fork server did not answer as it should.
type ServerError struct {
	Program string
	Problem string
	Hint    string
	Err     error // the cause, or nil
}

// Error is "program: what; what to do".
func (e *ServerError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.Program, e.Problem, e.Hint)
}

// Unwrap gives the cause.
func (e *ServerError) Unwrap() error { return e.Err }

func (o *Options) complete() error {
	if len(o.Args) == 0 || o.Args[0] == "" {
		return errors.New("no program to run; give a command")
	}
	if o.Timeout < 0 || o.Memory < 0 || o.Resident < 0 || o.MapSize < 0 || o.MaxInput < 0 {
		return errors.New("a limit is negative; give a positive one or 0 for the usual")
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MapSize == 0 {
		o.MapSize = DefaultMapSize
	}
	if o.MaxInput == 0 {
		o.MaxInput = DefaultMaxInput
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	return nil
}

// sanitizerOptions make sanitizers abort, so that a report is seen as a death
// by signal, and keep them from slow work.
var sanitizerOptions = []string{
	"ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:malloc_context_size=0:symbolize=0:allocator_may_return_null=1",
	"UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:malloc_context_size=0:symbolize=0",
	"MSAN_OPTIONS=abort_on_error=1:msan_track_origins=0:malloc_context_size=0:symbolize=0",
}

// environment is what the program runs in. Variables that are set anew replace
// those of the same name.
func environment(base, set []string) []string {
	have := map[string]bool{}
	for _, kv := range set {
		key, _, _ := strings.Cut(kv, "=")
		have[key] = true
	}
	env := append([]string(nil), set...)
	for _, kv := range base {
		key, _, _ := strings.Cut(kv, "=")
		if have[key] || strings.HasPrefix(key, "__AFL_") {
			continue
		}
		env = append(env, kv)
		if strings.HasSuffix(key, "_OPTIONS") {
			have[key] = true
		}
	}
	for _, kv := range sanitizerOptions {
		if key, _, _ := strings.Cut(kv, "="); !have[key] {
			env = append(env, kv)
		}
	}
	return env
}

// hasPlaceholder says whether the program takes its input as a file.
func hasPlaceholder(args []string) bool {
	for _, a := range args[1:] {
		if strings.Contains(a, target.Placeholder) {
			return true
		}
	}
	return false
}
