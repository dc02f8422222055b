package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestClassifyEnds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		res  Result
		want string
	}{
		{"ok", Result{}, "ok"},
		{"ok that prints a stack", Result{Stderr: []byte("panic: recovered\n")}, "ok"},
		{"exit", Result{Code: 3}, "exit|3"},
		{"exit with message", Result{Code: 1, Stderr: []byte("\nd/x.c:17: parse error near 'foo'\n")}, "exit|1|d/x.c:N: parse error near Q"},
		{"scratch path", Result{Code: 1, Scratch: "/tmp/r-1", Stderr: []byte("/tmp/r-1/input: bad\n")}, "exit|1|DIR/input: bad"},
		{"signal", Result{Kind: Signaled, Signal: syscall.SIGSEGV}, "signal|SIGSEGV"},
		{"timeout", Result{Kind: TimedOut, Stderr: []byte("panic: interrupted\n")}, "timeout"},
		{"killed", Result{Kind: Signaled, Signal: syscall.SIGKILL}, "oom"},
		{"near the limit", Result{Kind: Signaled, Signal: syscall.SIGSEGV, Memory: 90, MaxRSS: 30}, "oom"},
		{"far from the limit", Result{Kind: Signaled, Signal: syscall.SIGSEGV, Memory: 90, MaxRSS: 20}, "signal|SIGSEGV"},
		{"bad_alloc", Result{Kind: Signaled, Signal: syscall.SIGABRT,
			Stderr: []byte("terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n")}, "oom"},
		{"Python's memory", Result{Code: 1, Stderr: []byte("Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nMemoryError\n")}, "oom"},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Classify(&tt.res).Signature()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// frames makes a stack of functions and their places.
func frames(text ...string) []Frame {
	var all []Frame
	for _, t := range text {
		f, place, _ := strings.Cut(t, " ")
		all = append(all, Frame{f, place})
	}
	return all
}

// TestClassifyReports reads reports as real programs print them.
func TestClassifyReports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file string
		want Outcome
		sig  string
	}{
		{"asan.txt", Outcome{Class: Sanitizer, Detail: "heap-buffer-overflow",
			Frames: frames("parse_item t.c:7:10", "parse t.cc:14:5", "main t.c:20:3")},
			"sanitizer|heap-buffer-overflow|parse_item|t.c:7:10|parse"},
		{"ubsan.txt", Outcome{Class: Sanitizer, Detail: "signed-integer-overflow", Place: "t.c:3:12",
			Message: "signed integer overflow: N + N cannot be represented in type Q", Frames: frames("add t.c:3:12", "main t.c:8:3")},
			"sanitizer|signed-integer-overflow|t.c:3:12"},
		{"leak.txt", Outcome{Class: Sanitizer, Detail: "leak", Frames: frames("make_node t.c:3:3", "main t.c:20:3")},
			"sanitizer|leak|make_node|t.c:3:3|main"},
		{"gopanic.txt", Outcome{Class: GoPanic, Detail: "panic",
			Message: "runtime error: index out of range [N] with length N",
			Frames:  frames("example.com/p.(*parser).next p.go:12", "example.com/p.Parse p.go:30", "main.main main.go:8")},
			"go-panic|panic|example.com/p.(*parser).next|p.go:12"},
		{"gostack.txt", Outcome{Class: GoPanic, Detail: "fatal", Message: "stack overflow",
			Frames: frames("main.f main.go:3", "main.f main.go:3", "main.f main.go:3", "main.main main.go:6")},
			"go-panic|fatal|recursion|main.f"},
		{"gobug.txt", Outcome{Class: GoPanic, Detail: "panic", Message: "BUG: Expected key start but instead found Q, around line N",
			Frames: frames("example.com/toml.(*parser).bug parse.go:164", "example.com/toml.(*parser).value parse.go:301", "main.main main.go:9")},
			"go-panic|panic|example.com/toml.(*parser).value|parse.go:301"},
		{"rust.txt", Outcome{Class: Panic, Message: "src/main.rs:N:N:", Place: "main.rs:4:9", Frames: frames("demo::parse main.rs:4:9", "demo::main main.rs:9:5")},
			"panic|main.rs:4:9"},
		{"assert.txt", Outcome{Class: Assertion, Message: "t.c:N: check: Assertion Q failed.", Place: "t.c:5"}, "assertion|t.c:5"},
		{"glibc.txt", Outcome{Class: Assertion, Detail: "glibc", Message: "free(): double free detected in tcache N"},
			"assertion|glibc|free(): double free detected in tcache N"},
		{"cpp.txt", Outcome{Class: Exception, Detail: "std::out_of_range"}, "exception|std::out_of_range"},
		{"python.txt", Outcome{Class: Exception, Detail: "ZeroDivisionError", Message: "division by zero",
			Frames: frames("inner x.py:2", "outer x.py:6", "<module> x.py:9")}, "exception|ZeroDivisionError|inner|x.py:2"},
		{"node.txt", Outcome{Class: Exception, Detail: "TypeError", Message: "Cannot read properties of undefined (reading Q)",
			Frames: frames("inner x.js:2:14", "outer x.js:5:10", "Object.<anonymous> x.js:8:1")}, "exception|TypeError|inner|x.js:2:14"},
		{"java.txt", Outcome{Class: Exception, Detail: "java.lang.IllegalStateException", Message: "bad state N",
			Frames: frames("com.example.Parser.next Parser.java:12", "com.example.Main.main Main.java:5")},
			"exception|java.lang.IllegalStateException|com.example.Parser.next|Parser.java:12"},
		{"javalib.txt", Outcome{Class: Exception, Detail: "java.lang.NumberFormatException", Message: "For input string: Q",
			Frames: frames("java.base/java.lang.NumberFormatException.forInputString NumberFormatException.java:67",
				"java.base/java.lang.Integer.parseInt Integer.java:668", "java.base/java.lang.Integer.parseInt Integer.java:784",
				"Sum.greatest Sum.java:9", "Sum.main Sum.java:17")},
			"exception|java.lang.NumberFormatException|Sum.greatest|Sum.java:9"},
	}
	for _, tt := range tests {
		text, err := os.ReadFile(filepath.Join("testdata", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		got := Classify(&Result{Code: 1, Stderr: text})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.file, diff)
		}
		if diff := cmp.Diff(tt.sig, got.Signature()); diff != "" {
			t.Errorf("%s: signature (-want +got):\n%s", tt.file, diff)
		}
		// The same report with other addresses is the same failure.
		moved := strings.NewReplacer("0x5", "0x7", "0x0000004", "0x0000009", "goroutine 1 ", "goroutine 8 ").Replace(string(text))
		if a, b := got.Key(), Classify(&Result{Code: 1, Stderr: []byte(moved)}).Key(); a != b {
			t.Errorf("%s: addresses change the signature", tt.file)
		}
	}
}

