// Package randombits provides the randomness of one sentence: a stream of draws that depends
// only on the seed and the number of the sentence.
//
//	var s randombits.Stream
//	s.Reset(seed, 7) // of sentence 7
//	i := s.Intn(10)
package randombits

import (
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// Stream gives 64 bits per decision, from PCG seeded with (seed, index of the sentence). A
// decision always takes exactly one word, so the precision of numbers does not shift later
// decisions. It is for one goroutine.
type Stream struct {
	PCG
	N           uint64 // decisions made
	seed, index uint64
	high, low   uint64 // of the seed: the state's high word, and a mask of its low one
}

// Reset begins the stream of a sentence.
func (s *Stream) Reset(seed, index uint64) {
	if s.seed != seed || s.high == 0 { // else these are the ones from before: mixing takes a tenth of a short sentence
		s.seed, s.high, s.low = seed, random.Mix(seed+random.Gamma), random.Mix(seed)
	}
	s.index, s.N = index, 0
	// PCG's first outputs of neighbouring seeds are similar in places, so spread the seeds.
	s.PCG = PCG{s.high, random.Mix(index ^ s.low)}
}

// Next returns the 64 bits of the next decision.
func (s *Stream) Next() uint64 {
	s.N++
	s.PCG = s.Advance()
	return s.Output()
}

// PCG is the generator of [rand.PCG], a value so that loops can keep it in registers.
type PCG struct{ hi, lo uint64 }

// Advance returns the next state.
func (p PCG) Advance() PCG {
	const mulHi, mulLo = 2549297995355413924, 4865540595714422341
	const incHi, incLo = 6364136223846793005, 1442695040888963407
	hi, lo := bits.Mul64(p.lo, mulLo)
	hi += p.hi*mulLo + p.lo*mulHi
	lo, c := bits.Add64(lo, incLo, 0)
	hi, _ = bits.Add64(hi, incHi, c)
	return PCG{hi, lo}
}

// Output returns the 64 bits of a state.
func (p PCG) Output() uint64 {
	const cheapMul = 0xda942042e4dd58b5
	x := p.hi
	x ^= x >> 32
	x *= cheapMul
	x ^= x >> 48
	return x * (p.lo | 1)
}

// Intn draws one of n numbers, exactly uniformly, with one decision.
func (s *Stream) Intn(n int) int { return s.Pick(s.Next(), n) }

// Pick is Intn for the 64 bits u of the last decision.
func (s *Stream) Pick(u uint64, n int) int {
	if i, lo := bits.Mul64(u, uint64(n)); lo <= -uint64(n) {
		return int(i)
	}
	return int(s.Below(u, big.NewInt(int64(n))).Int64())
}

// more returns further bits of the last decision, for a draw that 64 bits leave open: word i
// of a substream keyed by (seed, sentence, decision).
func (s *Stream) more(i uint64) uint64 {
	var pcg rand.PCG
	pcg.Seed(random.Mix(s.seed^0xd1b54a32d192ed03)^random.Mix(s.index), random.Mix(s.N)^0x8cb92ba72f3d8dd7)
	for range i {
		pcg.Uint64()
	}
	return pcg.Uint64()
}

// Below draws an exactly uniform number in 0 … n-1, n > 0, from the 64 bits u of the last
// decision. The result is floor(U·n), where u begins the binary fraction U and further bits
// are taken as long as they matter.
func (s *Stream) Below(u uint64, n *big.Int) *big.Int {
	x := new(big.Int).SetUint64(u)
	width := uint(64)
	lo, hi := new(big.Int), new(big.Int)
	for i := uint64(0); ; i++ {
		lo.Rsh(lo.Mul(x, n), width)
		hi.Sub(hi.Mul(hi.Add(x, one), n), one)
		hi.Rsh(hi, width)
		if lo.Cmp(hi) == 0 {
			return lo
		}
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(s.more(i)))
		width += 64
	}
}

var one = big.NewInt(1)

// Reaches reports whether U ≥ a/b, for the last decision, whose 64 bits are u.
func (s *Stream) Reaches(u uint64, a, b *big.Int) bool {
	x := new(big.Int).SetUint64(u)
	width := uint(64)
	left, right := new(big.Int), new(big.Int)
	for i := uint64(0); ; i++ {
		right.Lsh(a, width)                 // a·2^w
		if left.Mul(x, b).Cmp(right) >= 0 { // x/2^w ≥ a/b
			return true
		}
		left.Add(left, b)         // (x+1)·b
		if left.Cmp(right) <= 0 { // (x+1)/2^w ≤ a/b
			return false
		}
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(s.more(i)))
		width += 64
	}
}
