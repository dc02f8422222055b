//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/gdamore/tcell/v3/vt"
	"golang.org/x/term"

	"github.com/gramfuzz/gramfuzz/internal/testing/await"
)

// terminal is a pseudo-terminal with a program on it, and an emulator of its screen.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File
	tty    *os.File // the program's side
	before *term.State
	emu    vt.MockTerm
	ended  chan struct{} // all output was read

	mu  sync.Mutex
	raw bytes.Buffer // all output
}

// onTerminalOf runs gramfuzz in a folder, on a terminal of w columns and h lines.
func onTerminalOf(t *testing.T, w, h int, dir, name string, env []string, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return programOnTerminal(t, w, h, dir, self, append([]string{name}, args...), env)
}

// programOnTerminal runs a program in a folder, on a terminal of w columns and h lines.
func programOnTerminal(t *testing.T, w, h int, dir, program string, args, env []string) *terminal {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Skip("no terminal here: ", err)
	}
	x := &terminal{t: t, pty: ptmx, tty: tty, emu: vt.NewMockTerm(vt.MockOptSize{X: vt.Col(w), Y: vt.Row(h)}), ended: make(chan struct{})}
	x.resize(w, h)
	if x.before, err = term.GetState(int(tty.Fd())); err != nil {
		t.Fatal(err)
	}
	if err := x.emu.Start(); err != nil {
		t.Fatal(err)
	}
	x.cmd = exec.Command(program)
	x.cmd.Args = args
	x.cmd.Dir = dir
	x.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, ".cache")), env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = tty, tty, tty
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
		tty.Close()
		ptmx.Close()
	})
	go x.read()
	return x
}

// read feeds the emulator.
func (x *terminal) read() {
	defer close(x.ended)
	buf := make([]byte, 4096)
	for {
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		x.raw.Write(buf[:n])
		x.mu.Unlock()
		if n > 0 {
			_, _ = x.emu.Write(buf[:n])
			_ = x.emu.Drain()
		}
		if err != nil {
			return
		}
	}
}

// resize resizes the terminal. The emulator is first, since a real terminal has its new size
// before it signals the program.
func (x *terminal) resize(w, h int) {
	x.t.Helper()
	x.emu.SetSize(vt.Coord{X: vt.Col(w), Y: vt.Row(h)})
	if err := pty.Setsize(x.pty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		x.t.Fatal(err)
	}
}

