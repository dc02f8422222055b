package words

import (
	"fmt"
	"math/big"
)

// Plural formats a number of things: "1 rule", "2 rules".
func Plural[N int | int64 | uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// About formats a number exactly up to fifteen digits, a longer one by its first digits and its
// power of ten.
func About(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return s
	}
	return fmt.Sprintf("%s.%s·10^%d", s[:1], s[1:3], len(s)-1)
}
