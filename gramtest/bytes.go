package gramtest

import (
	"context"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// byteChooser makes choices of bytes: none for a decision with one possible
// value, one byte for one of up to 256, as many as it takes for more, the most
// significant first, modulo the number of values. Where the bytes end, what is
// left becomes the least derivation. So every string of bytes is a sentence, and
// changing a byte changes one decision.
type byteChooser struct{ data []byte }

// Choose implements derive.Chooser.
func (c *byteChooser) Choose(d *derive.Decision) (int, error) {
	n := byteWidth(d.N)
	if n == 0 {
		return d.Value(0), nil
	}
	if len(c.data) < n {
		c.data = nil
		return derive.Default, nil
	}
	v := uint64(0)
	for _, b := range c.data[:n] {
		v = v<<8 | uint64(b)
	}
	c.data = c.data[n:]
	return d.Value(int(v % uint64(d.N))), nil
}

// byteWidth returns how many bytes name one of n values.
func byteWidth(n int) int {
	width := 0
	for n--; n > 0; n >>= 8 {
		width++
	}
	return width
}

// fuzzNodes bounds the trees that bytes make: a long input is cut, as the engine
// does with its own mutations.
const fuzzNodes = 1 << 16

// fromBytes makes the tree that bytes stand for.
func fromBytes(ctx context.Context, m *derive.Machine, data []byte) (*derive.Tree, error) {
	return m.Run(ctx, &byteChooser{data})
}

// toBytes returns bytes that make the tree with the given choices.
func toBytes(ctx context.Context, m *derive.Machine, choices []int) ([]byte, error) {
	var data []byte
	strict := derive.Strict(choices)
	_, err := m.Run(ctx, derive.ChooserFunc(func(d *derive.Decision) (int, error) {
		v, err := strict.Choose(d)
		if err != nil {
			return 0, err
		}
		at := 0
		for at < d.N-1 && d.Value(at) != v {
			at++
		}
		for n := byteWidth(d.N) - 1; n >= 0; n-- {
			data = append(data, byte(at>>(8*n)))
		}
		return v, nil
	}))
	return data, err
}

// fuzzMachine returns a machine for bytes: with a limit on what they can make.
func fuzzMachine(g *grammar.Grammar, o derive.Options) *derive.Machine {
	o.MaxSize, o.Unit = fuzzNodes, grammar.Nodes
	m, err := gctx.NewMachine(g, o)
	if err != nil {
		return derive.NewMachine(g, o) // drawing has reported it already
	}
	return m
}
