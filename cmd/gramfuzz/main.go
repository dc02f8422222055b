// Command gramfuzz makes test inputs from grammars, counts them, and shrinks failing
// inputs.
//
//	gramfuzz gen -g expr.ebnf -n 1000
//	gramfuzz count -g expr.ebnf --size 20
//	gramfuzz reduce --pred ./check.sh
//	gramfuzz fuzz -g expr.ebnf -- ./program
//	gramfuzz --help
package main

import (
	"os"
	"runtime/debug"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
)

func main() {
	if target.EnterCage(os.Args) {
		return
	}
	std := newStreams(os.Stdin, os.Stdout, os.Stderr)
	if os.Getenv("GOMEMLIMIT") == "" {
		std.limitMemory = func(bytes int64) { debug.SetMemoryLimit(bytes) }
	}
	os.Exit(cli(os.Args[1:], std))
}
