package gramtest

import (
	"fmt"
	"strings"
	"sync"
)

// T receives the reports of a property, in the manner of [testing.T]: Errorf, Fatalf and the
// like make the sentence a failure. It has the methods that assertion libraries need. It is
// valid for one sentence, until the property returns.
type T struct {
	name string

	mu      sync.Mutex
	failure *failure
	skipped bool
	logs    strings.Builder
}

// stop ends a property from inside; it never leaves this package.
type stop struct{}

func (t *T) reset() {
	if t.failure != nil || t.skipped || t.logs.Len() > 0 {
		t.failure, t.skipped = nil, false
		t.logs.Reset()
	}
}

// Name returns the name of the test.
func (t *T) Name() string { return t.name }

// Helper does nothing; it satisfies the interfaces of assertion libraries.
func (t *T) Helper() {}

// Log keeps a line that is printed with the minimal sentence.
func (t *T) Log(args ...any) { t.log(fmt.Sprintln(args...)) }

// Logf keeps a line that is printed with the minimal sentence.
func (t *T) Logf(format string, args ...any) { t.log(fmt.Sprintf(format, args...) + "\n") }

func (t *T) log(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.logs.Len() < maxLogs {
		t.logs.WriteString(line)
	}
}

// maxLogs bounds the logs of a property for one sentence, in bytes.
const maxLogs = 1 << 16

// Error makes the sentence a failure; the property goes on.
func (t *T) Error(args ...any) { t.fail(strings.TrimSuffix(fmt.Sprintln(args...), "\n")) }

// Errorf makes the sentence a failure; the property goes on.
func (t *T) Errorf(format string, args ...any) { t.fail(fmt.Sprintf(format, args...)) }

// Fail makes the sentence a failure; the property goes on.
func (t *T) Fail() { t.fail("the property failed") }

// Fatal makes the sentence a failure and ends the property.
func (t *T) Fatal(args ...any) {
	t.fail(strings.TrimSuffix(fmt.Sprintln(args...), "\n"))
	panic(stop{})
}

// Fatalf makes the sentence a failure and ends the property.
func (t *T) Fatalf(format string, args ...any) {
	t.fail(fmt.Sprintf(format, args...))
	panic(stop{})
}

// FailNow makes the sentence a failure and ends the property.
func (t *T) FailNow() {
	if !t.Failed() {
		t.fail("the property failed")
	}
	panic(stop{})
}

// Failed reports whether the sentence is a failure already.
func (t *T) Failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure != nil
}

// Skip leaves the sentence out, as [Sentence.Assume] does, and ends the property.
func (t *T) Skip(args ...any) { t.SkipNow() }

// Skipf leaves the sentence out and ends the property.
func (t *T) Skipf(format string, args ...any) { t.SkipNow() }

// SkipNow leaves the sentence out and ends the property.
func (t *T) SkipNow() {
	t.mu.Lock()
	t.skipped = true
	t.mu.Unlock()
	panic(stop{})
}

// fail records the first failure; later ones are logged.
func (t *T) fail(message string) {
	t.mu.Lock()
	if t.failure == nil {
		t.failure = &failure{kind: kindError, frame: userFrame(callers(2)), message: message}
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.log(message + "\n")
}
