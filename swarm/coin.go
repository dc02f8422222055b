package swarm

import (
	"fmt"
	"math/big"
	"strings"
)

// Coin is the probability Num/Den that a feature is in before the
// configuration is completed. Probability 1 makes the feature essential;
// probability 0 also keeps it from being added. The zero Coin stands for ½.
type Coin struct{ Num, Den uint64 }

// half is the fair coin.
var half = Coin{1, 2}

func (c Coin) never() bool { return c.Num == 0 && c.Den != 0 }

// String returns the coin as [ParseCoin] reads it.
func (c Coin) String() string {
	switch {
	case c.Den == 0:
		return "1/2"
	case c.Num == 0:
		return "never"
	case c.Num == c.Den:
		return "essential"
	}
	return fmt.Sprintf("%d/%d", c.Num, c.Den)
}

// ParseCoin reads a coin: "essential", "never", or a fraction or decimal number
// from 0 to 1, as in "1/3" or "0.25".
func ParseCoin(text string) (Coin, error) {
	switch text {
	case "essential":
		return Coin{1, 1}, nil
	case "never":
		return Coin{0, 1}, nil
	}
	bad := fmt.Errorf("%q is no coin: write essential, never or a number from 0 to 1 such as 1/3 or 0.25", text)
	if len(text) > 40 || strings.ContainsAny(text, "eEpPxX_") {
		return Coin{}, bad
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.Sign() < 0 || r.Cmp(big.NewRat(1, 1)) > 0 || !r.Denom().IsUint64() {
		return Coin{}, bad
	}
	return Coin{r.Num().Uint64(), r.Denom().Uint64()}, nil
}
