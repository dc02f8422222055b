package swarm

import (
	"math/bits"
	"math/rand/v2"
)

// seeded draws from a seed.
type seeded struct{ pcg rand.PCG }

func newSeeded(seed uint64) *seeded {
	d := &seeded{}
	// PCG's first outputs of neighbouring seeds are alike in places: spread them.
	d.pcg.Seed(mix(seed+0x9e3779b97f4a7c15), mix(seed^0x73776172_6d636f6e))
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

// uint64n draws one of n numbers exactly evenly (Lemire 2019).
func (d *seeded) uint64n(n uint64) uint64 {
	hi, lo := bits.Mul64(d.pcg.Uint64(), n)
	if lo < n {
		for least := -n % n; lo < least; {
			hi, lo = bits.Mul64(d.pcg.Uint64(), n)
		}
	}
	return hi
}

// mix is the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
