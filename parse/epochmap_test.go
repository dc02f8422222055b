package parse

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestEpochMap compares the table with a map, over many epochs of all sizes.
func TestEpochMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var m epochMap
	for epoch := range 300 {
		if epoch == 100 {
			m.epoch = 1<<32 - 2 // it wraps round
		}
		m.clear()
		want := map[mapKey]int32{}
		for range rng.IntN(1 << (epoch % 12)) {
			k, v := key3(rng.Int32N(40), rng.Int32N(10)-5, rng.Int32N(9)-1), rng.Int32()
			m.put(k, v)
			want[k] = v
		}
		if m.n != len(want) {
			t.Fatalf("epoch %d: %d keys, want %d", epoch, m.n, len(want))
		}
		for k, v := range maps.All(want) {
			if got, ok := m.get(k); !ok || got != v {
				t.Fatalf("epoch %d: %v: got %d, %t; want %d", epoch, k, got, ok, v)
			}
		}
		if _, ok := m.get(key2(99, 0)); ok {
			t.Fatalf("epoch %d: a key that was never put", epoch)
		}
	}
}
