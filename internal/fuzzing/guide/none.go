package guide

import "context"

// none is the loop without feedback: it draws every input from scratch.
type none struct{ *base }

func newNone(b *base) Loop { return none{b} }

func (l none) Step(ctx context.Context) error {
	for range l.o.Budget {
		in, err := l.src.Random(ctx, l.rng)
		if err != nil {
			return err
		}
		if _, err := l.run(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

func (l none) Add(ctx context.Context, in *Input) error {
	_, err := l.run(ctx, completed(in))
	return err
}

func (l none) Stats() Stats       { return l.stats(0) }
func (l none) Examples() []*Input { return nil }