// TestGoPanicLive compiles a program that panics and classifies its real output.
func TestGoPanicLive(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command on this machine")
	}
	dir := t.TempDir()
	source := `package main

import ("io"; "os")

type tree struct{ children []*tree }

func (t *tree) walk(s []byte) byte { return s[len(s)+len(t.children)] }

func main() {
	s, _ := io.ReadAll(os.Stdin)
	println((&tree{}).walk(s))
}
`
	file, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "prog.exe")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-gcflags=-l", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := New(Command{Args: []string{bin}})
	if err != nil {
		t.Fatal(err)
	}
	a, b := Classify(mustRun(t, r, "abc")), Classify(mustRun(t, r, "longer input"))
	if diff := cmp.Diff(frames("main.(*tree).walk main.go:7", "main.main main.go:11"), a.Frames); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
	if a.Class != GoPanic || a.Signature() != b.Signature() {
		t.Errorf("%q and %q", a.Signature(), b.Signature())
	}
}

// FuzzClassify checks that no output of a program makes Classify panic, and that the signature
// is one line.
func FuzzClassify(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, 1)
	}
	f.Add([]byte("Exception in thread \"main\" java.lang.IllegalStateException: bad state\n\tat com.example.Parser.next(Parser\r.java:12)\n"), 1)
	blind.Fuzz(f, func(t *testing.T, text []byte, code int) {
		o := Classify(&Result{Code: code, Stderr: text})
		if sig := o.Signature(); sig == "" || strings.ContainsAny(sig, "\n\r") {
			t.Errorf("signature %q", sig)
		}
		if len(o.Frames) > maxRead {
			t.Errorf("%d frames", len(o.Frames))
		}
	})
}

