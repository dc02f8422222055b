package picture

import (
	"fmt"
	"math"
	"math/big"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/ui/report"
)

// The dimensions of the curve of counts, in pixels.
const (
	growthWidth, growthHeight = 640.0, 260.0
	growthLeft, growthRight   = 64.0, 16.0
	growthTop, growthBottom   = 16.0, 36.0
)

// growth draws the powers of ten of the numbers of derivations by size, beginning with the
// least size. A size without derivations has no point.
func growth(b count.Bound, counts []*big.Int) *report.SVG {
	s := &report.SVG{}
	top := 1.0
	for _, n := range counts {
		if n.Sign() > 0 {
			top = max(top, math.Ceil(log10(n)))
		}
	}
	step := 1.0
	for top/step > 6 {
		step = map[bool]float64{true: step * 2.5, false: step * 2}[step == 2 || step == 20 || step == 200]
	}
	right, bottom := growthWidth-growthRight, growthHeight-growthBottom
	y := func(v float64) float64 { return bottom - v/top*(bottom-growthTop) }
	x := func(i int) float64 {
		return growthLeft + (float64(i)+0.5)/float64(len(counts))*(right-growthLeft)
	}
	for v := 0.0; v <= top; v += step {
		s.Path("grid", "M", growthLeft, y(v), "H", right)
		s.Text(growthLeft-6, y(v)+4, "soft end", power(v))
	}
	s.Path("line", "M", growthLeft, growthTop, "V", bottom, "H", right)
	every := (len(counts) + 9) / 10
	for i := 0; i < len(counts); i += every {
		s.Text(x(i), bottom+16, "soft mid", fmt.Sprint(b.Min+i))
	}
	s.Text((growthLeft+right)/2, bottom+31, "soft mid", "size in "+b.Unit.String())
	var curve []any
	move := "M"
	for i, n := range counts {
		if n.Sign() == 0 {
			continue
		}
		curve = append(curve, move, x(i), y(log10(n)))
		move = "L"
	}
	s.Path("curve", curve...)
	for i, n := range counts {
		if n.Sign() > 0 {
			s.Group("", fmt.Sprintf("size %d: %s", b.Min+i, words.About(n)))
			s.Rect(x(i)-3, y(log10(n))-3, 6, 6, 3, "dot")
			s.End("")
		}
	}
	return s
}

// power formats a power of ten.
func power(exponent float64) string {
	switch exponent {
	case 0:
		return "1"
	case 1:
		return "10"
	}
	return fmt.Sprintf("10^%.0f", exponent)
}

// log10 returns the logarithm of a positive number of any length.
func log10(n *big.Int) float64 {
	mantissa, exponent := new(big.Float).SetInt(n), 0
	exponent = mantissa.MantExp(mantissa)
	m, _ := mantissa.Float64()
	return max(0, math.Log10(m)+float64(exponent)*math.Log10(2))
}
