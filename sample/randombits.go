package sample

import (
	"math/big"
	"math/bits"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/internal/splitmix"
)

// stream is the randomness of one sentence: 64 bits a decision, from PCG seeded
// with (seed, index of the sentence). A decision never takes more or fewer, so the
// precision of numbers does not shift later decisions.
type stream struct {
	pcg
	seed, index uint64
	n           uint64 // decisions made
}

func (s *stream) reset(seed, index uint64) {
	s.seed, s.index, s.n = seed, index, 0
	// PCG's first outputs of neighbouring seeds are alike in places: spread them.
	s.pcg = pcg{splitmix.Mix(seed + splitmix.Gamma), splitmix.Mix(index ^ splitmix.Mix(seed))}
}

// next returns the 64 bits of the next decision.
func (s *stream) next() uint64 {
	s.n++
	s.pcg = s.advance()
	return s.output()
}

// pcg is the generator of [rand.PCG], a value so that loops can keep it in
// registers.
type pcg struct{ hi, lo uint64 }

func (p pcg) advance() pcg {
	const mulHi, mulLo = 2549297995355413924, 4865540595714422341
	const incHi, incLo = 6364136223846793005, 1442695040888963407
	hi, lo := bits.Mul64(p.lo, mulLo)
	hi += p.hi*mulLo + p.lo*mulHi
	lo, c := bits.Add64(lo, incLo, 0)
	hi, _ = bits.Add64(hi, incHi, c)
	return pcg{hi, lo}
}

func (p pcg) output() uint64 {
	const cheapMul = 0xda942042e4dd58b5
	x := p.hi
	x ^= x >> 32
	x *= cheapMul
	x ^= x >> 48
	return x * (p.lo | 1)
}

// more returns further bits of the decision made last, for a draw that 64 bits
// leave open: word i of a substream keyed by (seed, sentence, decision).
func (s *stream) more(i uint64) uint64 {
	var pcg rand.PCG
	pcg.Seed(splitmix.Mix(s.seed^0xd1b54a32d192ed03)^splitmix.Mix(s.index), splitmix.Mix(s.n)^0x8cb92ba72f3d8dd7)
	for range i {
		pcg.Uint64()
	}
	return pcg.Uint64()
}

// below draws a number in 0 … n-1, n > 0, each exactly equally likely, from the
// 64 bits u of the decision made last: floor(U·n), where u begins the binary
// fraction U and further bits are taken as long as they matter.
func (s *stream) below(u uint64, n *big.Int) *big.Int {
	x := new(big.Int).SetUint64(u)
	width := uint(64)
	lo, hi := new(big.Int), new(big.Int)
	for i := uint64(0); ; i++ {
		lo.Rsh(lo.Mul(x, n), width)
		hi.Sub(hi.Mul(hi.Add(x, bigOne), n), bigOne)
		hi.Rsh(hi, width)
		if lo.Cmp(hi) == 0 {
			return lo
		}
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(s.more(i)))
		width += 64
	}
}

var bigOne = big.NewInt(1)

// reaches reports whether U ≥ a/b.
func (s *stream) reaches(u uint64, a, b *big.Int) bool {
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
