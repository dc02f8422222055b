package guide

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Mutate returns a sentence made from in, and perhaps a part of other, by one of the tree
// changes of loop cover. Each change that applies is equally likely. Where none applies, for
// example because in has no tree, it draws a sentence. Both inputs are needed; they may be the
// same. The result may be a draft.
func (s *Sentences) Mutate(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
	if out, err := s.changed(ctx, rng, in, other, false); out != nil || err != nil {
		return out, err
	}
	return s.Random(ctx, rng)
}

// Damage is Mutate for the text of in. It uses the text changes of loop cover, and needs
// [SentenceOptions].Texts. The result, mostly no sentence, has no tree. It is nil where no change
// applies.
func (s *Sentences) Damage(ctx context.Context, rng *rand.Rand, in, other *Input) (*Input, error) {
	return s.changed(ctx, rng, in, other, true)
}

// changed applies one operator, on texts or on trees; nil if none applies.
func (s *Sentences) changed(ctx context.Context, rng *rand.Rand, in, other *Input, texts bool) (*Input, error) {
	ops := slices.DeleteFunc(s.operators(), func(op operator) bool { return op.text != texts })
	for range tries {
		op := ops[rng.IntN(len(ops))]
		if op.name == "random" {
			continue
		}
		if out, err := op.make(ctx, rng, in, other); out != nil || err != nil {
			return out, err
		}
	}
	return nil, nil
}
