package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/gramfuzz/gramfuzz/bench/internal/antlrtool"
)

// antlr is ANTLR's own parser of a grammar in a running JVM, which reads the
// names of files and says of each whether it accepts it.
type antlr struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	file string
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
	a := &antlr{cmd: cmd, in: in, out: bufio.NewReader(out), file: f.Name()}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return a, cmd.Start()
}

// accepts asks about a text. Its time includes writing a file, which does not
// matter.
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

func (a *antlr) close() {
	a.in.Close()
	a.cmd.Wait()
	os.Remove(a.file)
}
