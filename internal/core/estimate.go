package core

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// bigOverhead is the memory of a big.Int beside its digits, in bytes: the struct, the
// pointer to it and the allocator's rounding.
const bigOverhead = 56

// probeSize is the size up to which the growth of the numbers is measured. Beyond it
// the number of digits is taken to go on growing at the same rate.
const probeSize = 96

// probeVisits is how many nodes are visited, depth by depth, before an estimate that is
// above the limit is completed at the rate of the last depth.
const probeVisits = 1 << 20

// Ask returns a [MemoryError] where the exact table up to a depth or size is too large.
func (p *Program) Ask(steps int) error {
	memory := p.memoryBySize
	if p.ByDepth() {
		memory = p.memoryByDepth
	}
	limit := float64(cmp.Or(p.Budget, DefaultBudget))
	needs, fits := memory(steps, limit)
	err := p.Budget.Ask("exact tables", needs)
	if e, ok := err.(*MemoryError); ok {
		e.Step = fits
	}
	return err
}

// memoryByDepth estimates the bytes of an exact table, without making it, and says up to
// which depth they are within the limit.
func (p *Program) memoryByDepth(steps int, limit float64) (total float64, fits int) {
	row, last, fits := 0.0, 0, -1
	p.depths(steps, func(d int, now, before []stage) bool {
		row, last = 8*float64(len(p.Nodes)), d
		for id := range p.Nodes {
			if x := now[id].log2; p.owns(NodeID(id)) && !math.IsInf(x, -1) && (d == 0 || before[id].log2 != x) {
				row += bigOverhead + x/8
			}
		}
		if total += row; total <= limit {
			fits = d
		}
		return (d+1)*len(p.Nodes) < probeVisits || total+row*float64(steps-d) <= limit
	})
	if total += row * float64(steps-last); total <= limit {
		fits = steps
	}
	return total, fits
}

// owns reports whether a node has numbers of its own; others share their child's.
func (p *Program) owns(id NodeID) bool {
	n := &p.Nodes[id]
	return n.Op != Call && !(n.Op == Union && len(n.Children) == 1)
}

// memoryBySize is memoryByDepth for sizes.
func (p *Program) memoryBySize(steps int, limit float64) (total float64, fits int) {
	known := min(steps, probeSize)
	f := &Floats{Program: p, Max: known, Scale: p.scale(known)}
	f.fillRough()
	log := -math.Log2(f.Scale)
	row := func(n int) float64 {
		at, sum := min(n, known), 8*float64(len(p.Nodes))
		for id := range p.Nodes {
			v := f.w[id][at]
			if v == 0 && at > 0 && n > known { // a size with another remainder may have some
				v = f.w[id][at-1]
			}
			if v > 0 && p.owns(NodeID(id)) {
				sum += bigOverhead + max((math.Log2(v)+float64(at)*log)*float64(n)/float64(max(at, 1)), 0)/8
			}
		}
		return sum
	}
	sums := make([]float64, known+1) // up to each size
	for n := range sums {
		total += row(n)
		sums[n] = total
	}
	first := row(known + 1) // from here on, rows grow evenly
	grows := row(known+2) - first
	upTo := func(n int) float64 {
		if n <= known {
			return sums[n]
		}
		k := float64(n - known)
		return total + k*first + k*(k-1)/2*grows
	}
	return upTo(steps), sort.Search(steps, func(n int) bool { return upTo(n) > limit }) - 1
}

// Below returns the greatest depth or size up to step that has a derivation; -1
// where there is none.
func (p *Program) Below(step int) int {
	if p.ByDepth() {
		if step < p.Facts.Depth(p.Grammar.Root, grammar.Any) {
			return -1
		}
		return step
	}
	feasible, _ := p.Feasible(max(min(step, 4*probeSize), 0))
	for step >= 0 && step < len(feasible) && !feasible[step] {
		step--
	}
	return step
}

// MeanBytes estimates the mean length in bytes of a sentence of depth max, or of the
// sizes from min to max, each derivation equally likely; +Inf where it is beyond
// counting. It also returns the greatest depth or size up to max where it is at most
// limit.
func (p *Program) MeanBytes(min, max int, limit float64) (mean float64, fits int) {
	switch {
	case !p.ByDepth() && p.Unit == grammar.Bytes:
		return float64(min+max) / 2, int(limit)
	case !p.ByDepth():
		terminal := p.meanTerminal()
		return float64(max) * terminal, int(limit / math.Max(terminal, 1))
	}
	p.depths(max, func(d int, now, _ []stage) bool {
		if mean = now[p.Root].bytes; now[p.Root].log2 >= hugeLog {
			mean = math.Inf(1)
		}
		if mean <= limit {
			fits = d
		}
		return !math.IsInf(mean, 1)
	})
	if mean <= limit {
		fits = max
	}
	return mean, fits
}

// stage is about a node at a depth: how many derivations it has, as a logarithm (-Inf
// where there is none), and the mean length of their texts in bytes. Nothing that must
// be exact is decided by one.
type stage struct{ log2, bytes float64 }

var noStage = stage{log2: math.Inf(-1)}

// hugeLog caps logarithms: numbers beyond 2^hugeLog are all "too many".
const hugeLog = 1 << 50

// depths estimates all nodes depth by depth, up to a depth, until nothing changes any
// more or see returns false. See is given the estimates at a depth and at the one
// before.
func (p *Program) depths(max int, see func(d int, now, before []stage) bool) {
	now, before := make([]stage, len(p.Nodes)), make([]stage, len(p.Nodes))
	for d := 0; ; d++ {
		for _, id := range p.order {
			now[id] = p.stage(id, d, now, before)
		}
		if !see(d, now, before) || d == max || slices.Equal(now, before) {
			return
		}
		now, before = before, now
	}
}

func (p *Program) stage(id NodeID, d int, now, before []stage) stage {
	n := &p.Nodes[id]
	switch {
	case n.Op == Leaf && d > 0:
		return before[id]
	case n.Op == Leaf:
		return stage{math.Log2(float64(n.Ways[0].N)), p.leafBytes(n)}
	case n.Op == Call && n.Level == 0:
		return now[n.Children[0]]
	case n.Op == Call && d == 0:
		return noStage
	case n.Op == Call:
		return before[n.Children[0]]
	case n.Op == Prod:
		a, b := now[n.Children[0]], now[n.Children[1]]
		if sum := a.log2 + b.log2; !math.IsInf(sum, -1) {
			return stage{min(sum, hugeLog), a.bytes + b.bytes}
		}
		return noStage
	}
	top, total, bytes := math.Inf(-1), 0.0, 0.0
	for _, k := range n.Children {
		top = max(top, now[k].log2)
	}
	if math.IsInf(top, -1) {
		return noStage
	}
	for _, k := range n.Children {
		share := math.Exp2(now[k].log2 - top)
		total += share
		bytes += share * now[k].bytes
	}
	return stage{min(top+math.Log2(total), hugeLog), bytes / total}
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
