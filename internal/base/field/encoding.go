package field

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Encoding is an encoding of numbers and checksums. Its width is a fixed number of bytes,
// or for numbers also variable. The zero value writes nothing.
type Encoding struct {
	Width  int    // the width in bytes; the minimum if it is variable
	name   string // the name, if the width is variable; else ""
	low    bool   // variable width: the least significant group of 7 bits comes first
	zigzag bool   // variable width: 0, -1, 1, -2, … are written as 0, 1, 2, 3, …
	prefix bool   // variable width: whole bytes; the first two bits give their number
	base   int    // of digits: 8, 10 or 16; 0: the bytes of the number themselves
	little bool   // little-endian
	signed bool
	upper  bool // hexadecimal digits A to F
	raw    bool // bytes that are not a number
}

// MaxDigits bounds the digits of an encoding.
const MaxDigits = 128

// Named returns the encoding called name:
//
//	u8 u16be u16le u24be … u64be u64le   integers of 1 to 8 bytes, i8 … the signed ones
//	dec5 hex8 HEX8 oct11                 digits, with leading zeros
//	dec hex HEX oct                      as many digits as needed
//	varint vlq                           groups of 7 bits, the least or the most significant first
//	zigzag                               a zigzag varint, for negative numbers as well
//	quic                                 1, 2, 4 or 8 bytes; the first two bits give their number
func Named(name string) (Encoding, bool) {
	if e, ok := variable[name]; ok {
		e.Width, e.name = 1, name
		return e, true
	}
	for prefix, e := range map[string]Encoding{"dec": {base: 10}, "hex": {base: 16}, "HEX": {base: 16, upper: true}, "oct": {base: 8}} {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			n, err := strconv.Atoi(digits)
			e.Width = n
			return e, err == nil && n >= 1 && n <= MaxDigits && strconv.Itoa(n) == digits
		}
	}
	if name == "" || name[0] != 'u' && name[0] != 'i' {
		return Encoding{}, false
	}
	e := Encoding{signed: name[0] == 'i'}
	bits, little := strings.CutSuffix(name[1:], "le")
	bits, big := strings.CutSuffix(bits, "be")
	n, err := strconv.Atoi(bits)
	e.Width, e.little = n/8, little
	switch {
	case err != nil || strconv.Itoa(n) != bits || n%8 != 0 || n < 8 || n > 64 || little && big:
		return Encoding{}, false
	case n == 8:
		return e, !little && !big
	}
	return e, little || big
}

// variable is the encodings of variable width. Those without a base are groups of 7 bits
// (LEB128, and the variable-length quantities of MIDI), or the integers of QUIC (RFC 9000).
// In groups of 7 bits, the high bit says that another group follows.
var variable = map[string]Encoding{
	"dec": {base: 10}, "hex": {base: 16}, "HEX": {base: 16, upper: true}, "oct": {base: 8},
	"varint": {low: true}, "zigzag": {low: true, zigzag: true, signed: true}, "vlq": {}, "quic": {prefix: true},
}

// Variable reports whether the width depends on the number.
func (e Encoding) Variable() bool { return e.name != "" }

// Groups reports whether a number may be written in more bytes than it needs.
func (e Encoding) Groups() bool { return e.Variable() && e.base == 0 && !e.raw }

// Foreign reports whether the text of a number is longer than it needs to be.
func (e Encoding) Foreign(text string) bool {
	v, ok := e.Value(text)
	return e.Groups() && ok && len(text) > e.width(v)
}

// width returns the least number of bytes for a number.
func (e Encoding) width(v uint64) int {
	switch {
	case !e.Variable():
		return e.Width
	case e.prefix:
		n := 1
		for n < 8 && v >= 1<<(8*n-2) {
			n *= 2
		}
		return n
	case e.zigzag:
		v = twice(v)
	}
	base, n := uint64(cmp.Or(e.base, 0x80)), 1
	for ; v >= base; v /= base {
		n++
	}
	return n
}

// twice returns the zigzag encoding of v, which may be negative.
func twice(v uint64) uint64 { return v<<1 ^ -(v >> 63) }

