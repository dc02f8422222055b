package fastdraw

import (
	"bytes"
	"hash/maphash"
	"math"
	"sync/atomic"
	"unsafe"
)

// Finished texts of up to copyBlock bytes are stored in cells. The cells of a table are
// consecutive and have one width: a byte for the length, then the text. All tables share one
// stretch of memory, in the order of their first use. So an op addresses a text by one number,
// and the text is in one place. That matters when the tables do not fit in the nearest cache.

// cells is the place of a table's cells: their offset, a multiple of cellsAlign, with their
// width in the bits below. It is 0 until they are made.
type cells struct{ v uint32 }

const cellsAlign = 32

func (c *cells) load() uint32   { return atomic.LoadUint32(&c.v) }
func (c *cells) store(v uint32) { atomic.StoreUint32(&c.v, v) }

// storeTexts stores texts of at most copyBlock bytes in cells; longest is the length of the
// longest. Tables with the same texts share their cells. The memory only grows and cells never
// move in it, so an older view of it stays valid.
func (s *compiled) storeTexts(f *texts, longest int) uint32 {
	width := longest + 1
	n := len(f.starts) - 1
	size := (n*width + copyBlock + cellsAlign - 1) / cellsAlign * cellsAlign // whole blocks can be copied from everywhere
	table := make([]byte, size)
	for i := range n {
		text := f.bytes[f.starts[i]:f.starts[i+1]]
		table[i*width] = byte(len(text))
		copy(table[i*width+1:], text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []byte
	if old := s.cells.Load(); old != nil {
		all = *old
	} else {
		all = make([]byte, cellsAlign) // the cell noText
	}
	key := maphash.Bytes(s.seed, table)
	if c, ok := s.same[key]; ok && c%cellsAlign == uint32(width) && bytes.HasPrefix(all[c-c%cellsAlign:], table) {
		return c
	}
	if uint64(len(all)+size) > math.MaxUint32 {
		return 0
	}
	s.add(int64(size))
	c := uint32(len(all) + width)
	all = append(all, table...)
	s.cells.Store(&all)
	s.same[key] = c
	return c
}

// noText is a table with only the empty text.
const noText = 1

// cell writes the text of a rank to buf[end:], always copyBlock bytes, and returns its end.
// The table c must be in all, the rank in the table, and buf large enough. This is not checked
// here, because checks would take more time than all the rest.
func cell(buf unsafe.Pointer, end int, all unsafe.Pointer, c uint32, rank uint64) int {
	from := unsafe.Add(all, uint(c-c%cellsAlign)+uint(rank)*uint(c%cellsAlign))
	*(*[copyBlock]byte)(unsafe.Add(buf, end)) = *(*[copyBlock]byte)(unsafe.Add(from, 1))
	return end + int(*(*byte)(from))
}
