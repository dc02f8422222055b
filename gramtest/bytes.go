package gramtest

import (
	"context"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// byteChooser makes choices from bytes. A decision with one possible value takes no byte, one
// with up to 256 values takes one, and one with more takes as many as needed, most significant
// first, modulo the number of values. After the last byte, the derivation is completed
// minimally. So every string of bytes is a sentence, and changing a byte changes one decision.
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

// byteWidth returns the number of bytes needed to name one of n values.
func byteWidth(n int) int {
	width := 0
	for n--; n > 0; n >>= 8 {
		width++
	}
	return width
}

// fuzzNodes bounds the nodes of a tree made from bytes. A longer input is cut, as the engine
// does with its own mutations.
const fuzzNodes = 1 << 16

// fromBytes makes the tree that the bytes encode.
func fromBytes(ctx context.Context, m *derive.Machine, data []byte) (*derive.Tree, error) {
	return m.Run(ctx, &byteChooser{data})
}

// toBytes returns bytes that encode the tree with the given choices.
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

// fuzzMachine returns a machine for bytes, with a limit on the size of trees.
func fuzzMachine(g *grammar.Grammar, o derive.Options) *derive.Machine {
	o.MaxSize, o.Unit = fuzzNodes, grammar.Nodes
	m, err := gctx.NewMachine(g, o)
	if err != nil {
		return derive.NewMachine(g, o) // drawing has reported it already
	}
	return m
}
