// Package random scrambles 64-bit numbers, so that neighbouring seeds and
// indices start unrelated random streams.
//
//	pcg.Seed(random.Next(seed), random.Next(index))
//
// It is the generator of Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014.
package random

// Gamma is the odd number by which the generator's state grows: 2^64 divided by
// the golden ratio.
const Gamma = 0x9e3779b97f4a7c15

// Mix is the generator's finalizer, a permutation of the 64-bit numbers. Mix(0)
// is 0.
func Mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// Next is the generator's output after state x.
func Next(x uint64) uint64 { return Mix(x + Gamma) }
