package guide

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// growMost is the greatest size, in terminals, of what a grower draws.
const growMost = 48

// growNodes bounds the time that its tables take: products times size squared.
const growNodes = 40_000

// grower draws derivations of any expression of a grammar: each of one size
// equally likely, up to the rounding of 64-bit numbers. Where numbers cannot
// be had (names in play, a program too large) it draws by a walk.
type grower struct {
	floats *core.Floats // nil: by a walk
}

func newGrower(ctx context.Context, g *grammar.Grammar) (*grower, error) {
	p, err := count.NewProgram(g, count.Sizes(0, growMost, grammar.Terminals), count.Options{})
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || p.Automaton != nil || len(p.Nodes) > growNodes {
		return &grower{}, nil
	}
	f, err := core.NewFloats(ctx, (*core.Program)(p), growMost, nil)
	if err != nil {
		return nil, err
	}
	return &grower{floats: f}, nil
}

// draw returns the choices of a derivation of e of at most most terminals, every
// size that occurs equally likely; nil where there is none or numbers cannot be had.
func (g *grower) draw(rng *rand.Rand, e *grammar.Expr, most int) []int {
	if g.floats == nil {
		return nil
	}
	id := g.floats.Program.NodeOf(e)
	if id == core.None {
		return nil
	}
	var sizes []int
	for n := 0; n <= min(most, growMost); n++ {
		if g.floats.At(id, n) > 0 {
			sizes = append(sizes, n)
		}
	}
	if sizes == nil {
		return nil
	}
	return g.sized(rng, id, sizes[rng.IntN(len(sizes))])
}

// part is a node of which a derivation of some size is to be drawn.
type part struct {
	id   core.NodeID
	size int
}

func (g *grower) sized(rng *rand.Rand, id core.NodeID, size int) []int {
	f, p := g.floats, g.floats.Program
	choices := []int{}
	stack := []part{{id, size}}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch node := &p.Nodes[k.id]; node.Op {
		case core.Leaf:
			choices = leafChoices(choices, rng, p, node, k.size)
		case core.Call:
			stack = append(stack, part{node.Children[0], k.size - node.Size})
		case core.Prod:
			x, y := node.Children[0], node.Children[1]
			a := pick(rng, k.size+1, func(n int) float64 { return f.At(x, n) * f.At(y, k.size-n) })
			stack = append(stack, part{y, k.size - a}, part{x, a})
		case core.Union:
			i := pick(rng, len(node.Children), func(i int) float64 { return f.At(node.Children[i], k.size) })
			if node.Values != nil {
				choices = append(choices, node.Values[i])
			}
			stack = append(stack, part{node.Children[i], k.size})
		}
	}
	return choices
}

// leafChoices appends the choices of a terminal of some size.
func leafChoices(choices []int, rng *rand.Rand, p *core.Program, node *core.Node, size int) []int {
	switch {
	case node.Expr == nil || node.Expr.Op == grammar.Lit:
		return choices
	case node.Expr.Op == grammar.Class:
		return append(choices, p.Member(node.Expr, size, rng.IntN(p.Facts.Mask.Gen(node.Expr).Len())))
	}
	texts := p.Token(node.Expr.Rule)
	lengths := texts.Lengths
	if lengths[0] == 0 && node.Want == grammar.NonEmpty {
		lengths = lengths[1:]
	}
	n := lengths[rng.IntN(len(lengths))]
	return append(choices, texts.Choices(n, below(rng, texts.Count(n)))...)
}

// below draws a number in 0 … n-1, with a bias of at most 2^-64.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	x := new(big.Int)
	for range n.BitLen()/64 + 2 {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
	}
	return x.Mod(x, n)
}

// pick draws one of n things by weight; the first where all weights are 0.
func pick(rng *rand.Rand, n int, weight func(i int) float64) int {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	at, last := rng.Float64()*total, 0
	for i := range n {
		if w := weight(i); w > 0 {
			if last = i; at < w {
				return i
			}
			at -= w
		}
	}
	return last
}

// tail is the chooser of what follows a prefix of a choice sequence: fair draws,
// so many at most, and then the least.
type tail struct {
	prefix derive.Chooser
	left   int // choices of the prefix that are left
	rng    *rand.Rand
	draws  int
}

func newTail(prefix []int, rng *rand.Rand, draws int) *tail {
	return &tail{prefix: derive.Replay(prefix), left: len(prefix), rng: rng, draws: draws}
}

// Choose implements derive.Chooser.
func (t *tail) Choose(d *derive.Decision) (int, error) {
	if t.left > 0 {
		t.left--
		return t.prefix.Choose(d)
	}
	if t.draws == 0 {
		return derive.Default, nil
	}
	t.draws--
	return d.Value(t.rng.IntN(d.N)), nil
}