// Widths returns the lengths of all prefixes of a text that are a number in an encoding of
// variable width. There is at most one for groups, and possibly more for digits. Digits
// have no leading zeros; there may be more groups than needed.
func (e Encoding) Widths(text string) (ns []int) {
	if n := e.groups(text); n > 0 {
		if _, ok := e.Value(text[:n]); ok {
			ns = append(ns, n)
		}
	}
	if e.Groups() {
		return ns
	}
	for n := 1; n <= min(len(text), maxWidth); n++ {
		if v, ok := e.Value(text[:n]); ok && e.width(v) == n {
			ns = append(ns, n)
		}
	}
	return ns
}

// groups returns the length of the groups at the beginning of a text; 0 if there are none.
func (e Encoding) groups(text string) int {
	n := 0
	switch {
	case !e.Groups() || text == "":
		return 0
	case e.prefix:
		n = 1 << (text[0] >> 6)
	default:
		n = strings.IndexFunc(text[:min(len(text), maxWidth)], func(r rune) bool { return r < 0x80 }) + 1
	}
	if n > len(text) {
		return 0
	}
	return n
}

// Bytes returns the encoding of checksums as their own bytes.
func Bytes(n int) Encoding { return Encoding{Width: n, raw: true} }

// AnyBytes is the encoding of copies of any length.
var AnyBytes = Encoding{name: "byte*", raw: true}

// Digits returns the digits of an encoding by digits, as ranges of two characters each. It
// returns "" if the encoding writes bytes.
func (e Encoding) Digits() string {
	switch {
	case e.base == 16 && e.upper:
		return "09AF"
	case e.base == 16:
		return "09af"
	case e.base == 10:
		return "09"
	case e.base == 8:
		return "07"
	}
	return ""
}

// Max returns the greatest number that fits.
func (e Encoding) Max() uint64 {
	switch {
	case e.prefix:
		return 1<<62 - 1
	case e.zigzag:
		return math.MaxInt64
	case e.Variable():
		return math.MaxUint64
	}
	if e.base == 0 {
		if e.Width > 8 {
			return math.MaxUint64
		}
		most := uint64(math.MaxUint64) >> (64 - 8*e.Width)
		if e.signed {
			most >>= 1
		}
		return most
	}
	most := uint64(1)
	for range e.Width {
		if most > math.MaxUint64/uint64(e.base) {
			return math.MaxUint64
		}
		most *= uint64(e.base)
	}
	return most - 1
}

// Most returns the greatest number that fits in width bytes.
func (e Encoding) Most(width int) uint64 {
	n := 7 * width // bits
	switch {
	case !e.Variable():
		return e.Max()
	case e.base != 0:
		most := e
		most.name, most.Width = "", width
		return most.Max()
	case e.prefix:
		n = 8<<min(3, bits.Len(uint(width))-1) - 2
	case e.zigzag:
		n--
	}
	return min(uint64(math.MaxUint64)>>max(0, 64-n), e.Max())
}

// LeastFirst reports whether the first byte is the least significant one.
func (e Encoding) LeastFirst() bool { return e.little || e.low }

// BytesAt returns the possible bytes at index at of a number of width bytes, in ascending
// order. It makes no exception for the most significant byte.
func (e Encoding) BytesAt(width, at int) (all []byte) {
	lo, hi := 0, 0xff
	switch {
	case e.base != 0:
		return []byte(e.digits())
	case e.prefix && at == 0:
		lo = (bits.Len(uint(width)) - 1) << 6
		hi = lo | 0x3f
	case e.prefix, !e.Variable():
	case at == width-1:
		hi = 0x7f
	default:
		lo = 0x80
	}
	for c := lo; c <= hi; c++ {
		all = append(all, byte(c))
	}
	return all
}

// Zero returns the encoding of 0.
func (e Encoding) Zero() string {
	if e.base == 0 {
		return strings.Repeat("\x00", e.Width)
	}
	return strings.Repeat("0", e.Width)
}

// Digest reports whether the encoding writes a checksum of n bytes unchanged, or in
// hexadecimal digits.
func (e Encoding) Digest(n int) bool {
	return e.base == 0 && e.Width == n || e.base == 16 && e.Width == 2*n
}

