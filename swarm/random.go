package swarm

import (
	"math/bits"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// seeded is a source of draws from a pseudo-random generator.
type seeded struct{ pcg rand.PCG }

func newSeeded(seed uint64) *seeded {
	d := &seeded{}
	// PCG's first outputs of neighbouring seeds are similar; mix the seeds.
	d.pcg.Seed(random.Mix(seed+random.Gamma), random.Mix(seed^0x73776172_6d636f6e))
	return d
}

func (d *seeded) coin(num, den uint64) bool {
	switch num {
	case 0:
		return false
	case den:
		return true
	}
	return d.uint64n(den) < num
}

func (d *seeded) below(n int) int { return int(d.uint64n(uint64(n))) }

// uint64n draws one of n numbers with exactly equal probability (Lemire 2019).
func (d *seeded) uint64n(n uint64) uint64 {
	hi, lo := bits.Mul64(d.pcg.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(d.pcg.Uint64(), n)
		}
	}
	return hi
}
