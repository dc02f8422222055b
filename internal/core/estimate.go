package core

import (
	"math"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// bigOverhead is the memory of a big.Int beside its digits, in bytes: the struct, the
// pointer to it and the allocator's rounding.
const bigOverhead = 56

// probeSize is the size up to which the growth of the numbers is measured. Beyond it
// the number of digits is taken to go on growing at the same rate.
const probeSize = 96

// Memory estimates the bytes of exact tables up to a depth or size, without making
// them, and says up to which step they are within the limit.
func (p *Program) Memory(steps int, limit float64) (total float64, fits int) {
	bits := p.bits(steps)
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
func (p *Program) bits(steps int) func(id NodeID, step int) float64 {
	if p.byDepth {
		rows := p.estimates(steps)
		return func(id NodeID, d int) float64 {
			x := rows[d][id]
			if x.m == 0 || d > 0 && rows[d-1][id] == x {
				return -1
			}
			return max(x.log2(), 0)
		}
	}
	known := min(steps, probeSize)
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

// Below returns the greatest depth or size up to step that has a derivation; -1
// where there is none.
func (p *Program) Below(step int) int {
	if p.byDepth {
		if step < p.Facts.Depth(p.Grammar.Root, grammar.Any) {
			return -1
		}
		return step
	}
	feasible := p.Feasible(max(min(step, 4*probeSize), 0))
	for step >= 0 && step < len(feasible) && !feasible[step] {
		step--
	}
	return step
}

// MeanBytes estimates the mean length in bytes of a sentence of depth max, or of the
// sizes from min to max, each derivation equally likely.
func (p *Program) MeanBytes(min, max int) float64 {
	switch {
	case p.byDepth:
		return p.meansByDepth(max)[max]
	case p.Unit == grammar.Bytes:
		return float64(min+max) / 2
	}
	return float64(max) * p.meanTerminal()
}

// StepWithin returns the greatest depth or size up to max whose sentences have at most
// limit bytes on average.
func (p *Program) StepWithin(max int, limit float64) int {
	if !p.byDepth {
		return int(limit / math.Max(p.meanTerminal(), 1))
	}
	means := p.meansByDepth(max)
	for max > 0 && !(means[max] <= limit) {
		max--
	}
	return max
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

func (p *Program) meanAt(id NodeID, d int, rows [][]wideFloat, mean [][]float64) float64 {
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
	case node.Effect == OwnLeaf:
		return p.Automaton.At(node.Expr).Bytes
	case node.Expr == nil || node.Effect != NoEffect:
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
		if p.Nodes[i].Op == Leaf && p.Nodes[i].Expr != nil && p.Nodes[i].Effect <= OwnLeaf {
			total += p.leafBytes(&p.Nodes[i])
			n++
		}
	}
	return total / float64(max(n, 1))
}
