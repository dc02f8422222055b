package reduce

import (
	"bytes"
	"slices"
)

// Compare is the order of a reduction: shortlex on the texts, then shortlex on the
// choice sequences. It returns a negative number if (text1, choices1) is smaller,
// and 0 if both are equal.
func Compare(text1 []byte, choices1 []int, text2 []byte, choices2 []int) int {
	if d := len(text1) - len(text2); d != 0 {
		return d
	}
	if d := bytes.Compare(text1, text2); d != 0 {
		return d
	}
	if d := len(choices1) - len(choices2); d != 0 {
		return d
	}
	return slices.Compare(choices1, choices2)
}