// If a program repeats its input, not every input is a failure of its own.
func TestClassifyInput(t *testing.T) {
	for _, tt := range []struct{ input, stderr, want string }{
		{"set x\nplot [1:]0\n", "\nplot [1:]0\n        ^\nDIR/input line 2: no such style\n", "DIR/input line N: no such style"},
		{"set x\nplot [1:]0\n", "plot [1:]0\n      ^\n", ""},
		{"a", "a bad day\n", "a bad day"},
	} {
		res := &Result{Kind: Signaled, Signal: syscall.SIGSEGV, Stderr: []byte(tt.stderr)}
		if got := ClassifyInput(res, []byte(tt.input)).Message; got != tt.want {
			t.Errorf("%q: the message is %q, want %q", tt.stderr, got, tt.want)
		}
		if got := Classify(res).Message; got == "" {
			t.Errorf("%q: without the input there is no message", tt.stderr)
		}
	}
}

// The kind of undefined behaviour does not contain the values of a run.
func TestUndefinedKind(t *testing.T) {
	for msg, want := range map[string]string{
		"signed integer overflow: -2147483648 - 1 cannot be represented in type 'int'":          "signed-integer-overflow",
		"negation of -2147483648 cannot be represented in type 'int'; cast to an unsigned type": "negation-of",
		"division by zero": "division-by-zero",
		"shift exponent 33 is too large for 32-bit type 'int'":                                       "shift-exponent",
		"shift exponent -1 is negative":                                                              "shift-exponent",
		"left shift of 1 by 31 places cannot be represented in type 'int'":                           "left-shift",
		"left shift of negative value -1":                                                            "left-shift",
		"index 10 out of bounds for type 'int [10]'":                                                 "index-out-of-bounds",
		"load of null pointer of type 'struct node'":                                                 "load-of-null-pointer",
		"member access within misaligned address 0x00001 for type 'struct s', which requires 4 byte": "member-access-within-misaligned-address",
		"load of value 5, which is not a valid value for type '_Bool'":                               "load-of-value",
		"1e+30 is outside the range of representable values of type 'int'":                           "is-outside-the-range-of-representable-values",
		"-7": "undefined",
	} {
		if got := undefinedKind(msg); got != want {
			t.Errorf("%q: %s, want %s", msg, got, want)
		}
	}
}

// In a debugger's stack, the C library's abort is left out, and addresses replace missing
// names.
func TestDebuggerFrames(t *testing.T) {
	for _, tt := range []struct {
		stack string
		want  []Frame
		sig   string
	}{
		{`
#0  __pthread_kill_implementation (threadid=..., signo=..., no_tid=...) at ./nptl/pthread_kill.c:44
#1  0x00007ffff7e10fb2 in __GI_raise (sig=...) at ../sysdeps/posix/raise.c:26
#2  0x00007ffff7dfb472 in __GI_abort () at ./stdlib/abort.c:79
#3  0x0000555555555280 in die (why=...) at /src/t.c:9
#4  0x00005555555552c0 in group (s=...) at /src/t.c:16
#5  0x0000555555555371 in main () at t.c:27
`, frames("die t.c:9", "group t.c:16", "main t.c:27"), "signal|SIGABRT|group|t.c:16"},
		{`
#0  __memmove_avx_unaligned () from /lib/x86_64-linux-gnu/libc.so.6
#1  0x0000555555555095 in ?? ()
#2  0x00005555555550d1 in parse (s=...)
#3  0x00007ffff7dfc24a in __libc_start_call_main (main=...) at ../sysdeps/nptl/libc_start_call_main.h:58
`, frames("0x0000555555555095", "parse 0x00005555555550d1"), "signal|SIGABRT|0x0000555555555095|parse"},
	} {
		got := readFrames(splitLines([]byte(tt.stack)), &form{frame: gdbFrame}, "")
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("frames (-want +got):\n%s", diff)
		}
		if sig := (Outcome{Class: Crash, Detail: "SIGABRT", Frames: got}).Signature(); sig != tt.sig {
			t.Errorf("signature %s, want %s", sig, tt.sig)
		}
	}
}
