// Package permutation makes keyed permutations of 0 … n-1, for n of any length.
//
//	p := permutation.New(n, key)
//	at := p.At(i)
package permutation

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

var one = big.NewInt(1)

// Permutation is a bijection of the numbers 0 … n-1, chosen by a key. It is safe for concurrent
// use.
type Permutation interface {
	// At returns the image of i; i is not changed.
	At(i *big.Int) *big.Int
}

// maxShuffled is the greatest n for a shuffle in memory, at four bytes a number.
const maxShuffled = 1 << 20

// New returns a permutation of n numbers, n > 0. Up to maxShuffled it is a shuffle, every
// permutation equally likely given an ideal key; above, a pseudo-random one that takes no memory.
func New(n *big.Int, key [2]uint64) Permutation {
	if n.IsInt64() && n.Int64() <= maxShuffled {
		return NewShuffle(int(n.Int64()), key)
	}
	return newFeistel(n, key)
}

// Shuffle is a permutation in memory: the image of i is the value at i.
type Shuffle []uint32

// NewShuffle returns a permutation of n numbers in memory.
func NewShuffle(n int, key [2]uint64) Shuffle {
	s := make(Shuffle, n)
	for i := range s {
		s[i] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(random.Mix(key[0]), random.Mix(key[1]^0x2545f4914f6cdd1d)))
	rng.Shuffle(n, func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

// At implements [Permutation].
func (s Shuffle) At(i *big.Int) *big.Int { return big.NewInt(int64(s[i.Int64()])) }

// feistelRounds is the number of rounds; they change the two halves in turn. Luby & Rackoff
// (1988) prove four rounds pseudo-random; there is no adversary here but chance.
const feistelRounds = 10

// feistel permutes numbers of any length by a network whose halves change in turn. It permutes
// all numbers of some bits, fewer than twice as many as n, and follows the cycle to the next
// number below n (Black & Rogaway 2002): less than two steps on average, without memory.
type feistel struct {
	n        *big.Int
	low      uint // bits of the low half
	high     uint // bits of the high half
	key      [2]uint64
	lowMask  *big.Int
	highMask *big.Int
}

func newFeistel(n *big.Int, key [2]uint64) *feistel {
	last := new(big.Int).Sub(n, one)
	bits := uint(max(last.BitLen(), 2))
	f := &feistel{n: n, low: bits / 2, high: bits - bits/2, key: key}
	f.lowMask = mask(f.low)
	f.highMask = mask(f.high)
	return f
}

func mask(bits uint) *big.Int {
	m := new(big.Int).Lsh(one, bits)
	return m.Sub(m, one)
}

func (f *feistel) At(i *big.Int) *big.Int {
	x := new(big.Int).Set(i)
	for {
		f.step(x)
		if x.Cmp(f.n) < 0 {
			return x
		}
	}
}

// step permutes a number of low+high bits.
func (f *feistel) step(x *big.Int) {
	low := new(big.Int).And(x, f.lowMask)
	high := new(big.Int).Rsh(x, f.low)
	var noise big.Int
	for round := range feistelRounds {
		if round%2 == 0 {
			low.Xor(low, noise.And(f.noise(&noise, round, high, f.low), f.lowMask))
		} else {
			high.Xor(high, noise.And(f.noise(&noise, round, low, f.high), f.highMask))
		}
	}
	x.Or(x.Lsh(high, f.low), low)
}

// noise sets z to bits derived from a half, the round and the key.
func (f *feistel) noise(z *big.Int, round int, half *big.Int, bits uint) *big.Int {
	head := make([]byte, 0, 64)
	head = binary.LittleEndian.AppendUint64(head, f.key[0])
	head = binary.LittleEndian.AppendUint64(head, f.key[1])
	head = append(head, byte(round))
	sum := sha256.Sum256(append(head, half.Bytes()...))
	if bits <= 256 {
		return z.SetBytes(sum[:])
	}
	out := make([]byte, (bits+7)/8)
	rand.NewChaCha8(sum).Read(out)
	return z.SetBytes(out)
}
