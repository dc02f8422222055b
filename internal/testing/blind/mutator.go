package blind

import (
	"math/rand/v2"
	"reflect"
	"slices"
)

// maxText is the greatest length to which texts grow.
const maxText = 4 << 10

// mutator makes mutants of lists of arguments.
type mutator struct {
	types []reflect.Type
	pool  [][]reflect.Value
}

// mutant returns mutant i of args, which is not changed. Half of them begin with another list of
// the pool.
func (m mutator) mutant(args []reflect.Value, i uint64) []reflect.Value {
	r := rand.New(rand.NewPCG(i, 0x626c696e64))
	if r.IntN(2) == 0 {
		args = m.pool[r.IntN(len(m.pool))]
	}
	out := slices.Clone(args)
	for {
		at := r.IntN(len(out))
		out[at] = m.change(r, out[at], at)
		if r.IntN(3) == 0 {
			return out
		}
	}
}

// change returns v, a value for argument at, with one change.
func (m mutator) change(r *rand.Rand, v reflect.Value, at int) reflect.Value {
	other := m.pool[r.IntN(len(m.pool))][at]
	out := reflect.New(m.types[at]).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(string(edit(r, []byte(v.String()), []byte(other.String()))))
	case reflect.Slice:
		out.SetBytes(edit(r, slices.Clone(v.Bytes()), other.Bytes()))
	case reflect.Bool:
		out.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.SetInt(int64(number(r, uint64(v.Int()))))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out.SetUint(number(r, v.Uint()))
	default: // floats: no target has one
		out.Set(other)
	}
	return out
}

// number returns a number near v, at a limit of its type, or any.
func number(r *rand.Rand, v uint64) uint64 {
	switch r.IntN(4) {
	case 0:
		return v + uint64(r.IntN(9)) - 4
	case 1:
		return 1<<r.IntN(64) - uint64(r.IntN(3))
	case 2:
		return v ^ 1<<r.IntN(64)
	}
	return r.Uint64()
}

// words are inserted into texts: numbers at limits, and texts that end, escape or hide others.
var words = []string{
	"0", "-1", "1", "255", "65536", "2147483648", "4294967295", "9223372036854775807", "9223372036854775808", "18446744073709551615",
	"99999999999999999999999", "1e999", "0x110000", "\\u{110000}", "\\ud800", "\\x", "\\", "\"", "'", "`", "(", ")", "[", "]", "{", "}", "<", ">",
	"(*", "*)", "/*", "*/", "//", "#", "--", "\n", "\r\n", "\t", " ", "\x00", "\x1b[31m", "\x80", "\xff", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufeff", "\u202e", "\u2028", "é", "𝄞",
	"=", "::=", ":", ";", ".", "|", "/", "*", "+", "?", "-", "..", "..=", "{1,2}", "@", "%", "$", "^", "~", "&", ",", "null", "true", "a", "A",
}

// edit makes one change in text, which it may overwrite, with parts of other.
func edit(r *rand.Rand, text, other []byte) []byte {
	from, to := part(r, text)
	switch r.IntN(10) {
	case 0:
		return slices.Delete(text, from, to)
	case 1:
		return grown(text, from, text[from:to])
	case 2: // repeats a part many times
		return grown(text, from, repeated(text[from:to], 1+r.IntN(64)))
	case 3:
		a, b := part(r, other)
		return grown(text, from, other[a:b])
	case 4:
		a, b := part(r, other)
		return grown(slices.Delete(text, from, to), from, other[a:b])
	case 5:
		return grown(text, from, []byte(words[r.IntN(len(words))]))
	case 6:
		return grown(slices.Delete(text, from, to), from, []byte(words[r.IntN(len(words))]))
	case 7:
		return text[:from]
	case 8:
		if len(text) > 0 {
			text[min(from, len(text)-1)] ^= 1 << r.IntN(8)
		}
		return text
	}
	return grown(text, from, []byte{byte(r.IntN(256))})
}

// part returns the bounds of a part of text, most often a short one.
func part(r *rand.Rand, text []byte) (from, to int) {
	from = r.IntN(len(text) + 1)
	long := len(text) - from
	if r.IntN(4) > 0 {
		long = min(long, 8)
	}
	return from, from + r.IntN(long+1)
}

// grown inserts more at a place of text if the result is not too long.
func grown(text []byte, at int, more []byte) []byte {
	if len(text)+len(more) > maxText {
		return text
	}
	return slices.Insert(text, at, more...)
}

func repeated(part []byte, n int) []byte {
	return slices.Repeat(part, min(n, maxText/max(len(part), 1)))
}
