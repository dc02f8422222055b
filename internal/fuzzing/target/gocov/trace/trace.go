// Package trace lets programs be linked of which packages are compiled with
// -d=libfuzzer: such code calls functions that compare logs are made of, which
// test binaries have from the standard library and other programs do not.
// They record comparisons once Record was called, and do nothing until then. Import the
// package from programs and never from tests: there the functions would be defined twice.
//
// [github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov.Comparisons] reads the records. The
// first word of their memory is set by its reader: it is 1 while comparisons are wanted. The
// second is the number of records; each has slotSize bytes:
//
//	0    the kind
//	1    the width of integers in bytes
//	2,3  the lengths of two strings
//	4    the place in the program, 4 bytes
//	8    two integers of 8 bytes each, or two strings of at most textSize bytes
package trace

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

const (
	kindIntegers = 1 + iota
	kindConstant
	kindStrings
	kindFold
)

const (
	headSize = 8
	slotSize = 96
	textSize = 44

	perPlace = 8 // records of one place in a run, about
)

var (
	compared []byte // nil: no record is kept
	begun    [1 << 10]uint8
)

// Record has comparisons recorded in mem, which is shared with a reader.
func Record(mem []byte) { compared = mem }

// Begin begins a run.
//
//go:norace
func Begin() {
	if on() {
		begun = [1 << 10]uint8{}
	}
}

// next returns the memory of the next record, nil if there is none. Goroutines of the program may
// count a record of a place less, which does no harm and must not be reported as its race.
//
//go:norace
func next(kind, width byte, place uint) []byte {
	n := &begun[(uint32(place)*0x9e3779b1)>>22]
	if *n == perPlace {
		return nil
	}
	*n++
	count := (*uint32)(unsafe.Pointer(&compared[4]))
	at := headSize + slotSize*int(atomic.AddUint32(count, 1)-1)
	if at+slotSize > len(compared) {
		return nil
	}
	b := compared[at : at+slotSize]
	b[0], b[1] = kind, width
	binary.LittleEndian.PutUint32(b[4:], uint32(place))
	return b
}

func on() bool { return compared != nil && compared[0] != 0 }

func numbers(kind, width byte, x, y uint64, place uint) {
	if on() { // calls no function otherwise: there are many comparisons
		record(kind, width, x, y, place)
	}
}

func record(kind, width byte, x, y uint64, place uint) {
	if x == y {
		return
	}
	if b := next(kind, width, place); b != nil {
		binary.LittleEndian.PutUint64(b[8:], x)
		binary.LittleEndian.PutUint64(b[16:], y)
	}
}

func texts(kind byte, s, t string, place uint) {
	if !on() || s == t || len(s) == 0 || len(t) == 0 || len(s) > textSize || len(t) > textSize {
		return
	}
	if b := next(kind, 0, place); b != nil {
		b[2], b[3] = byte(len(s)), byte(len(t))
		copy(b[8:], s)
		copy(b[8+textSize:], t)
	}
}

//go:linkname cmp1 runtime.libfuzzerTraceCmp1
func cmp1(uint8, uint8, uint) {}

//go:linkname cmp2 runtime.libfuzzerTraceCmp2
func cmp2(x, y uint16, place uint) { numbers(kindIntegers, 2, uint64(x), uint64(y), place) }

//go:linkname cmp4 runtime.libfuzzerTraceCmp4
func cmp4(x, y uint32, place uint) { numbers(kindIntegers, 4, uint64(x), uint64(y), place) }

//go:linkname cmp8 runtime.libfuzzerTraceCmp8
func cmp8(x, y uint64, place uint) { numbers(kindIntegers, 8, x, y, place) }

// Single bytes are characters mostly, which a grammar has anyway.
//
//go:linkname constCmp1 runtime.libfuzzerTraceConstCmp1
func constCmp1(uint8, uint8, uint) {}

//go:linkname constCmp2 runtime.libfuzzerTraceConstCmp2
func constCmp2(x, y uint16, place uint) { numbers(kindConstant, 2, uint64(x), uint64(y), place) }

//go:linkname constCmp4 runtime.libfuzzerTraceConstCmp4
func constCmp4(x, y uint32, place uint) { numbers(kindConstant, 4, uint64(x), uint64(y), place) }

//go:linkname constCmp8 runtime.libfuzzerTraceConstCmp8
func constCmp8(x, y uint64, place uint) { numbers(kindConstant, 8, x, y, place) }

//go:linkname hookStrCmp runtime.libfuzzerHookStrCmp
func hookStrCmp(s, t string, place uint) { texts(kindStrings, s, t, place) }

//go:linkname hookEqualFold runtime.libfuzzerHookEqualFold
func hookEqualFold(s, t string, place uint) { texts(kindFold, s, t, place) }
