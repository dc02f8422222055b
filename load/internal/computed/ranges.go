package computed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/load/internal/syntax"
)

// mostDigits bounds the digits or groups of a variable-width number that is neither computed nor in
// a range.
const mostDigits = 5

// anyNumber returns an expression for all numbers of up to mostDigits bytes in a variable-width
// encoding.
func anyNumber(pos grammar.Pos, enc field.Encoding) *syntax.Expr {
	if enc.String() == "zigzag" { // its texts are those of varint
		enc, _ = field.Named("varint")
	}
	return alternatives(pos, enc, sequences(enc, 0, int64(enc.Most(mostDigits)), 0))
}

// numbers replaces an encoding with @range by an expression for the numbers in that range.
func (b *byteReader) numbers(e *syntax.Expr, a grammar.Annotation) {
	enc, ok := field.Named(strings.Replace(e.Name, anyByte, "u8", 1))
	if e.Op != grammar.Ref || b.defined[e.Name] || !ok {
		b.fail(a.Pos, "@range is for encodings", "write it as in u8 @range(1, 31) or u16be @range(1..65535)")
		return
	}
	args := a.Args
	if len(args) == 1 {
		args = strings.SplitN(args[0], "..", 2)
	}
	var ends [2]int64
	for i, arg := range args {
		v, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || len(args) != 2 {
			b.fail(a.Pos, "@range takes two whole numbers", "write it as in u8 @range(1, 31) or u16be @range(1..65535)")
			return
		}
		if _, fits := enc.Text(v); !fits {
			b.fail(a.Pos, fmt.Sprintf("%v does not hold %d", enc, v), "take a wider encoding")
			return
		}
		ends[i] = v
	}
	lo, hi := ends[0], ends[1]
	if hi < lo {
		b.fail(a.Pos, fmt.Sprintf("the range %d to %d is empty", lo, hi), "write the least one first")
		return
	}
	var all [][][]byte
	if hi >= 0 {
		all = sequences(enc, max(lo, 0), hi, 0)
	}
	switch {
	case lo >= 0:
	case enc.Variable(): // zigzag: the code of -1-v is the code of v plus 1, and odd
		all = append(all, sequences(enc, -1-min(hi, -1), -1-lo, 1)...)
	default:
		all = append(all, sequences(enc, lo, min(hi, -1), 0)...)
	}
	as := slices.DeleteFunc(slices.Clone(e.Annotations), func(a grammar.Annotation) bool { return a.Name == "range" })
	*e = *alternatives(e.Pos, enc, all)
	e.Annotations = append(e.Annotations, as...)
}

// sequences returns the texts of the numbers from lo to hi as sequences of sets of bytes. lo and hi
// have the same sign. For zigzag, odd is the lowest bit of the texts.
func sequences(enc field.Encoding, lo, hi int64, odd byte) (all [][][]byte) {
	for {
		first, _ := enc.Text(lo)
		top := hi
		if most := enc.Most(len(first)); enc.Variable() && uint64(top) > most {
			top = int64(most)
		}
		last, _ := enc.Text(top)
		from, to, bytes := []byte(first), []byte(last), make([][]byte, len(first))
		for i := range bytes {
			bytes[i] = enc.BytesAt(len(first), i)
		}
		if enc.String() == "zigzag" {
			bytes[0] = slices.DeleteFunc(bytes[0], func(c byte) bool { return c&1 != odd })
			from[0] |= odd
			to[0] |= odd
		}
		if enc.LeastFirst() {
			slices.Reverse(from)
			slices.Reverse(to)
			slices.Reverse(bytes)
		}
		for _, s := range split(from, to, bytes) {
			if enc.LeastFirst() {
				slices.Reverse(s)
			}
			all = append(all, s)
		}
		if top == hi {
			return all
		}
		lo = top + 1
	}
}

// split returns the texts from lo to hi as sequences of sets of bytes. bytes has the bytes allowed
// at each place, in ascending order.
func split(lo, hi []byte, bytes [][]byte) (all [][][]byte) {
	if len(lo) == 0 {
		return [][][]byte{nil}
	}
	add := func(first, lo, hi []byte) {
		for _, rest := range split(lo, hi, bytes[1:]) {
			all = append(all, append([][]byte{first}, rest...))
		}
	}
	var least, most []byte
	for _, set := range bytes[1:] {
		least, most = append(least, set[0]), append(most, set[len(set)-1])
	}
	from, to := slices.Index(bytes[0], lo[0]), slices.Index(bytes[0], hi[0])
	if from == to {
		add(bytes[0][from:to+1], lo[1:], hi[1:])
		return all
	}
	if string(lo[1:]) != string(least) {
		add(bytes[0][from:from+1], lo[1:], most)
		from++
	}
	end := to
	if string(hi[1:]) == string(most) {
		end++
	}
	if from < end {
		all = append(all, append([][]byte{bytes[0][from:end]}, bytes[1:]...))
	}
	if end == to {
		add(bytes[0][to:to+1], least, hi[1:])
	}
	return all
}

// alternatives returns a choice between sequences of sets of bytes. If all sequences have one byte,
// it returns a single class.
func alternatives(pos grammar.Pos, enc field.Encoding, all [][][]byte) *syntax.Expr {
	if !enc.Variable() && enc.Width == 1 {
		var set []byte
		for _, s := range all {
			set = append(set, s[0]...)
		}
		slices.Sort(set)
		return setOf(pos, enc, set)
	}
	var alts []*syntax.Expr
	for _, s := range all {
		var elements []*syntax.Expr
		for _, set := range s {
			elements = append(elements, setOf(pos, enc, set))
		}
		alts = append(alts, syntax.NewSeq(pos, elements...))
	}
	return syntax.NewChoice(pos, alts...)
}

// setOf returns a class of the bytes in set, or of digits. set is in ascending order.
func setOf(pos grammar.Pos, enc field.Encoding, set []byte) *syntax.Expr {
	var ranges []grammar.Range
	for _, c := range set {
		if last := len(ranges) - 1; last >= 0 && int(ranges[last].Hi)+1 == int(c) {
			ranges[last].Hi = rune(c)
			continue
		}
		ranges = append(ranges, grammar.Range{Lo: rune(c), Hi: rune(c)})
	}
	if enc.Digits() != "" {
		return syntax.NewClass(pos, false, ranges...)
	}
	return byteClass(pos, ranges...)
}
