package afl

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

// Limits that hold when [Options] leave them zero.
const (
	DefaultTimeout  = time.Second
	DefaultMapSize  = 8 << 20
	DefaultMaxInput = 1 << 20
)

// startTimeout bounds the time until the first word of a program's fork server.
const startTimeout = 10 * time.Second

// Options is the specification of a program and its limits. Only Args is required.
type Options struct {
	// Args is the program and its arguments; [target.Placeholder] or @@ stands for
	// the path of the input file. Without one the program gets its input in
	// shared memory if it asks for that, else on standard input.
	Args []string
	// Dir is the folder for a relative program path; "" is the current folder.
	Dir string
	// Env is the environment; nil inherits that of this process. Variables for
	// AFL++ programs are added, but existing sanitizer options are kept.
	Env []string
	// Scratch is the folder for the driver's own folder, in which the program
	// runs; "" is the system's folder for temporary files.
	Scratch string
	// Timeout ends one run; 0 is DefaultTimeout.
	Timeout time.Duration
	// Memory limits the address space in bytes, as [target.Command] does.
	Memory int64
	// Resident limits the resident memory in bytes, as [target.Command] does.
	Resident      int64
	target.Bounds // of all processes of the fork server
	// MapSize bounds the bytes of coverage of a program; 0 is DefaultMapSize.
	// Memory is allocated only for the bytes in use.
	MapSize int
	// Direct is for a program that runs the inputs in the process of its fork
	// server, as those of package gofunc do. If it dies in a run, that is the run's
	// result, with its standard error, and the next run starts another process. A
	// run that takes too long is ended with SIGQUIT, on which a Go program prints
	// its stack.
	Direct bool
	// CmpLog is for a program compiled with AFL_LLVM_CMPLOG by a version of AFL++ in
	// [CmpLogVersions], for Compare.
	CmpLog bool
	// MaxInput is the longest input in bytes; 0 is DefaultMaxInput.
	MaxInput int
}

// ServerError is the error for a fork server that did not answer as expected.
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

// Unwrap returns the cause.
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

// sanitizerOptions makes sanitizers abort, so that a report is seen as a death by signal. It
// also disables slow features.
var sanitizerOptions = []string{
	"ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:malloc_context_size=0:symbolize=0:allocator_may_return_null=1",
	"UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:malloc_context_size=0:symbolize=0",
	"MSAN_OPTIONS=abort_on_error=1:msan_track_origins=0:malloc_context_size=0:symbolize=0",
}

// environment returns the environment of the program. Variables in set replace those of the
// same name in base.
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
