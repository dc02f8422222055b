package target

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"syscall"
)

// Class is the kind of an outcome.
type Class string

// The classes, from the most specific failure to none.
const (
	Sanitizer Class = "sanitizer" // report of a sanitizer; Detail is its kind
	GoPanic   Class = "go-panic"  // Go panic or fatal error
	Panic     Class = "panic"     // Rust panic
	Assertion Class = "assertion" // assert(3), glibc's own checks
	Exception Class = "exception" // uncaught exception of Python, JavaScript, Java, C++
	OOM       Class = "oom"       // out of memory: a guess from limit, signal and message
	Forks     Class = "processes" // more than [Bounds.Processes]
	Timeout   Class = "timeout"
	Crash     Class = "signal" // Detail is the signal's name
	Exit      Class = "exit"   // an exit code other than 0, in Detail
	OK        Class = "ok"
)

// Outcome is the classified result of a run. It tells equal failures from different ones.
type Outcome struct {
	Class Class
	// Detail refines the class: the sanitizer's error kind, the signal, the
	// exit code, the exception's type.
	Detail string
	// Message is the first line of the failure, with addresses, numbers and
	// scratch paths replaced.
	Message string
	// Place is the place of the failure that the report names, as in [Frame]; "" if only
	// the stack shows it.
	Place string
	// Frames is the functions of the stack, innermost first, without those of the runtime
	// and the sanitizer.
	Frames []Frame
}

// maxRead bounds the frames of an [Outcome].
const maxRead = 64

// Failed reports whether the outcome is more than an exit code.
func (o Outcome) Failed() bool { return o.Class != OK && o.Class != Exit }

// Unexplained reports whether a native failure has neither a place nor a stack: failures of
// several bugs may then have the same signature.
func (o Outcome) Unexplained() bool {
	native := o.Class == Crash || o.Class == Assertion || o.Class == Exception
	return native && o.Place == "" && len(o.Frames) == 0
}

// Signature returns a string that is equal for failures that are probably the same. It has
// the class and the detail, and then the first known one of these: the place that the report
// names; the function of an endless recursion; the function and place of the failing frame,
// with its caller's name if memory was violated; the message. It is one line without spaces
// at its ends, the same in every run of one program.
func (o Outcome) Signature() string {
	parts := []string{string(o.Class)}
	if o.Detail != "" {
		parts = append(parts, o.Detail)
	}
	switch {
	case o.Place != "":
		parts = append(parts, o.Place)
	case len(o.Frames) > 0:
		parts = append(parts, o.blamed()...)
	case o.Message != "":
		parts = append(parts, o.Message)
	}
	return strings.Join(parts, "|")
}

// blamed returns the part of the signature that comes from the stack.
func (o Outcome) blamed() []string {
	overflow := strings.HasPrefix(o.Detail+o.Message, "stack-overflow") || o.Class == GoPanic && o.Message == "stack overflow"
	if f := recursion(o.Frames); f != "" && (overflow || len(o.Frames) >= recursionFrames && o.Class == Crash) {
		return []string{"recursion", f}
	}
	native := o.Class == Sanitizer || o.Class == Crash
	memory := native && o.Detail != "ABRT" && o.Detail != "SIGABRT" && o.Detail != "FPE" && o.Detail != "SIGFPE"
	at := failing(o.Frames, !memory && !strings.HasPrefix(o.Message, "runtime error: "))
	parts := []string{o.Frames[at].Func}
	if p := o.Frames[at].Place; p != "" {
		parts = append(parts, p)
	}
	if (memory || isAddress(parts[0])) && at+1 < len(o.Frames) {
		parts = append(parts, o.Frames[at+1].Func)
	}
	return parts
}

// Key returns a short hexadecimal hash of the signature, for file names.
func (o Outcome) Key() string {
	sum := sha256.Sum256([]byte(o.Signature()))
	return hex.EncodeToString(sum[:8])
}

// String returns the outcome in one line, for people.
func (o Outcome) String() string {
	s := string(o.Class)
	if o.Detail != "" {
		s += " " + o.Detail
	}
	if o.Message != "" {
		s += ": " + o.Message
	}
	return s
}

