package gocov

import (
	"encoding/binary"
	"strconv"
)

// Comparison is two unequal values that a program compared.
type Comparison struct {
	Place    uint32
	Constant bool // the first value is written in the program
	Fold     bool // strings are compared without case

	Width int // of integers, in bytes; 0: strings
	X, Y  uint64
	S, T  string
}

// The kinds and the layout of recorded comparisons, as in package trace.
const (
	comparedIntegers = 1 + iota
	comparedConstant
	comparedStrings
	comparedFold
)

const (
	comparedHead = 8
	comparedSlot = 96
	comparedText = 44
	// ComparedSize is the size of the memory for comparisons, in bytes.
	ComparedSize = comparedHead + 2048*comparedSlot
)

// Comparisons reads the comparisons of a run from memory that package trace wrote to, without
// those that were recorded twice. The memory is another process's, and may have anything.
func Comparisons(mem []byte) (all []Comparison) {
	if len(mem) < comparedHead {
		return nil
	}
	known := map[Comparison]bool{}
	n := min(uint64(binary.NativeEndian.Uint32(mem[4:])), uint64(len(mem)-comparedHead)/comparedSlot)
	for i := range int(n) {
		b := mem[comparedHead+i*comparedSlot:][:comparedSlot]
		kind, width, s, t := b[0], int(b[1]), int(b[2]), int(b[3])
		c := Comparison{Place: binary.LittleEndian.Uint32(b[4:]), Constant: kind == comparedConstant, Fold: kind == comparedFold}
		switch {
		case (kind == comparedIntegers || kind == comparedConstant) && (width == 2 || width == 4 || width == 8):
			c.Width, c.X, c.Y = width, binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
		case (kind == comparedStrings || kind == comparedFold) && s <= comparedText && t <= comparedText:
			c.S, c.T = string(b[8:8+s]), string(b[8+comparedText:8+comparedText+t])
		default:
			continue
		}
		if !known[c] {
			known[c] = true
			all = append(all, c)
		}
	}
	return all
}

// Signed returns a value of the comparison as a signed integer.
func (c *Comparison) Signed(v uint64) int64 {
	shift := 64 - 8*c.Width
	return int64(v<<shift) >> shift
}

// Decimals returns an integer of the comparison in decimal, as unsigned and, if that differs, as
// signed.
func (c *Comparison) Decimals(v uint64) []string {
	all := []string{strconv.FormatUint(v, 10)}
	if n := c.Signed(v); n < 0 {
		all = append(all, strconv.FormatInt(n, 10))
	}
	return all
}
