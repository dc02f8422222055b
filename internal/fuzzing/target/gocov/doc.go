// Package gocov reads the coverage counters of the running program, which the Go toolchain
// compiled in. They show the code that a run in the same process reached.
//
//	c, err := gocov.Open()
//	c.Reset()
//	parse(input)
//	err = c.Each(func(counter int, hits uint8) { … })
//
// There are two kinds of counters. Edges are those of go test -fuzz: one byte for
// each edge, nearly free to write, some microseconds to read. They take a build
// with the tag gramfuzz_edges, and the packages to be watched instrumented:
//
//	go test -tags=gramfuzz_edges -gcflags='example.com/parser=-d=libfuzzer' -ldflags=-checklinkname=0
//	go build -tags=gramfuzz_edges -gcflags='example.com/parser=-d=libfuzzer'
//
// A program that is not a test also has to import gocov/trace, which replaces functions that
// the testing package links. Functions inlined into a package that is not instrumented have
// no counters there. The toolchain gives no guarantees about these counters; Open returns
// [ErrNone] if there are none.
//
// Blocks are those of go build -cover. They are supported by the toolchain and
// take 20 microseconds and more to read:
//
//	go build -cover -covermode=atomic -coverpkg=example.com/parser,example.com/program
//
// The main package has to be among those covered. If a program has both kinds, Open uses the
// edges. Counters belong to the whole process: concurrent code on another goroutine counts
// too.
package gocov
