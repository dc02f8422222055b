// Package gofunc builds a program of a Go function that takes a text: one that
// runs many texts in one process, and tells its edges.
//
//	p, err := gofunc.Build(ctx, gofunc.Options{Func: "./parser.Parse", Out: "parse"})
//	p.Path // a program for internal/target/afl with Options.Direct, or for package target
//
// The program is built from the module of the current folder by the go tool found
// in PATH, with an overlay, so that nothing is written into the module. The
// packages that are watched are compiled with the counters of go test -fuzz
// (-d=libfuzzer); the toolchain promises nothing about these, see package
// target/gocov.
//
// Run by hand, the program calls the function once: with the text in the file that
// is its argument, else with standard input. It ends with 0, with 1 when the
// function returned an error, which it prints; or as the function lets it end.
// A call of os.Exit by the function is printed with its stack, like a panic. A
// stack is at most 64 MiB, where Go has 1 GB.
package gofunc
