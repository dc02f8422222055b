package gocov

import (
	"encoding/binary"
	"errors"
)

// counterFile is a reader of the output of runtime/coverage.WriteCounters: the counter data
// files of the Go toolchain, version 1 (internal/coverage/defs.go).
type counterFile struct {
	data []byte
	at   int
	raw  bool // numbers are 4 bytes each, else LEB128
	big  bool
}

// The parts of a counter data file, in bytes.
const (
	headerSize  = 32
	segmentSize = 16
	footerSize  = 16
)

var errFile = errors.New("the coverage counters are in a format that is not known; the program was built by a newer toolchain")

// read calls f with every counter that is not 0.
func (r *counterFile) read(data []byte, f func(counter int, hits uint8)) error {
	if len(data) < headerSize+segmentSize+footerSize || string(data[:4]) != "\x00cwm" ||
		binary.LittleEndian.Uint32(data[4:]) != 1 {
		return errFile
	}
	flavor := data[24]
	r.data, r.raw, r.big = data[:len(data)-footerSize], flavor == 1, data[25] != 0
	if flavor != 1 && flavor != 2 {
		return errFile
	}
	r.at = headerSize
	funcs := binary.LittleEndian.Uint64(data[r.at:])
	texts := uint64(binary.LittleEndian.Uint32(data[r.at+8:])) + uint64(binary.LittleEndian.Uint32(data[r.at+12:]))
	if texts > uint64(len(data)) {
		return errFile
	}
	r.at = (r.at + segmentSize + int(texts) + 3) &^ 3
	for range funcs {
		if r.at >= len(r.data) {
			return errFile
		}
		n, pkg, fn := r.next(), r.next(), r.next()
		for block := range n {
			if r.at >= len(r.data) {
				return errFile
			}
			if hits := r.next(); hits != 0 {
				f(number(pkg, fn, block), uint8(min(hits, 255)))
			}
		}
	}
	if r.at > len(r.data) {
		return errFile
	}
	return nil
}

// next reads a number; past the end it is 0.
func (r *counterFile) next() uint32 {
	if r.raw {
		r.at += 4
		if r.at > len(r.data) {
			return 0
		}
		if r.big {
			return binary.BigEndian.Uint32(r.data[r.at-4:])
		}
		return binary.LittleEndian.Uint32(r.data[r.at-4:])
	}
	x := uint32(0)
	for shift := 0; r.at < len(r.data); shift += 7 {
		b := r.data[r.at]
		r.at++
		x |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
	r.at++
	return 0
}
