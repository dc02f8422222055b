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

// maxBits bounds the bits of one field.
const maxBits = 64

// bits returns the number of bits of a bit field, bits1 to bits64, and whether e is one.
func (b *byteReader) bits(e *syntax.Expr) (int, bool) {
	digits, ok := strings.CutPrefix(e.Name, "bits")
	if e.Op != grammar.Ref || !ok || !b.names || b.defined[e.Name] {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 1 && n <= maxBits && strconv.Itoa(n) == digits
}

// joinBits replaces adjacent bit fields in a sequence by bytes.
func (b *byteReader) joinBits(e *syntax.Expr) {
	var children []*syntax.Expr
	for from := 0; from < len(e.Children); {
		to := from
		for ; to < len(e.Children); to++ {
			if _, ok := b.bits(e.Children[to]); !ok || isField(e.Children[to].Annotations) {
				break
			}
		}
		if to == from {
			children = append(children, e.Children[from])
			from++
			continue
		}
		children = append(children, b.bitFields(e.Children[from:to])...)
		from = to
	}
	e.Children = children
}

// bitRange is a bit field with the range of its values.
type bitRange struct {
	width  int
	lo, hi uint64
}

// bitFields packs bit fields into bytes; the first field has the highest bits. Each byte becomes a
// class with all combinations of the values of its fields.
func (b *byteReader) bitFields(fields []*syntax.Expr) (bytes []*syntax.Expr) {
	total := 0
	var sets [][]int // by byte: its values so far
	for _, e := range fields {
		f, ok := b.bitRange(e)
		if !ok {
			return nil
		}
		whole := total/8 == (total+f.width-1)/8
		if all := ^uint64(0) >> (64 - f.width); !whole && f.lo != f.hi && (f.lo != 0 || f.hi != all) {
			b.fail(e.Pos, fmt.Sprintf("the field of %d bits has a range, and lies in several bytes", f.width), "leave the range out, give one number with @value, or let the field begin and end in one byte")
			return nil
		}
		for left := f.width; left > 0; {
			n := min(left, 8-total%8) // the number of its bits in this byte
			lo, hi := f.lo, f.hi
			if !whole && lo != hi {
				lo, hi = 0, 1<<n-1
			} else if !whole {
				lo = lo >> (left - n) & (1<<n - 1)
				hi = lo
			}
			if total%8 == 0 {
				sets = append(sets, []int{0})
			}
			last := &sets[len(sets)-1]
			var next []int
			for _, v := range *last {
				for x := lo; x <= hi; x++ {
					next = append(next, v|int(x)<<(8-total%8-n))
				}
			}
			*last = next
			total, left = total+n, left-n
		}
	}
	if total%8 != 0 {
		b.fail(fields[0].Pos, fmt.Sprintf("the fields from here on have %d bits together, and end within a byte", total), "let fields of bits that stand side by side have 8, 16, 24, … bits together")
		return nil
	}
	for _, set := range sets {
		slices.Sort(set)
		var ranges []grammar.Range
		for _, v := range set {
			if last := len(ranges) - 1; last >= 0 && int(ranges[last].Hi) == v-1 {
				ranges[last].Hi = rune(v)
				continue
			}
			ranges = append(ranges, grammar.Range{Lo: rune(v), Hi: rune(v)})
		}
		bytes = append(bytes, byteClass(fields[0].Pos, ranges...))
	}
	return bytes
}

// bitRange reads the range of values of a bit field.
func (b *byteReader) bitRange(e *syntax.Expr) (f bitRange, ok bool) {
	f.width, _ = b.bits(e)
	f.hi = ^uint64(0) >> (64 - f.width)
	for _, a := range e.Annotations {
		want := map[string]int{"range": 2, "value": 1}[a.Name]
		if want == 0 || len(a.Args) != want || len(e.Annotations) > 1 {
			b.fail(a.Pos, fmt.Sprintf("@%s does not go with a field of bits", a.Name), "write it as in bits4 @range(5, 15) or bits4 @value(4); label the group of all fields of a byte with @part")
			return f, false
		}
		lo, err1 := strconv.ParseUint(a.Args[0], 10, 64)
		hi, err2 := strconv.ParseUint(a.Args[want-1], 10, 64)
		if err1 != nil || err2 != nil || lo > hi || hi > f.hi {
			b.fail(a.Pos, fmt.Sprintf("a field of %d bits has numbers from 0 to %d", f.width, f.hi), "write it as in bits4 @range(5, 15) or bits4 @value(4)")
			return f, false
		}
		f.lo, f.hi = lo, hi
	}
	return f, true
}

// constant replaces an encoding with @value by the literal of the encoded number.
func (b *byteReader) constant(e *syntax.Expr, a grammar.Annotation) {
	enc, ok := field.Named(e.Name)
	if e.Op != grammar.Ref || b.defined[e.Name] || !ok || len(a.Args) != 1 || len(e.Annotations) > 1 {
		b.fail(a.Pos, "@value is for encodings", "write it as in u16be @value(4*k) or dec3 @value(7)")
		return
	}
	v, err := strconv.ParseInt(a.Args[0], 10, 64)
	text, fits := enc.Text(v)
	if err != nil || !fits {
		b.fail(a.Pos, fmt.Sprintf("%v does not hold %s", enc, a.Args[0]), "take a wider encoding")
		return
	}
	*e = *syntax.NewLit(e.Pos, text)
}
