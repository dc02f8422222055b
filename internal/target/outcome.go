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

// The classes, from the best known failure to none.
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

// Outcome is the meaning of a run, so that equal failures can be told from
// different ones.
type Outcome struct {
	Class Class
	// Detail refines the class: the sanitizer's error kind, the signal, the
	// exit code, the exception's type.
	Detail string
	// Message is the first line of the failure, with addresses, numbers and
	// scratch paths replaced.
	Message string
	// Place is where the report says that it failed, as in [Frame]; "" where only
	// the stack says so.
	Place string
	// Frames are the functions of the stack, innermost first, without those of the
	// runtime and the sanitizer.
	Frames []Frame
}

// maxRead bounds the frames of an [Outcome].
const maxRead = 64

// Failed says whether the outcome is more than an exit code.
func (o Outcome) Failed() bool { return o.Class != OK && o.Class != Exit }

// Unexplained says whether a signal ended the program and nothing tells where: failures
// of several bugs may have the same signature.
func (o Outcome) Unexplained() bool {
	native := o.Class == Crash || o.Class == Assertion || o.Class == Exception
	return native && o.Place == "" && len(o.Frames) == 0
}

// Signature is equal for failures that are probably the same. It has the class and
// the detail, and then the first of these that is known: the place that the report
// names; the function and place of the failing frame, with its caller's name where memory
// was violated; the function of an endless recursion; the message. It is one line without
// spaces at its ends, the same in every run of one program.
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

// blamed is the part of the signature that the stack gives.
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

// Key is a short hexadecimal hash of the signature, for file names.
func (o Outcome) Key() string {
	sum := sha256.Sum256([]byte(o.Signature()))
	return hex.EncodeToString(sum[:8])
}

// String is the outcome in one line for people.
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

// Classify reads a result: how the run ended, then reports in what it printed.
// A stack on standard error is taken for a failure only when the program did
// not end with exit code 0. The work is linear in the output kept.
func Classify(res *Result) Outcome { return ClassifyInput(res, nil) }

// ClassifyInput is Classify for a run on a known input: a line in which the
// program only says its input again is no message. Such a line would make a
// failure of its own of every input.
func ClassifyInput(res *Result, input []byte) Outcome {
	o := endOf(res, input)
	if o.Class == OK {
		return o
	}
	if o.Class == Timeout || o.Class == OOM || o.Class == Forks {
		return o // what an ended program printed tells where it was, not what failed
	}
	if report, ok := readReport(res); ok {
		o = report
	}
	if looksOutOfMemory(res, o) {
		o.Class, o.Detail = OOM, ""
		o.Frames = nil // memory ends anywhere: the place is chance
		o.Message, o.Place = "", ""
	}
	return o
}

// endOf is the outcome by exit code and signal alone.
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

// looksOutOfMemory guesses: a message that says so; a SIGKILL that we did not
// send, which is how the kernel ends the largest process; or death by a signal
// near the memory limit. Near is a third: who doubles a buffer then asks for
// twice as much again.
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

// signalName is the usual short name; package syscall has only descriptions,
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