// text returns the screen as text.
func (x *terminal) text() string {
	size, _ := x.emu.WindowSize()
	var b strings.Builder
	for y := range size.Height {
		var line strings.Builder
		for c := range size.Width {
			cell := x.emu.GetCell(vt.Coord{X: vt.Col(c), Y: vt.Row(y)})
			if cell.C == "" && cell.W != 0 || cell.C == "\x00" {
				cell.C = " "
			}
			line.WriteString(cell.C)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// all returns the complete output of the program.
func (x *terminal) all() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// wait waits until the screen shows a text.
func (x *terminal) wait(want string) {
	x.t.Helper()
	x.until("the screen shows "+want, func() bool { return strings.Contains(x.text(), want) })
}

func (x *terminal) until(what string, ok func() bool) {
	x.t.Helper()
	await.Until(x.t, ok, func() string {
		return fmt.Sprintf("%s; it is\n%s\nall output: %q", what, x.text(), x.tail())
	})
}

// tail returns the end of the program's output.
func (x *terminal) tail() string {
	all := x.all()
	return all[max(0, len(all)-2000):]
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// end waits for the program's end, and checks its exit code and that the terminal is restored. It
// returns the output printed after the screen.
func (x *terminal) end(code int) string {
	x.t.Helper()
	_ = x.cmd.Wait()
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Errorf("exit code %d, want %d: %s", got, code, x.tail())
	}
	after, err := term.GetState(int(x.tty.Fd()))
	if err != nil {
		x.t.Fatal(err)
	}
	if *after != *x.before {
		x.t.Errorf("the terminal's state is %+v, was %+v", after, x.before)
	}
	x.tty.Close() // the last one is known: end reading
	<-x.ended
	out := x.all()
	for on, off := range map[string]string{"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?7l": "\x1b[?7h", "\x1b[?1h": "\x1b[?1l", "\x1b[?2026h": "\x1b[?2026l"} {
		if strings.LastIndex(out, on) >= 0 && strings.LastIndex(out, off) < strings.LastIndex(out, on) {
			x.t.Errorf("%q is set at the end, %q does not follow", on, off)
		}
	}
	_, rest, _ := strings.Cut(out[max(strings.LastIndex(out, "\x1b[?1049l"), 0):], "\x1b[?1049l")
	return rest
}

// screenFolder returns a folder with a program that refuses some texts, is slow on some, and
// fails on some with a message that would drive a terminal.
func screenFolder(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"check.sh":      "#!/bin/sh\ntext=$(cat)\ncase $text in\n  *9*) printf 'boom \\033]0;owned\\007\\033[2J\\n' >&2; kill -SEGV $$ ;;\n  *7*) sleep 0.05 ;;\n  *1*) exit 1 ;;\nesac\n",
		"holds.sh":      "#!/bin/sh\ngrep -q BUG \"$1\"\n",
		"in.txt":        strings.Repeat("filler line\x1b[2J\x1b]0;owned\x07\n", 20) + "BUG\x1b[2Jx\n" + strings.Repeat("more ( of [ it ] )\n", 20),
		"bin/xdg-open":  "#!/bin/sh\ncat \"$1\" >opened.html\n",
		"numbers.ebnf":  "s = (\"1\" | \"2\" | \"3\" | \"4\" | \"5\" | \"6\" | \"7\" | \"8\" | \"9\"){1,12} ;\n",
		".cache/.empty": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestScreenOfFuzz checks the screen of a campaign: it shows the campaign, its keys work, and the
// terminal gets no raw text and is restored at the end.
func TestScreenOfFuzz(t *testing.T) {
	dir := screenFolder(t)
	x := onTerminalOf(t, 90, 30, dir, "gramfuzz", []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")},
		"fuzz", "-g", "numbers.ebnf", "--seed", "1", "-j", "1", "--shrink-time", "1s", "--", "./check.sh")
	for _, want := range []string{"gramfuzz fuzz numbers", "a second now", "accepted", "alternatives", "█", "findings, the newest first", "SIGSEGV", "slowest inputs", "q end  p pause  o open the page"} {
		x.wait(want)
	}
	t.Logf("\n%s", x.text())
	x.press("p")
	x.wait("paused: ")
	x.press("o")
	x.wait("the page is fuzz-numbers/report.html")
	x.until("the browser has the page", func() bool {
		page, _ := os.ReadFile(filepath.Join(dir, "opened.html"))
		return bytes.HasSuffix(bytes.TrimSpace(page), []byte("</html>"))
	})
	line := regexp.MustCompile(`\nruns +(\d+ in) `)
	runs := func() string { // "" while the line is being drawn
		if m := line.FindStringSubmatch(x.text()); m != nil {
			return m[1]
		}
		return ""
	}
	stopped := ""
	x.until("no run ends for two seconds", func() bool { // started runs end first
		before := runs()
		time.Sleep(2 * time.Second)
		stopped = runs()
		return stopped != "" && stopped == before
	})
	x.press(" ")
	x.until("it goes on", func() bool {
		now := runs()
		return !strings.Contains(x.text(), "paused") && now != "" && now != stopped
	})
	x.resize(20, 5)
	x.until("the screen is small", func() bool {
		return strings.HasPrefix(x.text(), "gramfuzz fuzz numbe") && strings.Contains(x.text(), "\nq end  p pause")
	})
	t.Logf("\n%s", x.text())
	x.resize(1, 1)
	time.Sleep(300 * time.Millisecond)
	x.resize(120, 40)
	x.wait("slowest inputs")
	x.press("q")
	rest := x.end(exitInterrupted)
	all := x.all()
	if !strings.Contains(all, "\tsignal|SIGSEGV|boom \\x1b]N;owned") { // before the screen opens, or after it closes
		t.Errorf("the finding was not printed: %q", all)
	}
	if !strings.Contains(rest, "the page of this campaign is fuzz-numbers/report.html") {
		t.Errorf("behind the screen: %q", rest)
	}
	if !strings.Contains(all, "owned") || strings.Contains(all, "\x1b]0;owned") || strings.Contains(all, "\x1b]N;owned") {
		t.Errorf("the program's output did not reach the terminal, or it did so raw")
	}
}

// TestScreenOfReduce checks that the screen of a reduction shows the text as it shrinks.
func TestScreenOfReduce(t *testing.T) {
	dir := screenFolder(t)
	holds := "#!/bin/sh\nsleep 0.02\ntest -e go || test $(wc -c <\"$1\") -gt 600 || while ! test -e \"$FOLDER/go\"; do sleep 0.02; done\ngrep -q BUG \"$1\"\n"
	if err := os.WriteFile(filepath.Join(dir, "slow.sh"), []byte(holds), 0o777); err != nil {
		t.Fatal(err)
	}
	x := onTerminalOf(t, 90, 30, dir, "gramfuzz", []string{"FOLDER=" + dir}, "reduce", "--watch", "--pred", "./slow.sh", "in.txt")
	for _, want := range []string{"gramfuzz reduce in.txt", "calls a second", "the text so far", `\x1b[2J`, "q end"} {
		x.wait(want)
	}
	t.Logf("\n%s", x.text())
	x.press("o")
	x.wait("there is no page; --trace FILE makes one")
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	rest := x.end(exitDone)
	if !strings.Contains(rest, "BUG") || !strings.Contains(rest, "to 3, ") {
		t.Errorf("behind the screen: %q", rest)
	}
	if body := strings.TrimSuffix(x.all(), rest); !strings.Contains(body, "owned") || strings.Contains(body, "\x1b]0;") {
		t.Errorf("the text did not reach the screen, or it did so raw")
	}
}

// TestScreenEnds checks that the terminal is restored, whatever ends the program.
func TestScreenEnds(t *testing.T) {
	fuzz := []string{"fuzz", "-g", "numbers.ebnf", "--seed", "1", "-j", "2", "--shrink-time", "1s", "--", "./check.sh"}
	for _, test := range []struct {
		name string
		code int
		do   func(x *terminal)
	}{
		{"Ctrl-C", exitInterrupted, func(x *terminal) { x.press("\x03") }},
		{"SIGTERM", exitInterrupted, func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }},
		{"SIGINT while paused", exitInterrupted, func(x *terminal) { x.press("p"); x.wait("paused"); _ = x.cmd.Process.Signal(os.Interrupt) }},
		{"a command that does not end", exitInterrupted, func(x *terminal) { x.press("q") }},
		{"a panic", exitBug, func(x *terminal) {}},
		{"a panic of a worker", exitBug, func(x *terminal) {}},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, env := fuzz, "BREAK="
			if test.name == "a panic" || test.name == "a panic of a worker" || test.name == "a command that does not end" {
				env += test.name
			}
			name := "gramfuzz"
			if env != "BREAK=" {
				name = "gramfuzz-screen"
			}
			x := onTerminalOf(t, 80, 24, screenFolder(t), name, []string{env}, args...)
			x.wait("q end")
			if err := os.WriteFile(filepath.Join(x.cmd.Dir, screenShown), nil, 0o666); err != nil {
				t.Fatal(err)
			}
			test.do(x)
			rest := x.end(test.code)
			if test.code == exitBug && !strings.Contains(rest, "this is a bug in gramfuzz: an invariant") {
				t.Errorf("behind the screen: %q", rest)
			}
		})
	}
}

// TestScreenStopped checks that Ctrl-Z restores the terminal and stops the program, and that the
// screen is shown again when the shell continues it.
func TestScreenStopped(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine")
	}
	dir := screenFolder(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	job := `set -m
stty -a >before
(exec -a gramfuzz ` + self + ` fuzz -g numbers.ebnf --seed 1 -j 2 --shrink-time 1s -- ./check.sh)
stty -a >stopped
echo "the shell has it"
read line
fg >/dev/null
exit $?
`
	if err := os.WriteFile(filepath.Join(dir, "job.sh"), []byte(job), 0o666); err != nil {
		t.Fatal(err)
	}
	x := programOnTerminal(t, 80, 24, dir, shell, []string{shell, "job.sh"}, nil)
	x.wait("q end")
	x.press("\x1a")
	x.until("the program is stopped", func() bool { return strings.Contains(x.all(), "the shell has it") })
	out := x.all()
	if strings.LastIndex(out, "\x1b[?1049l") < strings.LastIndex(out, "\x1b[?1049h") {
		t.Errorf("the screen is still there: %q", x.tail())
	}
	before, _ := os.ReadFile(filepath.Join(dir, "before"))
	stopped, err := os.ReadFile(filepath.Join(dir, "stopped"))
	if err != nil || string(before) != string(stopped) {
		t.Errorf("the terminal was %s, and is %s, %v", before, stopped, err)
	}
	x.press("\n")
	x.until("the screen is there again", func() bool {
		return strings.Contains(x.all()[len(out):], "\x1b[?1049h") && strings.Contains(x.text(), "q end")
	})
	x.press("q")
	x.end(exitInterrupted)
}

// TestPlain checks that flags, pipes and dumb terminals turn the screen off.
func TestPlain(t *testing.T) {
	for _, test := range []struct {
		name string
		env  string
		flag string
		code int
		want string
	}{
		{"plain", "A=B", "--plain", exitInterrupted, "\x1b[K"},
		{"quiet", "A=B", "-q", exitNo, ""},
		{"json", "A=B", "--json", exitNo, `"event"`},
		{"dumb", "TERM=dumb", "", exitNo, ""},
		{"watch", "TERM=dumb", "--watch", exitWrong, "--watch shows nothing here"},
		{"watch and plain", "A=B", "--watch --plain", exitWrong, "--watch shows nothing here"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := append([]string{"fuzz", "-g", "numbers.ebnf", "--seed", "1", "-j", "1", "--shrink-time", "1s"}, strings.Fields(test.flag)...)
			if test.code == exitNo {
				args = append(args, "--findings", "1")
			}
			x := onTerminalOf(t, 80, 24, screenFolder(t), "gramfuzz", []string{test.env}, append(args, "--", "./check.sh")...)
			if test.code == exitInterrupted {
				x.until("a line of progress", func() bool { return strings.Contains(x.all(), test.want) })
				x.press("\x03")
			}
			x.end(test.code)
			if out := x.all(); strings.Contains(out, "\x1b[?1049h") || !strings.Contains(out, test.want) {
				t.Errorf("no screen wanted, but %q in %q", test.want, x.tail())
			}
		})
	}
	t.Run("no colour", func(t *testing.T) {
		x := onTerminalOf(t, 80, 24, screenFolder(t), "gramfuzz", []string{"NO_COLOR=1"}, "fuzz", "-g", "numbers.ebnf", "--seed", "1", "-j", "1", "--shrink-time", "1s", "--", "./check.sh")
		x.wait("findings, the newest first")
		x.press("q")
		x.end(exitInterrupted)
		if seq := regexp.MustCompile(`\x1b\[([0-9;]*;)?[349][0-9][0-9;]*m`).FindString(x.all()); seq != "" {
			t.Errorf("a colour: %q", seq)
		}
	})
}

