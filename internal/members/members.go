// Package members numbers the characters of a class as choice sequences do: those
// that it generates come first, then the others that it means.
//
//	v := members.Index(class, 'x') // -1 where the class does not have it
//	r := members.Rune(class, v)
package members

import "github.com/gramfuzz/gramfuzz/grammar"

// Rune returns the character that value v means at the class e.
func Rune(e *grammar.Expr, v int) rune {
	if v < e.Gen.Len() {
		return e.Gen.At(v)
	}
	return e.Rest.At(v - e.Gen.Len())
}

// Index returns the value that means the character r at the class e, or -1 where
// the class does not have it.
func Index(e *grammar.Expr, r rune) int {
	if i := e.Gen.Index(r); i >= 0 {
		return i
	}
	if i := e.Rest.Index(r); i >= 0 {
		return e.Gen.Len() + i
	}
	return -1
}
