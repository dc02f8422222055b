package guide

import (
	"context"
	"math/rand/v2"
)

// Mutate returns a sentence made from in, and perhaps a part of other, by one of the tree
// changes of loop cover. Each change that applies is equally likely. Where none applies, for
// example because in has no tree, it draws a sentence. Both inputs are needed; they may be the
// same. The result may be a draft.
func (s *Sentences) Mutate(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
	ops := s.operators()
	for range tries {
		op := ops[rng.IntN(len(ops))]
		if op.name == "random" {
			continue
		}
		out, err := op.make(ctx, rng, in, other)
		if out != nil || err != nil {
			return out, err
		}
	}
	return s.Random(ctx, rng)
}
