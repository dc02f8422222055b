package sample

import "sync/atomic"

// Finished texts of up to copyBlock bytes stand in cells: those of a table one
// after the other in cells of one width, which hold the text and, in their last
// byte, its length. All tables share one stretch of memory, in the order in which
// they were found to be in use. So a text is one number away from the op that
// appends it and is all in one place, which is what counts when the tables do not
// fit in the nearest cache.

// cells says where the cells of a table are: the number of a cacheLine, and in the
// lowest widthBits bits the width. It is 0 as long as they are not made.
type cells struct{ v uint32 }

const (
	cacheLine = 64
	widthBits = 5
)

func (c *cells) load() uint32   { return atomic.LoadUint32(&c.v) }
func (c *cells) store(v uint32) { atomic.StoreUint32(&c.v, v) }

// keep puts texts of which the longest has at most copyBlock bytes in cells. They
// stay where they are in a memory that grows: who has an older end of it sees the
// tables that were there then.
func (s *slots) keep(f *texts, longest int) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []byte
	if old := s.cells.Load(); old != nil {
		all = *old
	} else {
		all = make([]byte, cacheLine) // nothing is at 0
	}
	at, width := len(all), longest+1
	n := len(f.starts) - 1
	size := (n*width + copyBlock + cacheLine - 1) / cacheLine * cacheLine // so that whole blocks can be copied from everywhere
	all = append(all, make([]byte, size)...)
	for i := range n {
		cell := all[at+i*width:][:width]
		cell[longest] = byte(copy(cell, f.bytes[f.starts[i]:f.starts[i+1]]))
	}
	s.cells.Store(&all)
	return uint32(at/cacheLine)<<widthBits | uint32(width)
}

// cell appends the text of a cell to dst, which has room for copyBlock bytes; ok is
// false where all is too old to have it.
func cell(dst, all []byte, c uint32, rank uint64) (_ []byte, ok bool) {
	at := uint(c>>widthBits) * cacheLine
	if c == 0 || at >= uint(len(all)) {
		return dst, false
	}
	width := uint(c % (1 << widthBits))
	at += uint(rank) * width
	end := len(dst)
	*(*[copyBlock]byte)(dst[end : end+copyBlock]) = *(*[copyBlock]byte)(all[at:])
	return dst[:end+int(all[at+width-1])], true
}
