package guide

import (
	"context"
	"math/rand/v2"
)

func (s *Bytes) prefixes(in *Input) []prefix {
	ps := make([]prefix, len(in.Text)+1)
	for i := range ps {
		ps[i] = prefix{text: in.Text[:i:i]}
	}
	return ps
}

func (s *Bytes) extend(_ context.Context, rng *rand.Rand, p prefix) (*Input, error) {
	left := s.max - len(p.text)
	if left <= 0 {
		return nil, nil
	}
	with := randomBytes(rng, min(left, 1+rng.IntN(1<<rng.IntN(6))))
	return &Input{Text: append(p.text[:len(p.text):len(p.text)], with...), From: "extend"}, nil
}

// prefixes cuts the text of a tree at every byte. Inside a leaf, and after it, what was
// chosen up to the leaf and at it belongs to the prefix.
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

// extend replays what made the prefix and goes on by fair draws, at most a drawn
// number of them, then by the least. Layout may depend on what follows: then the
// text may not begin with the prefix, and there is no input.
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
