package target

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestClassifyReports reads reports as real programs print them.
func TestClassifyReports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file string
		want Outcome
	}{
		{"asan.txt", Outcome{Class: Sanitizer, Detail: "heap-buffer-overflow",
			Frames: []string{"parse_item", "parse", "main"}}},
		{"ubsan.txt", Outcome{Class: Sanitizer, Detail: "undefined",
			Message: "signed integer overflow: N + N cannot be represented in type Q", Frames: []string{"add", "main"}}},
		{"leak.txt", Outcome{Class: Sanitizer, Detail: "leak", Frames: []string{"make_node", "main"}}},
		{"gopanic.txt", Outcome{Class: GoPanic, Detail: "panic",
			Message: "runtime error: index out of range [N] with length N",
			Frames:  []string{"example.com/p.(*parser).next", "example.com/p.Parse", "main.main"}}},
		{"gostack.txt", Outcome{Class: GoPanic, Detail: "fatal", Message: "stack overflow",
			Frames: []string{"main.f", "main.f", "main.f", "main.main"}}},
		{"rust.txt", Outcome{Class: Panic, Message: "src/main.rs:N:N:", Frames: []string{"demo::parse", "demo::main"}}},
		{"assert.txt", Outcome{Class: Assertion, Message: "t.c:N: check: Assertion Q failed."}},
		{"glibc.txt", Outcome{Class: Assertion, Detail: "glibc", Message: "free(): double free detected in tcache N"}},
		{"cpp.txt", Outcome{Class: Exception, Detail: "c++", Message: "Q"}},
		{"python.txt", Outcome{Class: Exception, Detail: "ZeroDivisionError", Message: "division by zero",
			Frames: []string{"inner", "outer", "<module>"}}},
		{"node.txt", Outcome{Class: Exception, Detail: "TypeError", Message: "Cannot read properties of undefined (reading Q)",
			Frames: []string{"inner", "outer", "Object.<anonymous>"}}},
		{"java.txt", Outcome{Class: Exception, Detail: "java.lang.IllegalStateException", Message: "bad state N",
			Frames: []string{"com.example.Parser.next", "com.example.Main.main"}}},
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
		// The same report with other addresses is the same failure.
		moved := strings.NewReplacer("0x5", "0x7", "0x0000004", "0x0000009", "goroutine 1 ", "goroutine 8 ").Replace(string(text))
		if a, b := got.Key(), Classify(&Result{Code: 1, Stderr: []byte(moved)}).Key(); a != b {
			t.Errorf("%s: addresses change the signature", tt.file)
		}
	}
}

// TestGoPanicLive compiles a program that panics and reads what it really prints.
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
	if diff := cmp.Diff([]string{"main.(*tree).walk", "main.main"}, a.Frames); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
	if a.Class != GoPanic || a.Signature() != b.Signature() {
		t.Errorf("%q and %q", a.Signature(), b.Signature())
	}
}

// FuzzClassify: no text that a program prints brings the reader down, and the
// signature is one line.
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
	f.Fuzz(func(t *testing.T, text []byte, code int) {
		o := Classify(&Result{Code: code, Stderr: text})
		if sig := o.Signature(); sig == "" || strings.ContainsAny(sig, "\n\r") {
			t.Errorf("signature %q", sig)
		}
		if len(o.Frames) > MaxFrames {
			t.Errorf("%d frames", len(o.Frames))
		}
	})
}

// A program that says its input again does not make a failure of its own of
// every input.
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
