package guide

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Bytes is the source of all byte strings: a grammar of one line.
type Bytes struct{ max int }

// NewBytes returns the source of the byte strings of at most max bytes; 0 is
// 8 KiB.
func NewBytes(max int) *Bytes {
	if max == 0 {
		max = defaultMaxBytes
	}
	return &Bytes{max}
}

// maxAppend is how many random bytes an expansion appends at most.
const maxAppend = 1024

// Random draws a length of at most 1,024, short ones more often, and as many
// bytes.
func (s *Bytes) Random(ctx context.Context, rng *rand.Rand) (*Input, error) {
	n := min(s.max, rng.IntN(1<<rng.IntN(11)+1))
	return &Input{Text: randomBytes(rng, n), From: "random"}, nil
}

// Trivial returns the empty string.
func (s *Bytes) Trivial(context.Context) (*Input, error) {
	return &Input{Text: []byte{}, From: "trivial"}, nil
}

func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// expand appends up to 1,024 random bytes, then each single byte.
func (s *Bytes) expand(rng *rand.Rand, in *Input) candidates {
	left := s.max - len(in.Text)
	next := -1
	return func(context.Context) (*Input, error) {
		if left <= 0 || next > 255 {
			return nil, nil
		}
		with, from := []byte{byte(next)}, "byte"
		if next < 0 {
			with, from = randomBytes(rng, 1+rng.IntN(min(left, maxAppend))), "append"
		}
		next++
		return &Input{Text: slices.Concat(in.Text, with), From: from}, nil
	}
}

// setBack is how many of the last bytes of a text are set to every value.
const setBack = 8

// steps expands, then sets single bytes to each value, the last byte first.
func (s *Bytes) steps(rng *rand.Rand, in *Input) candidates {
	expand := s.expand(rng, in)
	next := 0
	return func(ctx context.Context) (*Input, error) {
		if out, err := expand(ctx); out != nil || err != nil {
			return out, err
		}
		at := len(in.Text) - 1 - next>>8
		if at < 0 || next>>8 == setBack {
			return nil, nil
		}
		b := slices.Clone(in.Text)
		b[at] = byte(next)
		next++
		return &Input{Text: b, From: "byte"}, nil
	}
}

func (s *Bytes) shrink(in *Input) candidates { return smallerTexts(in) }

// smallerTexts deletes: runs of all sizes from the whole text, halved, down to one
// byte, each slid over the text. Bytes are never made smaller.
func smallerTexts(in *Input) candidates {
	size, at := len(in.Text), 0
	return func(context.Context) (*Input, error) {
		if size == 0 {
			return nil, nil
		}
		out := &Input{Text: slices.Delete(slices.Clone(in.Text), at, at+size), Base: in.Base, From: "shrink"}
		if at += max(1, size/2); at+size > len(in.Text) {
			size, at = size/2, 0
		}
		return out, nil
	}
}

func (s *Bytes) keeps(*Input) bool { return true }

// operators are random strings and those on texts.
func (s *Bytes) operators() []operator {
	random := operator{name: "random", make: func(ctx context.Context, rng *rand.Rand, _, _ *Input) (*Input, error) { return s.Random(ctx, rng) }}
	return append([]operator{random}, textOps(s.max)...)
}
