package afl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/target/gocov"
)

// cmpLog is the layout of the memory in which programs compiled with AFL_LLVM_CMPLOG record the
// operands of comparisons. Each place of the program has a header, and a row for its last
// comparisons. Bits of a header are counted from its lowest.
type cmpLog struct {
	header              int  // bytes of a header
	hits, shape, kind   bits // in a header: comparisons; bytes of an operand, less one
	functions           int  // the kind of places that call functions such as strcmp
	operands            int  // bytes of two compared integers
	y, high             int  // in operands: the second integer; the upper half of one
	texts               int  // bytes of two compared texts
	u, length1, length2 int  // in texts: the second text and the lengths
	most                int  // compared texts in a row
}

// bits are adjacent bits of a word.
type bits struct{ from, n int }

func (b bits) of(w uint64) int { return int(w >> b.from & (1<<b.n - 1)) }

const (
	cmpPlaces = 1 << 16
	cmpRow    = 32 // compared integers in a row
)

// The layouts of AFL++ 4.00c to 4.10c, of 4.20c and 4.21c, and of later ones.
var (
	cmpLog400 = &cmpLog{
		header: 8, hits: bits{0, 24}, shape: bits{48, 5}, kind: bits{53, 2}, functions: 2,
		operands: 32, y: 8, high: 16, texts: 64, u: 32, length1: 31, length2: 63, most: 8,
	}
	cmpLog420 = &cmpLog{
		header: 2, hits: bits{0, 6}, shape: bits{6, 5}, kind: bits{11, 1}, functions: 1,
		operands: 42, y: 8, high: 16, texts: 66, u: 33, length1: 32, length2: 65, most: 16,
	}
	cmpLog430 = &cmpLog{
		header: 2, hits: bits{0, 6}, shape: bits{6, 5}, kind: bits{11, 1}, functions: 1,
		operands: 72, y: 32, high: 8, texts: 72, u: 32, length1: 64, length2: 65, most: 16,
	}
)

// CmpLogVersions are the versions of AFL++ whose records of comparisons are read.
const CmpLogVersions = "4.00c to 4.40c"

// compilerVersion matches the version of AFL++ in a program's file. AFL++ writes it there since
// 4.09c.
var compilerVersion = regexp.MustCompile(`afl-compiler-rt\+\+([0-9]+)\.([0-9]{2})[a-z]`)

// cmpLogOf returns the layout of a program's records. It depends on the version of AFL++, which the
// program's file names.
func cmpLogOf(name string, program []byte) (*cmpLog, error) {
	if !bytes.Contains(program, []byte("__AFL_CMPLOG_SHM_ID")) {
		return nil, &target.ProgramError{Program: name, Problem: "records no comparisons", Hint: "compile it with AFL_LLVM_CMPLOG=1 afl-clang-fast"}
	}
	m := compilerVersion.FindSubmatch(program)
	if m == nil {
		return cmpLog400, nil
	}
	switch version, _ := strconv.Atoi(string(m[1]) + string(m[2])); {
	case version < 400 || version > 440:
		return nil, &target.ProgramError{Program: name, Problem: fmt.Sprintf("records comparisons as AFL++ %s.%s does, which is not known here", m[1], m[2]),
			Hint: "compile it with AFL++ " + CmpLogVersions}
	case version > 421:
		return cmpLog430, nil
	case version > 410:
		return cmpLog420, nil
	}
	return cmpLog400, nil
}

// CheckCmpLog returns an error for a program whose comparisons [Driver.Compare] cannot read.
func CheckCmpLog(path string) error {
	text, err := os.ReadFile(path)
	if err == nil {
		_, err = cmpLogOf(path, text)
	}
	return err
}

// size returns the bytes of the memory. Those of the newest version end with tables that are not
// read here.
func (l *cmpLog) size() int { return cmpPlaces * (l.header + cmpRow*l.operands + 8) }

// clear empties the rows.
func (l *cmpLog) clear(mem []byte) { clear(mem[:cmpPlaces*l.header]) }

