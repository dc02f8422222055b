package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/gramfuzz/gramfuzz/bench/internal/antlrtool"
)

// antlr is ANTLR's own parser of a grammar in a running JVM. It reads names of files
// and answers for each whether it accepts the file.
type antlr struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	file string

	begun time.Time
}

func startANTLR(ctx context.Context, data, dir, start string) (*antlr, error) {
	cmd, err := antlrtool.Command(ctx, data, dir, start)
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "text*.json")
	if err != nil {
		return nil, err
	}
	a := &antlr{cmd: cmd, in: in, out: bufio.NewReader(out), file: f.Name(), begun: time.Now()}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return a, cmd.Start()
}

// accepts runs the parser on a text. Its time includes writing a file, which is negligible.
func (a *antlr) accepts(text string) error {
	if err := os.WriteFile(a.file, []byte(text), 0o600); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(a.in, a.file); err != nil {
		return err
	}
	line, err := a.out.ReadString('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(line, "accept\t") {
		return fmt.Errorf("ANTLR says %s", line)
	}
	return nil
}

// tick is the unit of CPU times in /proc.
const tick = 10 * time.Millisecond

// cpu returns the CPU time of all threads of the JVM, with a resolution of 10 ms, or false if the
// system does not report it.
func (a *antlr) cpu() (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", a.cmd.Process.Pid))
	if err != nil {
		return 0, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third field on
	if len(fields) < 13 {
		return 0, false
	}
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, false
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, err == nil
}

// used returns the CPU time of the JVM, or the elapsed time if the CPU time is unknown.
func (a *antlr) used() time.Duration {
	if d, ok := a.cpu(); ok {
		return d
	}
	return time.Since(a.begun)
}

func (a *antlr) close() {
	a.in.Close()
	a.cmd.Wait()
	os.Remove(a.file)
}
