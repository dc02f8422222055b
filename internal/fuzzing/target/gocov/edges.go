//go:build gramfuzz_edges && (darwin || linux || windows || freebsd || openbsd) && (amd64 || arm64 || loong64)

package gocov

import "unsafe"

// The linker sets these to the beginning and the end of the counters of all code
// compiled with -d=libfuzzer (cmd/link, internal/fuzz/counters_supported.go).

//go:linkname countersBegin internal/fuzz._counters
var countersBegin [0]byte

//go:linkname countersEnd internal/fuzz._ecounters
var countersEnd [0]byte

func edges() []byte {
	begin, end := unsafe.Pointer(&countersBegin), unsafe.Pointer(&countersEnd)
	return unsafe.Slice((*byte)(begin), int(uintptr(end)-uintptr(begin)))
}