// Classify returns the outcome of a result. It considers how the run ended, and then the
// reports in its output. A stack on standard error counts as a failure only if the exit code
// is not 0. The cost is linear in the kept output.
func Classify(res *Result) Outcome { return ClassifyInput(res, nil) }

// ClassifyInput is Classify for a run on a known input. A line in which the program only
// repeats its input is no message: such a line would make every input a failure of its own.
func ClassifyInput(res *Result, input []byte) Outcome {
	o := endOf(res, input)
	if o.Class == OK {
		return o
	}
	if o.Class == Timeout || o.Class == OOM || o.Class == Forks {
		return o // the output of a killed program shows where it was, not what failed
	}
	if report, ok := readReport(res); ok {
		o = report
	}
	if looksOutOfMemory(res, o) {
		o.Class, o.Detail = OOM, ""
		o.Frames = nil // memory can run out anywhere: the place is random
		o.Message, o.Place = "", ""
	}
	return o
}

// endOf returns the outcome by the way the run ended alone: exit code, signal or limit.
func endOf(res *Result, input []byte) Outcome {
	switch res.Kind {
	case TimedOut:
		return Outcome{Class: Timeout}
	case Overgrown:
		return Outcome{Class: OOM}
	case Crowded:
		return Outcome{Class: Forks}
	case Signaled:
		return Outcome{Class: Crash, Detail: signalName(res.Signal), Message: firstMessage(res, input)}
	}
	if res.Code == 0 {
		return Outcome{Class: OK}
	}
	return Outcome{Class: Exit, Detail: fmt.Sprint(res.Code), Message: firstMessage(res, input)}
}

var outOfMemory = [][]byte{
	[]byte("out of memory"), []byte("Out of memory"), []byte("Cannot allocate memory"),
	[]byte("cannot allocate memory"), []byte("std::bad_alloc"), []byte("MemoryError"),
	[]byte("memory allocation of"), []byte("memory exhausted"), []byte("OutOfMemoryError"),
	[]byte("allocation-size-too-big"), []byte("rss-limit-exceeded"),
}

// looksOutOfMemory guesses whether memory ran out. Signs are a message that says so; a SIGKILL
// that we did not send, by which the kernel ends the largest process; and death by a signal
// near the memory limit. Near is a third: a program that doubles a buffer then requests twice
// as much again.
func looksOutOfMemory(res *Result, o Outcome) bool {
	if res.Kind == Signaled && res.Signal == syscall.SIGKILL {
		return true
	}
	if res.Kind == Signaled && o.Class == Crash && res.Memory > 0 && res.MaxRSS >= res.Memory/3 {
		return true
	}
	if o.Class == Sanitizer {
		return o.Detail == "out-of-memory" || o.Detail == "allocation-size-too-big" || o.Detail == "rss-limit-exceeded"
	}
	for _, m := range outOfMemory {
		if bytes.Contains(res.Stderr, m) {
			return true
		}
	}
	return false
}

// sigXFSZ, which package syscall has on Unix only, ends a program that writes beyond
// [Bounds.FileSize].
const sigXFSZ = syscall.Signal(25)

// signalName returns the usual short name of a signal. Package syscall has only descriptions,
// which differ between systems.
func signalName(s syscall.Signal) string {
	names := map[syscall.Signal]string{
		syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
		syscall.SIGHUP: "SIGHUP", syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT",
		syscall.SIGKILL: "SIGKILL", syscall.SIGPIPE: "SIGPIPE", syscall.SIGQUIT: "SIGQUIT",
		syscall.SIGSEGV: "SIGSEGV", syscall.SIGTERM: "SIGTERM", syscall.SIGTRAP: "SIGTRAP",
		syscall.SIGALRM: "SIGALRM", sigXFSZ: "SIGXFSZ",
	}
	if n, ok := names[s]; ok {
		return n
	}
	return fmt.Sprintf("signal-%d", int(s))
}
