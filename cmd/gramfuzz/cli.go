package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/files"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/manual"
)

// Rules for output: results go to standard output, everything else to standard
// error. A message has the form "gramfuzz: problem; remedy", in lower case and
// without a full stop. Messages about a grammar begin with file:line:col instead,
// so that editors can jump there.

// The exit codes.
const (
	exitDone        = 0
	exitNo          = 1   // found something; not a sentence; the predicate never held
	exitWrong       = 2   // wrong usage, bad grammar, missing file, nothing within the bound
	exitBug         = 70  // a bug of gramfuzz
	exitInterrupted = 130 // Ctrl-C, SIGTERM, SIGHUP
)

// exitError is an error with its own exit code.
type exitError struct {
	code int
	err  error // nil: nothing is printed
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// no returns the answer "no": exit code 1.
func no(format string, a ...any) error {
	return &exitError{exitNo, fmt.Errorf(format, a...)}
}

// defaultGrace is the time that a command has to end after Ctrl-C. Then unfinished files are
// removed, so Ctrl-C takes less than 100 ms in all.
const defaultGrace = 80 * time.Millisecond

// sameSignal is the time in which a second signal counts as a repetition of the first: timeout(1)
// signals both the program and its group. A later Ctrl-C ends the program at once.
const sameSignal = 300 * time.Millisecond

// cli runs the program and returns its exit code.
func cli(args []string, std streams) int {
	return run(std, func() (*command, []string, int) { return find(args, std) })
}

// run runs the command that find returns until it ends or a signal ends it.
func run(std streams, find func() (*command, []string, int)) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ends := make(chan os.Signal, 4)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // ignored under nohup
		signal.Notify(ends, syscall.SIGHUP)
	}
	// With a handler installed, writing to a closed pipe is an ordinary error and does not end
	// the process, so files get removed.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)

	std.interrupt = func() { go func() { ends <- os.Interrupt }() }
	cmd, args, code := find()
	if cmd == nil {
		signal.Stop(ends)
		return code
	}
	done := make(chan int, 1)
	go func() {
		code := finish(ctx, guard(func() error { return cmd.run(ctx, args, std) }), std)
		std.tidy.RemoveAll() // A file stays unfinished if removing it failed.
		done <- code
	}()
	select {
	case code := <-done:
		signal.Stop(ends)
		return code
	case <-ends:
		// The handler stays: a repeated signal must not end a program that is about to report its
		// end.
	}
	cancel()
	grace := cmd.grace
	if grace == 0 {
		grace = defaultGrace
	}
	begin, late := time.Now(), time.After(grace)
	for {
		select {
		case code := <-done:
			return code
		case s := <-ends:
			if s != os.Interrupt || time.Since(begin) < sameSignal {
				continue
			}
		case <-late:
		}
		std.tidy.RemoveAll()
		std.screen.Load().Close()
		std.line.Load().End()
		return exitInterrupted
	}
}

// find returns the command that the arguments name. If there is none to run, it
// returns nil and the exit code.
func find(args []string, std streams) (*command, []string, int) {
	if len(args) == 0 {
		printHelp(std.err)
		return nil, nil, exitWrong
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			return find([]string{args[1], "--help"}, std)
		}
		return nil, nil, printed(std, printHelp(std.out))
	case manual.Request:
		return &command{run: runComplete}, args[1:], 0
	case "version", "-version", "--version":
		_, err := fmt.Fprintln(std.out, "gramfuzz", version())
		return nil, nil, printed(std, err)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return &c, args[1:], 0
		}
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	hint := "gramfuzz --help lists all"
	if near := words.Nearest(args[0], names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	std.note("unknown command %q; %s", args[0], hint)
	return nil, nil, exitWrong
}

// printed returns the exit code of a command that only writes to standard output.
func printed(std streams, err error) int {
	if err != nil {
		err = files.WriteError("", err)
	}
	return finish(context.Background(), err, std)
}

// finish prints an error and returns the exit code.
func finish(ctx context.Context, err error, std streams) int {
	var exit *exitError
	var diags grammar.Diagnostics
	var broken *bug
	switch {
	case err == nil || errors.Is(err, errHelp):
		return exitDone
	case brokenPipe(err):
		return exitDone // the reader of our output has closed it
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &broken):
		broken.report(std)
		return exitBug
	case errors.As(err, &diags):
		std.diagnose(diags...)
		return exitWrong
	case errors.As(err, &exit):
		if exit.err != nil {
			std.note("%v", exit.err)
		}
		return exit.code
	}
	std.note("%v", err)
	return exitWrong
}

func printHelp(w io.Writer) error {
	_, err := io.WriteString(w, helpText())
	return err
}

func helpText() string {
	var b strings.Builder
	b.WriteString("gramfuzz makes test inputs from grammars, counts them, and shrinks what fails.\n\n" +
		"usage: gramfuzz COMMAND [flags]\n")
	group := ""
	for _, c := range commands() {
		if c.group != "" && c.group != group {
			group = c.group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		fmt.Fprintf(&b, "  %-11s %s\n", c.name, c.short)
	}
	b.WriteString("\ngramfuzz COMMAND --help shows its flags of everyday use, --help all the others too; gramfuzz --version says which gramfuzz this is.\n" +
		"exit codes: 0 done; 1 found something, or the answer is no; 2 wrong usage or input; 70 a bug in gramfuzz; 130 interrupted.\n")
	return b.String()
}

// version returns the version in Go's build information.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
