package guide

import (
	"context"
	"math/rand/v2"
)

// prefix is the beginning of an input: its text and the choices that made it.
type prefix struct {
	text    []byte
	choices []int
}

// prefixes returns every prefix of an input with a tree, by length, including the empty and the
// whole one. A prefix that ends inside a leaf has the choices of that leaf.
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
	for at := len(ps); at <= len(in.Text); at++ { // final layout
		ps = append(ps, prefix{text: in.Text[:at:at], choices: in.Choices})
	}
	return ps
}

// extend draws an input that begins with a prefix. It replays the prefix's choices, makes at
// most a random number of fair draws, and completes the derivation minimally. The text may
// begin differently, since layout may depend on the rest; after some tries extend returns nil.
func (s *Sentences) extend(ctx context.Context, rng *rand.Rand, p prefix) (*Input, error) {
	for range tries {
		t, err := fitting(s.machine.Run(ctx, newTail(p.choices, rng, 1+rng.IntN(1<<rng.IntN(9)))))
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
