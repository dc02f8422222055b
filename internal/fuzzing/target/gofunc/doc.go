// Package gofunc builds a program from a Go function that takes a text. The program runs the
// function on many texts in one process, and reports the edges that it covers.
//
//	p, err := gofunc.Build(ctx, gofunc.Options{Func: "./parser.Parse", Out: "parse"})
//	p.Path // a program for internal/fuzzing/target/afl with Options.Direct, or for package target
//
// The go tool in PATH builds the program from the module of the current folder. It uses an
// overlay, so nothing is written into the module. The watched packages are compiled with the
// counters of go test -fuzz (-d=libfuzzer). The toolchain gives no guarantees about these: see
// package target/gocov.
//
// Run by hand, the program calls the function once, with the text of the file that is its
// argument, or else of standard input. The exit code is 0, or 1 if the function returned an
// error, which is printed; or the function itself ends the program. A call of os.Exit by the
// function is printed with its stack, like a panic. A stack is limited to 64 MiB, instead of
// Go's 1 GB.
package gofunc
