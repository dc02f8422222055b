// Package gocov reads the coverage counters that the Go toolchain compiled into
// the running program: what a run of some code in the same process reached.
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
// A program that is no test has to import gocov/trace, too, which stands in for
// what the testing package links. What is inlined into a package that is not
// instrumented has no counters there. The toolchain promises nothing about these
// counters; Open says when there are none.
//
// Blocks are those of go build -cover. They are supported by the toolchain and
// take 20 microseconds and more to read:
//
//	go build -cover -covermode=atomic -coverpkg=example.com/parser,example.com/program
//
// where the main package has to be among those covered.
// Where both are there, Open takes the edges. Counters belong to the whole
// process: code that runs at the same time on another goroutine counts, too.
package gocov
