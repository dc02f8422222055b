// Package rawbyte maps the bytes from 0x80 on to numbers beyond the characters, so that classes
// can have them as members.
//
//	b = rawbyte.Append(b, rawbyte.Of(0xff)) // one byte
//	b = rawbyte.Append(b, 'ÿ')              // two bytes, UTF-8
//
// The numbers lie above all of Unicode. A class has either characters or bytes.
package rawbyte

import "unicode/utf8"

// First is the number of byte 0. The numbers of bytes below 0x80 are not used, since these bytes
// are characters.
const First = utf8.MaxRune + 1

// Last is the number of byte 0xff.
const Last = First + 0xff

// Of returns the number of a byte.
func Of(b byte) rune {
	if b < utf8.RuneSelf {
		return rune(b)
	}
	return First + rune(b)
}

// Append appends the text of a number: one byte, or a character in UTF-8.
func Append(dst []byte, r rune) []byte {
	if r >= First {
		return append(dst, byte(r-First))
	}
	return utf8.AppendRune(dst, r)
}

// Len returns the number of bytes in the text of a number.
func Len(r rune) int {
	if r >= First {
		return 1
	}
	return utf8.RuneLen(r)
}

// Decode returns the number of the first byte or character of text, and its length. With asByte,
// a byte from 0x80 on counts by itself; otherwise it begins a character. The number is -1 if
// there is none.
func Decode(text string, asByte bool) (r rune, size int) {
	switch {
	case text == "":
		return -1, 0
	case text[0] < utf8.RuneSelf || asByte:
		return Of(text[0]), 1
	}
	r, size = utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return -1, 1
	}
	return r, size
}
