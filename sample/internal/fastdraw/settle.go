package fastdraw

import (
	"math/big"

	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// precision is the precision of the numbers used to decide a draw.
type precision uint8

const (
	doubled precision = iota // twice the digits of a float64, with a proven bound
	exact
)

// bounds encloses a number between two others, equal if it is known exactly.
type bounds struct{ lo, hi *big.Int }

// settleDraw decides a 64-bit draw u between n outcomes exactly. It refines the numbers
// against the same bits, and takes more bits only if the exact threshold lies within the draw
// u. The bounds of one call are on one scale.
func settleDraw(str *randombits.Stream, u uint64, n int, weight func(i int, level precision) (bounds, error)) (int, error) {
	for level := doubled; ; level++ {
		cum := make([]bounds, n)
		total := bounds{new(big.Int), new(big.Int)}
		for i := range n {
			w, err := weight(i, level)
			if err != nil {
				return 0, err
			}
			total.lo, total.hi = new(big.Int).Add(total.lo, w.lo), new(big.Int).Add(total.hi, w.hi)
			cum[i] = total
		}
		at, sure := 0, true
		for at < n-1 {
			if str.Reaches(u, cum[at].hi, total.lo) {
				at++
				continue
			}
			sure = !str.Reaches(u, cum[at].lo, total.hi)
			break
		}
		if sure || level == exact {
			return at, nil
		}
	}
}

// settle decides between the outcomes of a draw at a slot of the given step.
func (e *outcomes) settle(str *randombits.Stream, u uint64, step int) (int, error) {
	var items []item
	return settleDraw(str, u, len(e.list), func(i int, level precision) (bounds, error) {
		o := &e.list[i]
		if o.weight != nil {
			return bounds{o.weight, o.weight}, nil
		}
		items = items[:0]
		for _, p := range e.of(o) {
			if p.kind == pieceItem {
				items = append(items, item{e.sp, p.id, int(p.step)})
			}
		}
		return productBounds(e.sp, items, step, level)
	})
}

// productBounds returns the number of derivations of items together, where they are the rest
// of a set of size step.
func productBounds(sp *space, items []item, step int, level precision) (bounds, error) {
	n := sp.nums.(*floatNumbers)
	if level == exact {
		w := big.NewInt(1)
		for _, it := range items {
			c, err := n.exact(it.id, it.step)
			if err != nil {
				return bounds{}, err
			}
			w.Mul(w, c)
		}
		return bounds{w, w}, nil
	}
	d, err := n.doubles()
	if err != nil {
		return bounds{}, err
	}
	x, e := new(big.Float).SetPrec(256).SetInt64(1), 0x1p-200
	for _, it := range items {
		v, err := d.At(it.id, it.step)
		x.Mul(x, v)
		e += 2 * err
		step -= it.step
	}
	x.Mul(x, d.Power(step)) // the size already in the outcome
	var b bounds
	margin := new(big.Float).SetPrec(256).Mul(x, big.NewFloat(min(e, 1)))
	b.lo, _ = new(big.Float).SetMantExp(new(big.Float).SetPrec(256).Sub(x, margin), boundBits).Int(nil)
	b.hi, _ = new(big.Float).SetMantExp(new(big.Float).SetPrec(256).Add(x, margin), boundBits).Int(nil)
	b.hi.Add(b.hi, one)
	return b, nil
}

// boundBits is the binary exponent that scales bounds.
const boundBits = 4096
