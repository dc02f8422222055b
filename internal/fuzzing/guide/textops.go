package guide

import (
	"context"
	"math/rand/v2"
	"slices"
)

// textOps are the operators on texts, independent of the grammar: those of AFL's havoc stage
// that do not concern numbers in binary formats.
func textOps(max int) []operator {
	op := func(name string, f func(rng *rand.Rand, b, other []byte) []byte) operator {
		return operator{name: name, text: true, make: func(_ context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
			b := f(rng, slices.Clone(in.Text), other.Text)
			if b == nil || len(b) > max {
				return nil, nil
			}
			return &Input{Text: b, Base: in.Origin(), From: name}, nil
		}}
	}
	return []operator{
		op("set", setByte), op("insert", insertBytes), op("delete", deleteBytes),
		op("copy", copyBytes), op("append", appendBytes), op("splice", spliceBytes),
	}
}

// setByte changes one byte: to a random value, to a neighbour, or in one bit.
func setByte(rng *rand.Rand, b, _ []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	i := rng.IntN(len(b))
	switch rng.IntN(3) {
	case 0:
		b[i] = byte(rng.Uint32())
	case 1:
		b[i] += byte(1 + 254*rng.IntN(2))
	default:
		b[i] ^= 1 << rng.IntN(8)
	}
	return b
}

// insertBytes inserts a few random bytes.
func insertBytes(rng *rand.Rand, b, _ []byte) []byte {
	return slices.Insert(b, rng.IntN(len(b)+1), randomBytes(rng, 1+rng.IntN(1<<rng.IntN(4)))...)
}

// deleteBytes deletes a run of bytes.
func deleteBytes(rng *rand.Rand, b, _ []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	from, to := run(rng, len(b))
	return slices.Delete(b, from, to)
}

// copyBytes copies a run of the text to another place in it.
func copyBytes(rng *rand.Rand, b, _ []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	from, to := run(rng, len(b))
	return slices.Insert(b, rng.IntN(len(b)+1), slices.Clone(b[from:to])...)
}

// appendBytes appends random bytes; small numbers of bytes are more likely.
func appendBytes(rng *rand.Rand, b, _ []byte) []byte {
	return append(b, randomBytes(rng, 1+rng.IntN(1<<rng.IntN(11)))...)
}

// spliceBytes joins the front of one text and the back of another.
func spliceBytes(rng *rand.Rand, b, other []byte) []byte {
	if len(other) == 0 {
		return nil
	}
	return append(b[:rng.IntN(len(b)+1)], other[rng.IntN(len(other)):]...)
}

// run draws a run within n > 0 bytes; short runs are more likely.
func run(rng *rand.Rand, n int) (from, to int) {
	size := min(n, 1+rng.IntN(1<<rng.IntN(8)))
	from = rng.IntN(n - size + 1)
	return from, from + size
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// smallerTexts deletes runs from the text. Their length is halved from the whole text down to
// one byte, and each length is tried at every offset. Byte values are never made smaller.
func smallerTexts(in *Input) candidates {
	size, at := len(in.Text), 0
	return func(context.Context) (*Input, error) {
		if size == 0 {
			return nil, nil
		}
		out := &Input{Text: slices.Delete(slices.Clone(in.Text), at, at+size), Base: in.Base, From: "shrink"}
		at += max(1, size/2)
		if at+size > len(in.Text) {
			size, at = size/2, 0
		}
		return out, nil
	}
}
