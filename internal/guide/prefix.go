package guide

import (
	"context"
	"math/rand/v2"
)

// prefix is the beginning of an input: its text, and what choices made it.
type prefix struct {
	text    []byte
	choices []int
}

// prefixes returns every prefix of an input with a tree, the empty and the whole one
// included, by length. Those that end inside a leaf have its choices.
func (s *Sentences) prefixes(in *Input) []prefix {
	t := in.Tree
	if t == nil {
		return nil
	}
	ps := []prefix{{text: in.Text[:0:0]}}
	for i := range t.Nodes() {
		n := &t.Nodes()[i]
		size := len(n.AppendText(nil))
		if t.Gaps() != nil {
			size += len(t.Gaps()[i])
		}
		for range size {
			at := len(ps)
			ps = append(ps, prefix{text: in.Text[:at:at], choices: in.Choices[:n.To]})
		}
	}
	for at := len(ps); at <= len(in.Text); at++ { // layout at the end
		ps = append(ps, prefix{text: in.Text[:at:at], choices: in.Choices})
	}
	return ps
}

// extend draws an input that begins with a prefix: it replays the prefix's choices and
// goes on by fair draws, at most a drawn number of them, then by the least. Layout may
// depend on what follows, so that the text begins otherwise; after some tries it returns nil.
func (s *Sentences) extend(ctx context.Context, rng *rand.Rand, p prefix) (*Input, error) {
	for range tries {
		t, err := s.run(ctx, newTail(p.choices, rng, 1+rng.IntN(1<<rng.IntN(9))))
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		if in := FromTree(t, "extend"); len(in.Text) > len(p.text) && string(in.Text[:len(p.text)]) == string(p.text) {
			return in, nil
		}
	}
	return nil, nil
}
