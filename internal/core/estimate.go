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

// probeSize is the size up to which the growth of the numbers is measured. Beyond it the number
// of digits is assumed to grow at the same rate.
const probeSize = 96

// An estimate by depth ends after probeVisits visits of nodes and at least probeDepths depths:
// countable numbers grow evenly by then.
const (
	probeVisits = 1 << 20
	probeDepths = 4096
)

// rows is the memory of the rows of an exact table, in bytes.
type rows struct {
	total        float64 // up to row known
	known        int
	fits         int     // the last row within the limit, up to row known
	first, grows float64 // the row after it, and the growth from there on
}

// add notes the memory of the next row.
func (r *rows) add(step int, bytes, limit float64) {
	r.known, r.total = step, r.total+bytes
	if r.total <= limit {
		r.fits = step
	}
}

// upTo returns the memory of the known rows and k more.
func (r *rows) upTo(k int) float64 {
	if k == 0 || math.IsInf(r.total, 1) {
		return r.total
	}
	x := float64(k)
	return r.total + x*r.first + x*(x-1)/2*r.grows
}

// Ask returns a [MemoryError] if the exact table up to a depth or size is too large.
func (p *Program) Ask(steps int) error {
	estimate, limit := p.rowsBySize, float64(cmp.Or(p.Budget, DefaultBudget))
	if p.ByDepth() {
		estimate = p.rowsByDepth
	}
	r := estimate(steps, limit)
	err := p.Budget.Ask("exact tables", r.upTo(steps-r.known))
	if e, ok := err.(*MemoryError); ok {
		e.Step = r.fits
		if r.total <= limit {
			e.Step = r.known + sort.Search(steps-r.known, func(k int) bool { return r.upTo(k+1) > limit })
		}
	}
	return err
}

// rowsByDepth estimates rows without making them.
func (p *Program) rowsByDepth(steps int, limit float64) rows {
	r := rows{fits: -1}
	p.depths(steps, func(d int, now, before []stage) bool {
		row := 8 * float64(len(p.Nodes))
		for id := range p.Nodes {
			if x := now[id].log2; p.owns(NodeID(id)) && !math.IsInf(x, -1) && (d == 0 || before[id].log2 != x) {
				row += bigOverhead + x/8
			}
		}
		r.grows = row - r.first
		r.first = row
		r.add(d, row, limit)
		return d*len(p.Nodes) < probeVisits || r.total <= limit && d < probeDepths
	})
	r.grows = max(r.grows, 0)
	return r
}

// owns reports whether a node has numbers of its own; others share their child's.
func (p *Program) owns(id NodeID) bool {
	n := &p.Nodes[id]
	return n.Op != Call && !(n.Op == Union && len(n.Children) == 1)
}

// rowsBySize estimates rows without making them.
func (p *Program) rowsBySize(steps int, limit float64) rows {
	known := min(steps, probeSize)
	f := &Floats{Program: p, Max: known, Scale: p.scale(known)}
	if f.fillRough() < 0 { // the numbers of size 0 are too large already
		if bytes := p.emptyBytes(); bytes > limit {
			return rows{total: bytes, fits: -1}
		}
	}
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
	r := rows{fits: -1, first: row(known + 1)}
	r.grows = row(known+2) - r.first
	for n := range known + 1 {
		r.add(n, row(n), limit)
	}
	return r
}

// emptyBytes estimates the memory of the numbers of size 0.
func (p *Program) emptyBytes() float64 {
	log2, bytes := make([]float64, len(p.Nodes)), 0.0
	for _, id := range p.order {
		n, x := &p.Nodes[id], math.Inf(-1)
		switch n.Op {
		case Leaf:
			for _, w := range n.Ways {
				if w.Size == 0 {
					x = math.Log2(float64(w.N))
				}
			}
		case Call:
			if p.Back(n, 0) == 0 {
				x = log2[n.Children[0]]
			}
		case Prod:
			x = log2[n.Children[0]] + log2[n.Children[1]]
		default:
			for _, k := range n.Children {
				x = logSum(x, log2[k])
			}
		}
		log2[id] = min(x, hugeLog)
		if x > 0 && p.owns(id) {
			bytes += bigOverhead + log2[id]/8
		}
	}
	return bytes
}

// logSum returns the logarithm of a sum, from those of its terms; -Inf is that of 0.
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log2(1+math.Exp2(b-a))
}

// Below returns the greatest depth or size up to step that has a derivation; -1 if there is none.
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

// MeanBytes estimates the mean length in bytes of a sentence of depth max, or of the sizes from
// min to max, each derivation equally likely; +Inf if it is too large to estimate. It also
// returns the greatest depth or size up to max whose mean is at most limit.
func (p *Program) MeanBytes(min, max int, limit float64) (mean float64, fits int) {
	switch {
	case !p.ByDepth() && p.Unit == grammar.Bytes:
		return float64(min+max) / 2, int(limit)
	case !p.ByDepth():
		terminal := p.meanTerminal((*Texts).longest)
		if float64(max)*terminal > limit { // else the tables of tokens are not needed
			terminal = p.meanTerminal((*Texts).meanLength)
		}
		return float64(max) * terminal, int(limit / math.Max(terminal, 1))
	}
	grows, last := 0.0, 0
	p.depths(max, func(d int, now, _ []stage) bool {
		grows, last = now[p.Root].bytes-mean, d
		mean = now[p.Root].bytes
		if now[p.Root].log2 >= hugeLog {
			mean = math.Inf(1)
		}
		if mean <= limit {
			fits = d
		}
		return !math.IsInf(mean, 1) && (d*len(p.Nodes) < probeVisits || d < probeDepths)
	})
	if fits == last { // from here on it grows evenly
		fits += int(math.Min((limit-mean)/math.Max(grows, 1e-300), float64(max-last)))
		mean += grows * float64(max-last)
	}
	return mean, fits
}

// stage has estimates for a node at a depth: the number of derivations, as a logarithm (-Inf if
// there is none), and the mean length of their texts in bytes. No exact decision depends on it.
type stage struct{ log2, bytes float64 }

var noStage = stage{log2: math.Inf(-1)}

// hugeLog caps logarithms: numbers beyond 2^hugeLog are all "too many".
const hugeLog = 1 << 50

// depths estimates all nodes depth by depth, up to max, until nothing changes any more or see
// returns false. see gets the estimates at a depth and at the one before.
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
		return stage{math.Log2(float64(n.Ways[0].N)), p.leafBytes(n, (*Texts).meanLength)}
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

// leafBytes returns the mean length of a terminal's text; token gives that of a token.
func (p *Program) leafBytes(node *Node, token func(*Texts) float64) float64 {
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
	return token(p.tokens[node.Expr.Rule])
}

// meanTerminal returns the mean length of the grammar's terminals; token gives that of a token.
func (p *Program) meanTerminal(token func(*Texts) float64) float64 {
	total, n := 0.0, 0
	for i := range p.Nodes {
		if p.Nodes[i].Op == Leaf && p.Nodes[i].Expr != nil && p.Nodes[i].Effect <= OwnLeaf {
			total += p.leafBytes(&p.Nodes[i], token)
			n++
		}
	}
	return total / float64(max(n, 1))
}
