package main

import (
	"fmt"
	"math/big"
)

// plural formats a number of things: "1 rule", "2 rules".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// about formats a number for people: exactly up to fifteen digits, else by its
// first digits and its power of ten.
func about(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return s
	}
	return fmt.Sprintf("%s.%s·10^%d", s[:1], s[1:3], len(s)-1)
}
