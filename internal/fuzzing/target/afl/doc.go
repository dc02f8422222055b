// Package afl runs programs instrumented by AFL++ (afl-clang-fast, afl-gcc-fast,
// afl-clang-lto) many times a second, in pure Go. It drives the fork server in the
// program and reads coverage from shared memory. The input is passed in shared memory
// if the program supports it, else on standard input or as a file.
//
//	d, err := afl.Start(ctx, afl.Options{Args: []string{"./parser-afl"}})
//	defer d.Close()
//	result, err := d.Run(ctx, input)
//	for edge, hits := range d.Map() { … }
//
// It supports both handshakes: that up to AFL++ 4.2x and the later, versioned one. As in
// afl-fuzz, persistent mode (__AFL_LOOP) and deferred fork servers (__AFL_INIT) are
// recognized by their marks in the program's file.
//
// The output of the program is discarded; run a failing input again with [target.Runner]
// to see it. The package works on Linux only; elsewhere [Start] returns an error.
package afl
