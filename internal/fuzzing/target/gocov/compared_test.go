package gocov

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gramfuzz/gramfuzz/internal/testing/blind"
)

// recorded is memory with n records, of which the first bytes are given.
func recorded(n byte, records ...[]byte) []byte {
	mem := make([]byte, comparedHead+4*comparedSlot)
	mem[4] = n
	for i, r := range records {
		copy(mem[comparedHead+i*comparedSlot:], r)
	}
	return mem
}

var (
	integers = []byte{1, 4, 0, 0, 7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 5}
	texts    = append(append([]byte{4, 0, 2, 1, 9, 0, 0, 0, 'a', 'b'}, make([]byte, comparedText-2)...), 'c')
)

func TestComparisons(t *testing.T) {
	got := Comparisons(recorded(3, integers, texts, integers))
	want := []Comparison{{Place: 7, Width: 4, X: 0xffffffff, Y: 5}, {Place: 9, Fold: true, S: "ab", T: "c"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if d := want[0].Decimals(0xffffffff); !slices.Equal(d, []string{"4294967295", "-1"}) {
		t.Errorf("-1 of four bytes is %q", d)
	}
	if n := len(Comparisons(recorded(200, integers))); n != 1 {
		t.Errorf("%d comparisons of one record and none", n)
	}
}

// FuzzComparisons checks that any memory gives no more comparisons than it can hold.
func FuzzComparisons(f *testing.F) {
	f.Add(recorded(3, integers, texts))
	f.Add(recorded(255, bytes.Repeat([]byte{255}, comparedSlot)))
	f.Add(make([]byte, comparedHead-1))
	blind.Fuzz(f, func(t *testing.T, mem []byte) {
		if n := len(Comparisons(mem)); n*comparedSlot > len(mem) {
			t.Errorf("%d comparisons in %d bytes", n, len(mem))
		}
	})
}
