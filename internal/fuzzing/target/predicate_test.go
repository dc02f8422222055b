package target

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestScript(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body, input string
		want              bool
		hint              string // of a BrokenError
	}{
		{name: "stdin", body: "grep -q b", input: "abc", want: true},
		{name: "stdin no", body: "grep -q x", input: "abc"},
		{name: "first argument", body: `grep -q b "$1"`, input: "abc", want: true},
		{name: "working directory", body: "grep -q b t.c", input: "abc", want: true},
		{name: "all three", body: `x=$(cat) && test "$x" = "$(cat "$1")" && test "$x" = "$(cat t.c)" && test $# = 1`, input: "abc", want: true},
		{name: "other code", body: "exit 125", input: "x"},
		{name: "child's death is no", body: "sh -c 'kill -SEGV $$'; exit $?", input: "x"},
		{name: "not found", body: "no_such_command_here", hint: "not found"},
		{name: "not executable", body: "echo > f; ./f", hint: "not executable"},
		{name: "own death", body: "kill -KILL $$", hint: "survive"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := NewScript(Command{Args: []string{writeScript(t, tt.body)}, Name: "t.c", Timeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Test(context.Background(), []byte(tt.input))
			var broken *BrokenError
			switch {
			case tt.hint == "" && err != nil:
				t.Fatal(err)
			case tt.hint != "" && (!errors.As(err, &broken) || !strings.Contains(broken.Hint, tt.hint)):
				t.Fatalf("got error %v, want one that says %q", err, tt.hint)
			}
			if got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestScriptWithoutArgument: some scripts for C-Reduce refuse an argument.
func TestScriptWithoutArgument(t *testing.T) {
	t.Parallel()
	script := writeScript(t, `test $# = 0 && test "$(cat)" = "$(cat t.c)" && grep -q b t.c`)
	for feed, want := range map[Feed]bool{FeedAuto: false, FeedAll: false, FeedNamed: true} {
		p, err := NewScript(Command{Args: []string{script}, Name: "t.c", Timeout: time.Minute, Feed: feed})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Test(context.Background(), []byte("abc")); got != want || err != nil {
			t.Errorf("feed %d: got %v, %v", feed, got, err)
		}
	}
}

func TestScriptTimeout(t *testing.T) {
	t.Parallel()
	p, err := NewScript(Command{Args: []string{writeScript(t, "sleep 20")}, Timeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Test(context.Background(), nil)
	var late interface{ Timeout() bool }
	if !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		t.Error("the predicate's timeout looks like the caller's")
	}
}

func TestFollowTimeout(t *testing.T) {
	t.Parallel()
	p, err := NewScript(Command{Args: []string{writeScript(t, "grep -q y")}, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	p.FollowTimeout()
	for _, tt := range []struct {
		input string
		limit time.Duration
	}{{"n", time.Minute}, {"y", followLeast}} {
		if _, err := p.Test(context.Background(), []byte(tt.input)); err != nil {
			t.Fatal(err)
		}
		if tt.input == "n" && p.Limit() != tt.limit || p.Limit() < followLeast || p.Limit() > time.Minute {
			t.Errorf("after %q the limit is %v", tt.input, p.Limit())
		}
	}
	if slow := p.slowest.Load(); slow == 0 {
		t.Error("the yes was not noted")
	}
	p.slowest.Store(int64(500 * time.Millisecond))
	if got := p.Limit(); got != 5*time.Second {
		t.Errorf("limit %v, want 5s", got)
	}
	p.slowest.Store(int64(time.Hour))
	if got := p.Limit(); got != time.Minute {
		t.Errorf("limit %v, want the command's own", got)
	}
}

func TestBadPrograms(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has neither modes nor #! lines")
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.sh", "#!/bin/sh\n", 0o644)
	write("bare.sh", "exit 0\n", 0o755)
	write("empty.sh", "", 0o755)
	write("nothing.sh", "#!\nexit 0\n", 0o755)
	write("crlf.sh", "#!/bin/sh\r\nexit 0\r\n", 0o755)
	write("lost.sh", "#!/no/such/interpreter -x\n", 0o755)
	tests := []struct{ program, problem, hint string }{
		{"./absent.sh", "no such file", filepath.Join(dir, "absent.sh")},
		{"./plain.sh", "not executable", "chmod +x ./plain.sh"},
		{"./bare.sh", "without a #! line", "#!/bin/sh"},
		{"./empty.sh", "empty", "#!/bin/sh"},
		{"./nothing.sh", "names no interpreter", "#!/bin/sh"},
		{"./crlf.sh", "carriage return", "line ends"},
		{"./lost.sh", "/no/such/interpreter does not exist", "install"},
		{".", "no such program", "path"},
		{"./", "folder", "script"},
		{"plain.sh", "no such program", "./plain.sh"},
		{"no-such-program-at-all", "no such program", "install"},
	}
	for _, tt := range tests {
		_, err := NewScript(Command{Args: []string{tt.program}, Dir: dir})
		var pe *ProgramError
		if !errors.As(err, &pe) || !strings.Contains(pe.Problem, tt.problem) || !strings.Contains(pe.Hint, tt.hint) {
			t.Errorf("%s: got %v, want %q and %q", tt.program, err, tt.problem, tt.hint)
		}
	}
}

func TestRelativePaths(t *testing.T) {
	t.Parallel()
	script := writeScript(t, `cat "$1" "$2"`)
	dir := filepath.Dir(script)
	if err := os.WriteFile(filepath.Join(dir, "extra"), []byte("extra "), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := New(Command{Args: []string{"./check.sh", "./extra", "{}"}, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(mustRun(t, r, "input").Stdout); got != "extra input" {
		t.Errorf("got %q", got)
	}
}

// TestWithFile checks that @@ is the file as for afl-fuzz, anywhere in an argument, unless {} is.
func TestWithFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args, want string
		has        bool
	}{
		{"p -x", "p -x", false},
		{"p -x {} a{}", "p -x F aF", true},
		{"p -x @@ in=@@", "p -x F in=F", true},
		{"p @@ {}", "p @@ F", true},
		{"@@ x", "@@ x", false},
		{"{}", "{}", false},
	} {
		got, has := WithFile(strings.Fields(tt.args), "F")
		if strings.Join(got, " ") != tt.want || has != tt.has {
			t.Errorf("%s: %q, %v; want %s, %v", tt.args, got, has, tt.want, tt.has)
		}
	}
	r, err := New(Command{Args: []string{"cat", "@@"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(mustRun(t, r, "input").Stdout); got != "input" {
		t.Errorf("cat @@: %q", got)
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	code := func(n int) *int { return &n }
	tests := []struct {
		name, code string
		match      Match
		want       bool
	}{
		{"exit", "exit 3", Match{Exit: code(3)}, true},
		{"exit 0", "exit 0", Match{Exit: code(0)}, true},
		{"other exit", "exit 4", Match{Exit: code(3)}, false},
		{"signal is no exit", "kill -SEGV $$", Match{Exit: code(0)}, false},
		{"signal as shells tell it", "kill -SEGV $$", Match{Exit: code(139)}, true},
		{"signal", "kill -SEGV $$", Match{Signal: syscall.SIGSEGV}, true},
		{"signal of a child", "sh -c 'kill -SEGV $$'; exit $?", Match{Signal: syscall.SIGSEGV}, true},
		{"other signal", "kill -ABRT $$", Match{Signal: syscall.SIGSEGV}, false},
		{"stdout", "cat {}", Match{Stdout: regexp.MustCompile("^a.c$")}, true},
		{"stdout not stderr", "cat {} >&2", Match{Stdout: regexp.MustCompile("abc")}, false},
		{"stderr", "cat {} >&2; exit 1", Match{Stderr: regexp.MustCompile("b")}, true},
		{"both must hold", "cat {}; exit 2", Match{Stdout: regexp.MustCompile("b"), Exit: code(3)}, false},
		{"command not found", "exit 127", Match{Exit: code(127)}, true},
		{"hang", "sleep 20", Match{Timeout: true}, true},
		{"no hang", "exit 0", Match{Timeout: true}, false},
		{"signature", "echo 'panic: boom 17' >&2; exit 2", Match{Signature: "go-panic|panic|boom N"}, true},
		{"other signature", "echo 'panic: bang' >&2; exit 2", Match{Signature: "go-panic|panic|boom N"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			needShell(t)
			limit := time.Minute
			if tt.name == "hang" {
				limit = 100 * time.Millisecond
			}
			p, err := NewMatch(Command{Args: []string{"sh", "-c", tt.code}, Timeout: limit}, tt.match)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Test(context.Background(), []byte("abc"))
			if err != nil || got != tt.want {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	if _, err := NewMatch(Command{Args: []string{"sh"}}, Match{}); err == nil {
		t.Error("a match without conditions was accepted")
	}
	if _, err := NewMatch(Command{Args: []string{"sh"}}, Match{Timeout: true}); err == nil {
		t.Error("a hang without a timeout was accepted")
	}
}
