package target

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ProgramError is the error for a program that cannot be run, found before any run.
type ProgramError struct {
	Program string // as given
	Problem string // what is wrong
	Hint    string // what to do
	Err     error  // the cause, or nil
}

// Error is "program: what; what to do".
func (e *ProgramError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.Program, e.Problem, e.Hint)
}

// Unwrap returns the cause.
func (e *ProgramError) Unwrap() error { return e.Err }

// LookPath finds a program as [New] does: by PATH, or relative to dir ("" is the current
// folder). It makes the same checks as New before a run; the error is a [*ProgramError].
func LookPath(name, dir string) (path string, err error) { return findProgram(name, dir) }

// findProgram returns the absolute path of an executable program.
func findProgram(name, dir string) (string, error) {
	if !strings.ContainsAny(name, `/\`) {
		return lookUp(name, dir)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &ProgramError{name, err.Error(), "give an absolute path", err}
	}
	if runtime.GOOS == "windows" {
		if found, err := exec.LookPath(abs); err == nil {
			return found, nil
		}
	}
	return abs, checkProgram(name, abs)
}

func lookUp(name, dir string) (string, error) {
	found, err := exec.LookPath(name)
	if err == nil {
		if found, err = filepath.Abs(found); err == nil {
			return found, checkProgram(name, found)
		}
	}
	hint := "install it, or give its path"
	if info, statErr := os.Stat(filepath.Join(dir, name)); statErr == nil && info.Mode().IsRegular() {
		hint = "there is a file of that name here: write ./" + name
	}
	return "", &ProgramError{name, "no such program in PATH", hint, err}
}

// checkProgram checks for common mistakes with scripts.
func checkProgram(name, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ProgramError{name, "no such file", "check the path; it was looked for at " + path, err}
	case err != nil:
		return &ProgramError{name, err.Error(), "check the path", err}
	case info.IsDir():
		return &ProgramError{name, "is a folder, not a program", "give the path of a script or program", nil}
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return &ProgramError{name, "is not executable", "run: chmod +x " + name, fs.ErrPermission}
	}
	return checkShebang(name, path)
}

// checkShebang checks the first line of a script. It accepts an unreadable file: a program may
// be executable without being readable.
func checkShebang(name, path string) error {
	head := readHead(path)
	if head == nil {
		return nil
	}
	if len(head) == 0 {
		return &ProgramError{name, "is empty", "write a script whose first line is #!/bin/sh", nil}
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	if !bytes.HasPrefix(head, []byte("#!")) {
		if looksLikeText(head) {
			return &ProgramError{name, "is a script without a #! line", "make its first line #!/bin/sh", nil}
		}
		return nil
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	if bytes.HasSuffix(line, []byte("\r")) {
		return &ProgramError{name, "its #! line ends with a carriage return",
			"save it with Unix line ends (sed -i 's/\\r$//' " + name + ")", nil}
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return &ProgramError{name, "its #! line names no interpreter", "make its first line #!/bin/sh", nil}
	}
	if _, err := os.Stat(words[0]); filepath.IsAbs(words[0]) && errors.Is(err, fs.ErrNotExist) {
		return &ProgramError{name, "its interpreter " + words[0] + " does not exist",
			"install it or correct the #! line", err}
	}
	return nil
}

// readHead returns the beginning of a file; nil if it cannot be opened.
func readHead(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

// looksLikeText reports whether a file is a script, not a binary: it has no byte below tab.
func looksLikeText(head []byte) bool {
	return bytes.IndexFunc(head, func(r rune) bool { return r < '\t' || r == '\uFFFD' }) < 0
}
