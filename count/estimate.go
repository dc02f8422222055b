package count

import (
	"context"
	"fmt"
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// bigOverhead is what a big.Int takes beside its digits: the struct, the
// pointer to it and the allocator's rounding.
const bigOverhead = 56

// probe is up to which size the growth of the numbers is measured; beyond, the
// number of digits is taken to go on growing as it did.
const probe = 96

// Memory estimates what exact tables for a bound take, in bytes, without
// making them.
func (p *Program) Memory(b Bound) int64 {
	total, _ := p.memory(b, math.MaxFloat64)
	return int64(min(total, math.MaxInt64/2))
}

// memory adds up the estimate step by step, and says at which step it passes
// the limit (the bound's last one where it does not).
func (p *Program) memory(b Bound, limit float64) (total float64, fits int) {
	steps := b.Steps()
	bits := p.bits(b)
	fits = steps
	for n := range steps + 1 {
		row := 8 * float64(len(p.Nodes))
		for id := range p.Nodes {
			node := &p.Nodes[id]
			if node.Op == Call || node.Op == Union && len(node.Children) == 1 {
				continue // shares its child's number
			}
			if v := bits(NodeID(id), n); v >= 0 {
				row += bigOverhead + v/8
			}
		}
		total += row
		if total > limit && fits == steps {
			fits = n - 1
		}
	}
	return total, fits
}

// bits returns a function that estimates the length in bits of the number of a
// node at a step; negative where it takes no room.
func (p *Program) bits(b Bound) func(id NodeID, step int) float64 {
	if p.byDepth {
		rows := p.estimates(b.Depth)
		return func(id NodeID, d int) float64 {
			x := rows[d][id]
			if x.m == 0 || d > 0 && rows[d-1][id] == x {
				return -1
			}
			return max(x.log2(), 0)
		}
	}
	known := min(b.Max, probe)
	f := p.roughFloats(known)
	log := -math.Log2(f.Scale)
	return func(id NodeID, n int) float64 {
		at := min(n, known)
		v := f.w[id][at]
		if v == 0 && at > 0 && n > known { // a size with another remainder may have some
			v = f.w[id][at-1]
		}
		if v == 0 {
			return -1
		}
		return max((math.Log2(v)+float64(at)*log)*float64(n)/float64(max(at, 1)), 0)
	}
}

// checkMemory refuses a bound whose exact tables would not fit, and says one
// that would.
func (p *Program) checkMemory(ctx context.Context, b Bound, limit int64) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	total, fits := p.memory(b, float64(limit))
	if total <= float64(limit) {
		return nil
	}
	return &MemoryError{Bound: b, Needs: int64(min(total, math.MaxInt64/2)), Have: limit, Fits: p.flags(b, fits)}
}

// flags says a smaller bound of the same kind as command-line flags.
func (p *Program) flags(b Bound, step int) string {
	switch {
	case step <= 0:
		return ""
	case b.ByDepth():
		if step < p.Facts.Depth(p.Grammar.Root, grammar.Any) {
			return ""
		}
		return fmt.Sprintf("--depth %d", step)
	}
	feasible := p.feasible(min(step, 4*probe))
	if step >= len(feasible) {
		return fmt.Sprintf("--size %d", step)
	}
	for n := step; n >= 0; n-- {
		if feasible[n] {
			return fmt.Sprintf("--size %d", n)
		}
	}
	return ""
}

// MeanBytes estimates the mean length in bytes of a sentence within the bound,
// each derivation equally likely.
func (p *Program) MeanBytes(b Bound) float64 {
	if !b.ByDepth() {
		if b.Unit == grammar.Bytes {
			return float64(b.Min+b.Max) / 2
		}
		return float64(b.Max) * p.meanTerminal()
	}
	means := p.meansByDepth(b.Depth)
	return means[b.Depth]
}

// CheckLength refuses a bound whose sentences are longer than limit bytes on
// average, and says one that would do.
func (p *Program) CheckLength(b Bound, limit int64) error {
	mean := p.MeanBytes(b)
	if !(mean > float64(limit)) {
		return nil
	}
	fits := int(float64(limit) / max(p.meanTerminal(), 1))
	if b.ByDepth() {
		means := p.meansByDepth(b.Depth)
		for fits = b.Depth; fits > 0 && !(means[fits] <= float64(limit)); {
			fits--
		}
	}
	return &LengthError{Bound: b, Mean: mean, Have: float64(limit), Fits: p.flags(b, fits)}
}

// meansByDepth returns the mean length in bytes at every depth, +Inf where it
// is beyond counting; 0 where there is no derivation.
func (p *Program) meansByDepth(depth int) []float64 {
	rows := p.estimates(depth)
	mean := make([][]float64, depth+1)
	out := make([]float64, depth+1)
	for d := range mean {
		mean[d] = make([]float64, len(p.Nodes))
		for _, id := range p.order {
			mean[d][id] = p.meanAt(id, d, rows, mean)
		}
		out[d] = mean[d][p.Root]
		if rows[d][p.Root].e >= hugeExp {
			out[d] = math.Inf(1)
		}
	}
	return out
}

func (p *Program) meanAt(id NodeID, d int, rows [][]xfloat, mean [][]float64) float64 {
	node := &p.Nodes[id]
	switch {
	case rows[d][id].m == 0:
		return 0
	case node.Op == Leaf:
		return p.leafBytes(node)
	case node.Op == Call:
		return mean[d-node.Level][node.Children[0]]
	case node.Op == Prod:
		return mean[d][node.Children[0]] + mean[d][node.Children[1]]
	}
	m := 0.0
	for _, k := range node.Children {
		if rows[d][k].m != 0 {
			m += mean[d][k] * rows[d][k].over(rows[d][id])
		}
	}
	return m
}

// leafBytes returns the mean length of a terminal's text.
func (p *Program) leafBytes(node *Node) float64 {
	switch {
	case node.Act == ActName:
		return p.nameBytes(node.NS)
	case node.Expr == nil || node.Act != NoAct:
		return 0
	case node.Expr.Op == grammar.Lit:
		return float64(len(node.Expr.Text))
	case node.Expr.Op == grammar.Class:
		n := p.Facts.Mask.Gen(node.Expr).LenByBytes()
		return float64(n[0]+2*n[1]+3*n[2]+4*n[3]) / float64(n[0]+n[1]+n[2]+n[3])
	}
	return p.tokens[node.Expr.Rule].meanLength()
}

// meanTerminal returns the mean length of the grammar's terminals.
func (p *Program) meanTerminal() float64 {
	total, n := 0.0, 0
	for i := range p.Nodes {
		if p.Nodes[i].Op == Leaf && p.Nodes[i].Expr != nil && p.Nodes[i].Act <= ActName {
			total += p.leafBytes(&p.Nodes[i])
			n++
		}
	}
	return total / float64(max(n, 1))
}
