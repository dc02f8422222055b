package field

import (
	"math/rand/v2"
	"strings"
)

// Spoils reports whether the field can be made wrong. A field without an encoding or
// without bytes cannot.
func (a At) Spoils() bool {
	return a.Field.computed() && a.To-a.From > len(a.Field.Lead)+len(a.Field.Trail)
}

// Spoil makes the text of a field wrong and keeps its width. The new number is one more or
// less, 0, the greatest one, or any other. Literals around the number stay.
func (f *Field) Spoil(text []byte, r *rand.Rand) {
	to := text[len(f.Lead) : len(text)-len(f.Trail)]
	was := string(to)
	v, number := f.Encoding.Value(was)
	for try := 0; string(to) == was; try++ {
		kind := r.IntN(5)
		if !number || try > 8 {
			kind = 4
		}
		switch kind {
		case 0:
			f.Encoding.put(to, v+1)
		case 1:
			f.Encoding.put(to, v-1)
		case 2:
			f.Encoding.put(to, 0)
		case 3:
			f.Encoding.put(to, f.Encoding.Max())
		default:
			i := r.IntN(len(to))
			switch digits := f.Encoding.digits(); {
			case digits != "":
				to[i] = digits[r.IntN(len(digits))]
			case f.Encoding.prefix:
				to[i] ^= byte(1 << r.IntN(map[bool]int{true: 6, false: 8}[i == 0]))
			case f.Encoding.Variable(): // the high bits determine the width
				to[i] ^= byte(1 << r.IntN(7))
			default:
				to[i] ^= byte(1 << r.IntN(8))
			}
		}
	}
}

// digits returns the digits of an encoding by digits; "" if it writes bytes.
func (e Encoding) digits() string {
	all := "0123456789abcdef"[:e.base]
	if e.upper {
		return strings.ToUpper(all)
	}
	return all
}