// TestProgress checks that long work shows a line of progress, which is removed at the end.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"gen -g go --time 24h -o sentences": `\rdrawing: \d+, \d+ a second\x1b\[K`,
		"gen -g go -n 100000000 -o some":    `\rdrawing: \d+ of 100000000, \d+ a second, \w+ left\x1b\[K`,
	} {
		x := onTerminalOf(t, 80, 24, dir, "gramfuzz", nil, strings.Fields(args)...)
		line := regexp.MustCompile(want)
		x.until(args+" shows "+want, func() bool { return line.MatchString(x.all()) })
		x.press("\x03")
		x.end(exitInterrupted)
		if out := x.all(); strings.LastIndex(out, "\r\x1b[K") < strings.LastIndex(out, " a second") {
			t.Errorf("%s: the line is still there: %q", args, x.tail())
		}
	}
	x := onTerminalOf(t, 80, 24, dir, "gramfuzz", nil, strings.Fields("gen -g go --size 3000 --seed 1 -n 300 -q -o texts")...)
	x.end(exitDone)
	for _, args := range []string{
		"count -g go --size 4000", "explain -g go --size 4000",
		"parse -g go texts", "coverage -g go texts", "learn -g go texts",
	} {
		x := onTerminalOf(t, 80, 24, dir, "gramfuzz", nil, strings.Fields(args)...)
		left := regexp.MustCompile(`\r[a-z]+(: \d+ of \d+, \d+ a second| +\d+ %), \w+ left\x1b\[K`)
		x.until(args+" shows the time left", func() bool { return left.MatchString(x.all()) })
		x.press("\x03")
		x.end(exitInterrupted)
		if out := x.all(); strings.LastIndex(out, "\r\x1b[K") < strings.LastIndex(out, " left\x1b[K") {
			t.Errorf("%s: the line is still there: %q", args, x.tail())
		}
	}
}

// TestProgressOfTexts checks that counting texts shows progress, and ends with Ctrl-C.
func TestProgressOfTexts(t *testing.T) {
	x := onTerminalOf(t, 80, 24, t.TempDir(), "gramfuzz", nil, strings.Fields("count -g assign --size 14 --tries 1000000000 --over texts")...)
	x.wait("counting, ")
	x.press("\x03")
	x.end(exitInterrupted)
}