// put writes v to to, truncated to the width of to.
func (e Encoding) put(to []byte, v uint64) {
	if e.zigzag {
		v = twice(v)
	}
	if e.Groups() && !e.prefix {
		for i := range to {
			at := i
			if !e.low {
				at = len(to) - 1 - i
			}
			to[at] = byte(v) | 0x80
			if at == len(to)-1 {
				to[at] &^= 0x80
			}
			v >>= 7
		}
		return
	}
	if e.base == 0 {
		for i := range to {
			at := len(to) - 1 - i
			if e.little {
				at = i
			}
			to[at] = byte(v)
			v >>= 8
		}
		if e.prefix {
			to[0] = to[0]&0x3f | byte(bits.Len(uint(len(to)))-1)<<6
		}
		return
	}
	digits := e.digits()
	for i := len(to) - 1; i >= 0; i-- {
		to[i] = digits[v%uint64(e.base)]
		v /= uint64(e.base)
	}
}

// Text returns the text of a number; false if it does not fit.
func (e Encoding) Text(v int64) (string, bool) {
	if v < 0 && (!e.signed || v < -int64(min(e.Max(), math.MaxInt64))-1) || v >= 0 && uint64(v) > e.Max() {
		return "", false
	}
	to := make([]byte, e.width(uint64(v)))
	e.put(to, uint64(v))
	return string(to), true
}

// putSum writes the bytes of a checksum, the most significant first.
func (e Encoding) putSum(to, sum []byte) {
	if e.base == 16 && e.Digest(len(sum)) {
		hex.Encode(to, sum)
		if e.upper {
			copy(to, strings.ToUpper(string(to)))
		}
		return
	}
	if e.Digest(len(sum)) && !e.little {
		copy(to, sum)
		return
	}
	var v uint64
	for _, b := range sum { // here there are at most 8 bytes
		v = v<<8 | uint64(b)
	}
	e.put(to, v)
}

// Value returns the number written as text; false if text is not a number.
func (e Encoding) Value(text string) (uint64, bool) {
	var v uint64
	switch {
	case e == AnyBytes || e.prefix && (text == "" || e.groups(text) != len(text)):
		return 0, false
	case e.prefix:
		for i := range len(text) {
			v = v<<8 | uint64(text[i])
		}
		return v & (1<<(8*len(text)-2) - 1), true
	case e.Groups():
		for i := range len(text) {
			b := text[i]
			if e.low {
				b = text[len(text)-1-i]
			}
			if v>>57 != 0 || (text[i] < 0x80) != (i == len(text)-1) {
				return 0, false
			}
			v = v<<7 | uint64(b&0x7f)
		}
		if e.zigzag {
			v = v>>1 ^ -(v & 1)
		}
		return v, text != "" && v <= e.Max()
	}
	if len(text) != e.Width && !e.Variable() || e.base == 0 && e.Width > 8 {
		return 0, false
	}
	if e.base == 0 {
		for i := range len(text) {
			b := text[i]
			if e.little {
				b = text[len(text)-1-i]
			}
			v = v<<8 | uint64(b)
		}
		return v, v <= e.Max()
	}
	if strings.Trim(text, "0123456789abcdefABCDEF") != "" {
		return 0, false // a sign, an underscore
	}
	v, err := strconv.ParseUint(text, e.base, 64)
	return v, err == nil
}

// String returns the name of the encoding; for raw bytes, that is the native notation.
func (e Encoding) String() string {
	switch {
	case e.Variable():
		return e.name
	case e.base == 16 && e.upper:
		return fmt.Sprintf("HEX%d", e.Width)
	case e.base != 0:
		return fmt.Sprintf("%s%d", map[int]string{8: "oct", 10: "dec", 16: "hex"}[e.base], e.Width)
	case e.raw:
		return fmt.Sprintf("byte{%d}", e.Width)
	}
	name := map[bool]string{false: "u", true: "i"}[e.signed] + strconv.Itoa(8*e.Width)
	if e.Width > 1 {
		name += map[bool]string{false: "be", true: "le"}[e.little]
	}
	return name
}
