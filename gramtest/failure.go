package gramtest

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// The kinds of failures.
const (
	kindError  = "error"  // T.Errorf and the like
	kindPanic  = "panic"  // recovered
	kindGoexit = "goexit" // the property ended the goroutine, by FailNow of the outer test
	kindHang   = "hang"   // beyond Timeout
	kindMemory = "memory" // beyond Memory
	kindDied   = "died"   // the process ended: exit, fatal error
)

// failure describes how a property failed for a sentence.
type failure struct {
	kind    string
	typ     string // type of the panic value
	frame   string // the failing user frame: function file:line
	message string
	stack   string // for people
	logs    string
	text    []byte // of the sentence, masked in the message
}

// fatal reports whether the failure ends the process, or prevents the property from returning.
func (f *failure) fatal() bool {
	return f.kind == kindHang || f.kind == kindMemory || f.kind == kindDied
}

// same reports whether two failures are the same. Messages are compared with and without the
// sentences: a sentence that happens to be a word of the message must not distinguish them.
func (f *failure) same(other *failure) bool {
	if other == nil || f.kind != other.kind || f.typ != other.typ || f.frame != other.frame {
		return false
	}
	a, b := f.masked(), other.masked()
	return a[0] == b[0] || a[1] == b[1] || a[0] == b[1] || a[1] == b[0]
}

// masked returns the message without its parts that differ between sentences: first with the
// sentence kept in place, then with it removed.
func (f *failure) masked() [2]string {
	return [2]string{mask(f.message, nil), mask(f.message, f.text)}
}

var variable = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`" + `|0x[0-9a-fA-F]+|[0-9]+`)

// mask removes from the first line of a message the parts that differ between sentences: the
// sentence itself, quoted texts, numbers.
func mask(message string, text []byte) string {
	if t := string(text); strings.TrimSpace(t) != "" {
		message = strings.ReplaceAll(message, t, "#")
	}
	if i := strings.IndexByte(message, '\n'); i >= 0 {
		message = message[:i]
	}
	return variable.ReplaceAllString(message, "#")
}

// panicked makes the failure of a recovered value. It is called by the function that recovered.
func panicked(v any) *failure {
	pcs := callers(2)
	f := &failure{kind: kindPanic, typ: fmt.Sprintf("%T", v), frame: userFrame(afterPanic(pcs)), message: panicText(v)}
	f.stack = stackText(afterPanic(pcs))
	return f
}

// panicText formats a panic value. The value's own methods may panic.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a value of type %T that cannot be printed", v)
		}
	}()
	return fmt.Sprint(v)
}

// mostFrames bounds the number of stack frames looked at.
const mostFrames = 64

func callers(skip int) []runtime.Frame {
	pcs := make([]uintptr, mostFrames)
	pcs = pcs[:runtime.Callers(skip+2, pcs)]
	var list []runtime.Frame
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" {
			list = append(list, f)
		}
		if !more {
			return list
		}
	}
}

// afterPanic cuts a stack taken in a deferred function down to the frames from the panic on.
func afterPanic(frames []runtime.Frame) []runtime.Frame {
	for i, f := range frames {
		if f.Function == "runtime.gopanic" {
			return frames[i+1:]
		}
	}
	return frames
}

// self is the prefix of this package's functions in stacks.
const self = "github.com/gramfuzz/gramfuzz/gramtest."

// userFrame returns the first frame outside of Go's library and this package. Test files of
// this package count as outside.
func userFrame(frames []runtime.Frame) string {
	for _, f := range frames {
		if !std(f) && !ours(f) {
			return where(f)
		}
	}
	return ""
}

func where(f runtime.Frame) string {
	return f.Function + " " + path.Base(f.File) + ":" + strconv.Itoa(f.Line)
}

func ours(f runtime.Frame) bool {
	return strings.HasPrefix(f.Function, self) && !strings.HasSuffix(f.File, "_test.go")
}

// goRoot is the folder of Go's own library in stacks; "" in binaries built with -trimpath.
var goRoot = func() string {
	f, _ := runtime.CallersFrames([]uintptr{runtimePC()}).Next()
	if i := strings.LastIndex(f.File, "/runtime/"); i >= 0 {
		return f.File[:i+1]
	}
	return ""
}()

// runtimePC returns an address in package runtime.
func runtimePC() uintptr {
	pcs := make([]uintptr, 1)
	runtime.Callers(0, pcs)
	return pcs[0]
}

// std reports whether a frame belongs to Go's own library.
func std(f runtime.Frame) bool {
	if goRoot != "" {
		return strings.HasPrefix(f.File, goRoot)
	}
	first, _, slash := strings.Cut(f.Function, "/")
	if !slash {
		first, _, _ = strings.Cut(f.Function, ".")
	}
	return !strings.Contains(first, ".") && first != "main"
}

// stackText returns the part of a stack of interest to a user.
func stackText(frames []runtime.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		if ours(f) {
			break
		}
		if b.Len() == 0 && std(f) && strings.HasPrefix(f.Function, "runtime.") {
			continue
		}
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
	}
	return b.String()
}
