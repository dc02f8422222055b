// Package afl runs programs instrumented by AFL++ (afl-clang-fast, afl-gcc-fast,
// afl-clang-lto) many times a second, in pure Go: it speaks to the fork server
// in the program, takes coverage from shared memory and gives the input through
// shared memory where the program reads it there, else on standard input or as
// a file.
//
//	d, err := afl.Start(ctx, afl.Options{Args: []string{"./parser-afl"}})
//	defer d.Close()
//	result, err := d.Run(ctx, input)
//	for edge, hits := range d.Map() { … }
//
// Both handshakes are spoken: that up to AFL++ 4.2x and the versioned one after
// it. Persistent mode (__AFL_LOOP) and deferred fork servers (__AFL_INIT) are
// found by the marks they leave in the program's file, as afl-fuzz does.
//
// The output of the program goes nowhere; run an input that fails once more
// with [target.Runner] to see what it prints. Linux only; elsewhere [Start]
// says so.
package afl
