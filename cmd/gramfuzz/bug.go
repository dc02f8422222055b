package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/campaign"
)

// bug is a panic: an invariant of gramfuzz is broken.
type bug struct {
	value any
	stack []byte
}

func (b *bug) Error() string { return fmt.Sprint(b.value) }

// guard calls f and turns its panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &bug{v, debug.Stack()}
			if p, ok := v.(*campaign.Panic); ok {
				err = &bug{p.Value, p.Stack}
			}
		}
	}()
	return f()
}

// stackLines is the number of stack lines shown: with the rest they fit on a screen.
const stackLines = 12

// report prints the panic, its stack and the command line, and asks for a bug report.
func (b *bug) report(std streams) {
	var frames []string
	lines := strings.Split(string(b.stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "\t") && len(frames) < stackLines && !strings.Contains(line, "/runtime/") && i > 4 {
			frames = append(frames, "  "+words.Quote(strings.TrimSpace(line))+"\n")
		}
	}
	std.note("this is a bug in gramfuzz: %.300v", b.value)
	fmt.Fprintf(std.err, "%scommand: %s\nversion: %s\n"+
		"Please report it at https://github.com/gramfuzz/gramfuzz/issues, with these lines and the grammar.\n",
		strings.Join(frames, ""), words.Quote(strings.Join(os.Args, " ")), version())
}
