package afl

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

func TestCmpLogOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program string
		want    *cmpLog
		err     string
	}{
		{"", cmpLog400, ""},
		{"DEBUG: AFL++ afl-compiler-rt++4.10c\n", cmpLog400, ""},
		{"DEBUG: AFL++ afl-compiler-rt++4.21c\n", cmpLog420, ""},
		{"DEBUG: AFL++ afl-compiler-rt++4.22a\n", cmpLog430, ""},
		{"DEBUG: AFL++ afl-compiler-rt++4.40c\n", cmpLog430, ""},
		{"DEBUG: AFL++ afl-compiler-rt++4.41a\n", nil, "./p: records comparisons as AFL++ 4.41 does, which is not known here; compile it with AFL++ " + CmpLogVersions},
		{"DEBUG: AFL++ afl-compiler-rt++9.99c\n", nil, "./p: records comparisons as AFL++ 9.99 does, which is not known here; compile it with AFL++ " + CmpLogVersions},
	} {
		got, err := cmpLogOf("./p", []byte("__AFL_CMPLOG_SHM_ID\n"+tt.program))
		if got != tt.want || err == nil != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%q: %v, %v", tt.program, got, err)
		}
	}
}

var cmpLogs = []*cmpLog{cmpLog400, cmpLog420, cmpLog430}

// put writes a header and the start of a row.
func (l *cmpLog) put(mem []byte, place int, header uint64, row []byte) {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], header)
	copy(mem[place*l.header:][:l.header], word[:])
	copy(mem[cmpPlaces*l.header+place*cmpRow*l.operands:][:cmpRow*l.operands], row)
}

// TestCmpLogRead reads rows of integers and texts that it wrote, in each layout. TestCompares reads
// the rows of a compiled program.
func TestCmpLogRead(t *testing.T) {
	t.Parallel()
	for _, l := range cmpLogs {
		header := func(kind, width, hits int) uint64 {
			return uint64(hits)<<l.hits.from | uint64(width-1)<<l.shape.from | uint64(kind)<<l.kind.from
		}
		numbers := l.functions - 1
		integers := func(pairs ...uint64) (row []byte) {
			for i := 0; i < len(pairs); i += 2 {
				b := make([]byte, l.operands)
				binary.LittleEndian.PutUint64(b, pairs[i])
				binary.LittleEndian.PutUint64(b[l.y:], pairs[i+1])
				row = append(row, b...)
			}
			return row
		}
		texts := func(s, t string, length byte) []byte {
			b := make([]byte, l.texts)
			copy(b, s)
			copy(b[l.u:], t)
			b[l.length1], b[l.length2] = length, length
			return b
		}
		mem := make([]byte, l.size())
		l.put(mem, 1, header(numbers, 4, 3), integers(5, 70000, 5, 70000, 0x1_0000_0006, 70000))
		l.put(mem, 2, header(numbers, 2, 2), integers(1, 2, 3, 4))
		l.put(mem, 3, header(numbers, 1, 1), integers(1, 2))
		l.put(mem, 4, header(l.functions, 9, 1), texts("abcdefgh\x00", "abc\x00", 0x80+9))
		l.put(mem, 5, header(l.functions, 31, 1), texts("x y and what follows it in memory", "set\x00", 31))
		l.put(mem, 6, header(l.functions, 31, 1), texts("same\x00", "same\x00", 31))
		l.put(mem, 7, header(numbers, 4, 1), integers(uint64(binary.LittleEndian.Uint32([]byte("ab\x00\x00"))), uint64(binary.LittleEndian.Uint32([]byte("xyz\x00")))))
		want := []gocov.Comparison{
			{Place: 1, Width: 4, X: 5, Y: 70000}, {Place: 1, Width: 4, X: 6, Y: 70000},
			{Place: 1, Width: 4, X: 70000, Y: 5, Constant: true}, {Place: 1, Width: 4, X: 70000, Y: 6, Constant: true},
			{Place: 2, Width: 2, X: 1, Y: 2}, {Place: 2, Width: 2, X: 3, Y: 4},
			{Place: 4, S: "abcdefgh", T: "abc", Fold: true},
			{Place: 5, S: "x y", T: "set", Fold: true},
			{Place: 7, Width: 4, X: 0x6261, Y: 0x7a7978},
			{Place: 7, S: "ab", T: "xyz", Fold: true},
			{Place: 7, Width: 4, X: 0x7a7978, Y: 0x6261, Constant: true},
		}
		if diff := cmp.Diff(want, l.read(mem)); diff != "" {
			t.Errorf("header of %d bytes (-want +got):\n%s", l.header, diff)
		}
		l.clear(mem)
		if got := l.read(mem); len(got) > 0 {
			t.Errorf("after clearing: %v", got)
		}
	}
}

// FuzzCmpLog reads a row with arbitrary bytes. Every comparison is of that row's place and of two
// unequal values.
func FuzzCmpLog(f *testing.F) {
	mem := make([][]byte, len(cmpLogs))
	for i, l := range cmpLogs {
		mem[i] = make([]byte, l.size())
		f.Add(uint64(3)<<l.hits.from|uint64(l.functions)<<l.kind.from, []byte(strings.Repeat("abc\x00\x82", 20)))
		f.Add(uint64(2)<<l.hits.from|uint64(15)<<l.shape.from, []byte(strings.Repeat("abc\x00\x82", 20)))
	}
	blind.Fuzz(f, func(t *testing.T, header uint64, row []byte) {
		for i, l := range cmpLogs {
			l.put(mem[i], 77, header, make([]byte, cmpRow*l.operands))
			l.put(mem[i], 77, header, row)
			for _, c := range l.read(mem[i]) {
				if c.Place != 77 || c.Width == 0 && (c.S == "" || c.T == "" || c.S == c.T) || c.Width > 0 && c.X == c.Y {
					t.Errorf("read %+v", c)
				}
			}
		}
	})
}
