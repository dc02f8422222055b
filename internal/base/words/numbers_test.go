package words

import (
	"math/big"
	"testing"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{-1: "-1 rules", 0: "0 rules", 1: "1 rule", 2: "2 rules"} {
		if got := Plural(n, "rule"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := Plural(uint64(1)<<63, "byte"); got != "9223372036854775808 bytes" {
		t.Error(got)
	}
}

func TestAbout(t *testing.T) {
	for digits, want := range map[string]string{"0": "0", "123456789012345": "123456789012345", "1234567890123456": "1.23·10^15"} {
		n, _ := new(big.Int).SetString(digits, 10)
		if got := About(n); got != want {
			t.Errorf("%s: %q, want %q", digits, got, want)
		}
	}
}
