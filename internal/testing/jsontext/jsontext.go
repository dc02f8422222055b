// Package jsontext makes JSON texts for measurements.
//
//	text := jsontext.Make(1 << 20) // about 1 MB, the same each time
package jsontext

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Make makes about n bytes of JSON like that of programs: objects in an
// array, short strings, numbers, indented. The same n gives the same text.
func Make(n int) string {
	rng := rand.New(rand.NewPCG(9, 10))
	var b strings.Builder
	b.WriteString("[\n")
	for b.Len() < n {
		if b.Len() > 2 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `  {"id": %d, "name": "user %x", "ok": %v, "score": %g, "tags": ["a", "b\n%d", null], "at": {"x": -%d, "y": [1, 2.5e3, []]}}`,
			rng.IntN(1e6), rng.Uint32(), rng.IntN(2) == 0, rng.Float64()*100, rng.IntN(100), rng.IntN(50))
	}
	b.WriteString("\n]\n")
	return b.String()
}
