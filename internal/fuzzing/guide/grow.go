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

// growMost is the greatest size, in terminals, of a derivation drawn by a grower.
const growMost = 48

// growNodes bounds the nodes of a program, and so the time to fill its tables: products times
// size squared.
const growNodes = 40_000

// grower draws derivations of any expression of a grammar. All derivations of one size are
// equally likely, up to the rounding of 64-bit numbers. Where counts are not available (names
// in play, a program too large), it draws by a walk.
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

// draw returns the choices of a derivation of e with at most most terminals. Every size that
// occurs is equally likely. It returns nil where there is no derivation or counts are not
// available.
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

func (g *grower) sized(rng *rand.Rand, id core.NodeID, size int) []int {
	d := &growing{f: g.floats, rng: rng, choices: []int{}}
	var x core.Expansion[int]
	_ = x.Run(g.floats.Program, id, size, d) // its methods have no errors
	return d.choices
}

// growing picks a derivation of a given size.
type growing struct {
	f       *core.Floats
	rng     *rand.Rand
	choices []int
}

// Choose implements [core.Picker], as do the other exported methods.
func (d *growing) Choose(value int) { d.choices = append(d.choices, value) }

func (d *growing) Call(n *core.Node, size int) int { return d.f.Program.Back(n, size) }

func (d *growing) Product(_ core.NodeID, n *core.Node, size int) (first, second int, err error) {
	x, y := n.Children[0], n.Children[1]
	first = pick(d.rng, size+1, func(k int) float64 { return d.f.At(x, k) * d.f.At(y, size-k) })
	return first, size - first, nil
}

func (d *growing) Union(_ core.NodeID, n *core.Node, size int) (child, next int, err error) {
	return pick(d.rng, len(n.Children), func(i int) float64 { return d.f.At(n.Children[i], size) }), size, nil
}

func (d *growing) Enter(_ core.NodeID, n *core.Node, size int) (bool, error) {
	p := d.f.Program
	switch {
	case n.Op != core.Leaf:
		return false, nil
	case n.Expr == nil || n.Expr.Op == grammar.Lit:
		return true, nil
	case n.Expr.Op == grammar.Class:
		d.Choose(p.Member(n.Expr, size, d.rng.IntN(p.Facts.Mask.Gen(n.Expr).Len())))
		return true, nil
	}
	texts := p.Token(n.Expr.Rule)
	lengths := texts.LengthsOf(n.Want)
	length := lengths[d.rng.IntN(len(lengths))]
	d.choices = append(d.choices, texts.Choices(length, below(d.rng, texts.Count(length)))...)
	return true, nil
}

// below draws a number in 0 … n-1, with a bias of at most 2^-64.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	x := new(big.Int)
	for range n.BitLen()/64 + 2 {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(rng.Uint64()))
	}
	return x.Mod(x, n)
}

// pick draws one of n items by weight; it returns 0 where all weights are 0.
func pick(rng *rand.Rand, n int, weight func(i int) float64) int {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	at, last := rng.Float64()*total, 0
	for i := range n {
		if w := weight(i); w > 0 {
			last = i
			if at < w {
				return i
			}
			at -= w
		}
	}
	return last
}

// tail chooses the continuation of a prefix of choices: a bounded number of fair draws, then
// the minimal derivation.
type tail struct {
	prefix derive.Chooser
	left   int // choices left of the prefix
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