// read returns the comparisons of unequal values in the memory, which is the program's and may
// have anything, without duplicates at a place.
func (l *cmpLog) read(mem []byte) (all []gocov.Comparison) {
	for place := range cmpPlaces {
		var word [8]byte
		copy(word[:], mem[place*l.header:][:l.header])
		header := binary.LittleEndian.Uint64(word[:])
		hits := l.hits.of(header)
		if hits == 0 {
			continue
		}
		row := mem[cmpPlaces*l.header+place*cmpRow*l.operands:][:cmpRow*l.operands]
		from := len(all)
		if l.kind.of(header) == l.functions {
			for i := range min(hits, l.most) {
				all = l.addTexts(all, row[i*l.texts:][:l.texts])
			}
		} else {
			for i := range min(hits, cmpRow) {
				all = l.addIntegers(all, row[i*l.operands:][:l.operands], l.shape.of(header)+1)
			}
		}
		all = distinct(all, from, uint32(place))
	}
	return all
}

// distinct gives the comparisons from an index on their place, and removes duplicates. Compilers put
// constants second. So a second value that is always the same is taken for one, and the
// comparisons are added again with it as the constant.
func distinct(all []gocov.Comparison, from int, place uint32) []gocov.Comparison {
	known := map[gocov.Comparison]bool{}
	kept, same := all[:from], true
	for _, c := range all[from:] {
		same = same && (c.Width == 0 || c.Y == all[from].Y)
		c.Place = place
		if !known[c] {
			known[c] = true
			kept = append(kept, c)
		}
	}
	if n := len(kept); same {
		for _, c := range kept[from:n] {
			c.Constant, c.X, c.Y = true, c.Y, c.X
			if c.Width > 0 {
				kept = append(kept, c)
			}
		}
	}
	return kept
}

// addIntegers adds a comparison of two integers of so many bytes. Compilers also compare short
// texts so; if the second value looks like one, a comparison of texts is added, too.
func (l *cmpLog) addIntegers(all []gocov.Comparison, b []byte, width int) []gocov.Comparison {
	if width != 2 && width != 4 && width != 8 && width != 16 {
		return all
	}
	one := append(bytes.Clone(b[:8]), b[l.high:l.high+8]...)[:width]
	two := append(bytes.Clone(b[l.y:l.y+8]), b[l.y+l.high:][:8]...)[:width]
	if bytes.Equal(one, two) {
		return all
	}
	if width <= 8 {
		var x, y [8]byte
		copy(x[:], one)
		copy(y[:], two)
		all = append(all, gocov.Comparison{Width: width, X: binary.LittleEndian.Uint64(x[:]), Y: binary.LittleEndian.Uint64(y[:])})
	}
	for range 2 {
		if isText(two) {
			all = appendTexts(all, one, two)
		}
		slices.Reverse(one) // as memcmp orders texts
		slices.Reverse(two)
	}
	return all
}

// isText reports whether at least two printable characters precede the first zero.
func isText(b []byte) bool {
	b, _, _ = bytes.Cut(b, []byte{0})
	return len(b) >= 2 && !bytes.ContainsFunc(b, func(r rune) bool { return r < ' ' || r > '~' })
}

// addTexts adds a comparison of two texts. A length above 0x80 is of a string with its final
// zero, another one the number of bytes that can be read there.
func (l *cmpLog) addTexts(all []gocov.Comparison, b []byte) []gocov.Comparison {
	text := func(b []byte, length byte) []byte { return b[:min(int(length&0x7f), len(b))] }
	return appendTexts(all, text(b[:31], b[l.length1]), text(b[l.u:l.u+31], b[l.length2]))
}

// appendTexts adds a comparison of two texts in memory. A text ends at its first zero. If it has none,
// the program compared only a part of it; it is cut at the length of the other.
func appendTexts(all []gocov.Comparison, s, t []byte) []gocov.Comparison {
	s, _, ended := bytes.Cut(s, []byte{0})
	t, _, endedToo := bytes.Cut(t, []byte{0})
	if !ended {
		s = s[:min(len(s), len(t))]
	}
	if !endedToo {
		t = t[:min(len(s), len(t))]
	}
	if len(s) == 0 || len(t) == 0 || bytes.Equal(s, t) {
		return all
	}
	return append(all, gocov.Comparison{S: string(s), T: string(t), Fold: true})
}
