package sample

import (
	"context"
	"math/big"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// pointedDraw draws from a pointing. It is the picker of the parts beside and below the path
// to the marked place. It is for one goroutine.
type pointedDraw struct {
	p   *pointing
	r   *fastdraw.Runner
	ctx context.Context

	dst  []byte // the text so far
	m    *fastdraw.Recording
	size int

	path    []option // from the place upwards
	options []option
	weights []float64 // of the options, approximately
	worst   float64   // the greatest of their relative errors
	parts   core.Expansion[nested]
	counted int32  // the ID of the expression whose places are counted
	met     int    // how many of them the derivation has
	had     []bool // by Expr.ID: the derivation has a place of it
}

// nested is the step of a part, and the number of rules around it.
type nested struct{ step, level int }

// often is the mean number of places of a part from which on plain derivations are drawn. It
// is not a ratio of small numbers, so comparisons with rounded numbers come out alike on every
// machine.
const often = 1.372

// begin begins the draws of a stream of bits.
func (d *pointedDraw) begin(ctx context.Context, p *pointing, seed, index uint64) {
	if d.p != p {
		d.p, d.r = p, p.leaves.Runner()
		d.had = make([]bool, len(p.s.g.Exprs))
	}
	d.ctx = ctx
	d.r.Bits.Reset(seed, index)
}

// try appends the text of a derivation to dst, records it in m unless m is nil, and reports
// whether it is accepted.
func (d *pointedDraw) try(dst []byte, m *fastdraw.Recording, st stratum, from *marked) (out []byte, taken bool, err error) {
	if m != nil {
		m.Reset()
	}
	d.dst, d.m = d.r.Begin(dst), m
	taken, err = d.derivation(st, from)
	out, err = d.r.End(dst, d.dst, err)
	return out, taken, err
}

// derivation draws a derivation and reports whether it is accepted.
func (d *pointedDraw) derivation(st stratum, from *marked) (bool, error) {
	d.met = 0
	clear(d.had)
	if st.part.Expr == nil {
		return true, d.plain(from)
	}
	d.counted = int32(st.part.Expr.ID)
	if from.mean > often {
		err := d.plain(from)
		return d.met > 0, err
	}
	marked := from.options[len(from.steps):]
	at, err := d.among(marked, from.weights[len(from.steps):], from.worst)
	if err != nil {
		return false, err
	}
	if err := d.around(marked[at]); err != nil {
		return false, err
	}
	return d.met == 1 || d.r.Bits.Intn(d.met) == 0, nil
}

// marked returns the derivations of a stratum's step, or of all steps if at is len(st.steps).
func (d *pointedDraw) marked(st stratum, at int) (*marked, error) {
	if made := st.marked[at].Load(); made != nil {
		return made, nil
	}
	x := &marked{steps: st.steps}
	if at < len(st.steps) {
		x.steps = st.steps[at : at+1]
	}
	d.options = d.options[:0]
	last := x.steps[len(x.steps)-1] // the scale for the numbers of all sizes
	for _, n := range x.steps {
		d.options = append(d.options, option{first: d.p.prog.Root, step: n, consumed: last - n})
	}
	if st.part.Expr != nil {
		for _, n := range x.steps {
			d.options = d.p.pointed(d.options, st.part, n, last-n)
		}
	}
	d.weigh()
	var err error
	if x.mean, err = d.meanPlaces(len(x.steps)); err != nil {
		return nil, err
	}
	x.options, x.weights, x.worst = slices.Clone(d.options), slices.Clone(d.weights), d.worst
	st.marked[at].Store(x)
	return x, nil
}

// plain draws a plain derivation.
func (d *pointedDraw) plain(from *marked) error {
	at, err := d.among(from.options[:len(from.steps)], from.weights[:len(from.steps)], from.worst)
	if err != nil {
		return err
	}
	d.size = from.steps[at]
	return d.derive(d.p.prog.Root, nested{d.size, 0})
}

// meanPlaces returns the mean number of places in a derivation. The first plain options are
// plain derivations, the others places.
func (d *pointedDraw) meanPlaces(plain int) (float64, error) {
	if d.worst < 1 {
		var sums [2]float64
		for i, w := range d.weights {
			sums[min(i/plain, 1)] += w
		}
		return sums[1] / sums[0], nil
	}
	_, all, err := d.exact(d.options[:plain])
	if err != nil {
		return 0, err
	}
	_, places, err := d.exact(d.options[plain:])
	if err != nil {
		return 0, err
	}
	mean, _ := new(big.Float).Quo(new(big.Float).SetInt(places), new(big.Float).SetInt(all)).Float64()
	return mean, nil
}

// pick draws one of the options by their weights, exactly, with one decision.
func (d *pointedDraw) pick() (int, error) {
	if len(d.options) == 1 {
		return 0, nil
	}
	d.weigh()
	return d.among(d.options, d.weights, d.worst)
}

// weigh computes the approximate weights of the options.
func (d *pointedDraw) weigh() {
	d.weights, d.worst = d.weights[:0], 0
	for i := range d.options {
		w, e := d.p.nums.approximate(&d.options[i])
		d.weights = append(d.weights, w)
		d.worst = max(d.worst, e)
	}
}

// among draws one of the options, by their weights and the greatest of their errors.
func (d *pointedDraw) among(options []option, weights []float64, worst float64) (int, error) {
	if len(weights) == 1 {
		return 0, nil
	}
	u := d.r.Bits.Next()
	total := 0.0
	for _, w := range weights {
		total += w
	}
	// The sums carry the worst error of a weight and a rounding for each option.
	slack := total * (3*worst + float64(len(weights)+8)*0x1p-52)
	at, sum := float64(u)*0x1p-64*total, 0.0
	for i, w := range weights {
		before := sum
		if sum += w; at+slack < sum {
			if before == 0 || at-slack >= before {
				return i, nil
			}
			break
		}
	}
	return d.exactly(options, u)
}

// exactly decides a draw that is within the error of the approximate weights.
func (d *pointedDraw) exactly(options []option, u uint64) (int, error) {
	weights, sum, err := d.exact(options)
	if err != nil {
		return 0, err
	}
	at := d.r.Bits.Below(u, sum)
	for i, w := range weights {
		if at.Cmp(w) < 0 {
			return i, nil
		}
		at.Sub(at, w)
	}
	panic("sample: a number below the sum of the weights is below none of them")
}

// exact returns the exact weights of options, and their sum.
func (d *pointedDraw) exact(options []option) (list []*big.Int, sum *big.Int, err error) {
	sum = new(big.Int)
	for i := range options {
		w, err := d.p.nums.exact(&options[i])
		if err != nil {
			return nil, nil, err
		}
		list = append(list, w)
		sum.Add(sum, w)
	}
	return list, sum, nil
}

// around draws the context of a marked place upwards, and then makes the derivation from the
// start down.
func (d *pointedDraw) around(place option) error {
	p := d.p
	d.size = place.step + place.context
	d.path = append(d.path[:0], option{step: place.step, parent: core.Parent{ID: place.first}})
	for id, at := place.first, place.context; ; {
		d.upwards(id, at)
		i, err := d.pick()
		if err != nil {
			return err
		}
		o := d.options[i]
		if o.parent.ID == core.None {
			break
		}
		d.path = append(d.path, o)
		id, at = o.parent.ID, o.context
	}
	level := 0
	for i := len(d.path) - 1; i > 0; i-- {
		o := &d.path[i]
		n := &p.prog.Nodes[o.parent.ID]
		d.count(o.parent.ID)
		switch {
		case n.Op == core.Call:
			level += n.Level
			d.m.Deepen(level)
		case n.Op == core.Union && n.Values != nil:
			d.m.Choose(n.Values[o.parent.Child])
		case n.Op == core.Prod && o.parent.Child == 1:
			if err := d.derive(o.first, nested{o.step, level}); err != nil {
				return err
			}
		}
		o.level = level
	}
	if err := d.derive(d.path[0].parent.ID, nested{d.path[0].step, level}); err != nil {
		return err
	}
	for i := 1; i < len(d.path); i++ {
		o := &d.path[i]
		if p.prog.Nodes[o.parent.ID].Op == core.Prod && o.parent.Child == 0 {
			if err := d.derive(o.first, nested{o.step, o.level}); err != nil {
				return err
			}
		}
	}
	return nil
}

// upwards lists the options for a context of a node: nothing, at the start, or the context of
// a parent and the node's sibling there.
func (d *pointedDraw) upwards(id core.NodeID, at int) {
	p := d.p
	d.options = d.options[:0]
	depth := p.prog.ByDepth()
	if id == p.prog.Root && (depth && at == p.s.o.Bound.Depth || !depth && at == 0) {
		d.options = append(d.options, option{})
	}
	for _, up := range p.parents[id] {
		n := &p.prog.Nodes[up.ID]
		o := option{around: up.ID, context: at, parent: up}
		switch {
		case n.Op == core.Call && depth:
			o.context += n.Level
		case n.Op == core.Call:
			o.context, o.consumed = at-n.Size, n.Size
		case n.Op == core.Prod && depth:
			o.first, o.step = n.Sibling(up.Child), at
		case n.Op == core.Prod:
			o.first = n.Sibling(up.Child)
			least, most := p.nums.steps(o.first, at)
			for o.step = least; o.step <= most; o.step++ {
				o.context = at - o.step
				d.offer(o)
			}
			continue
		}
		d.offer(o)
	}
}

// offer adds an option if it is possible.
func (d *pointedDraw) offer(o option) {
	if o.context < 0 || o.context > d.p.most || !d.p.nums.hasContext(o.around, o.context) ||
		o.first != core.None && !d.p.nums.has(o.first, o.step) {
		return
	}
	d.options = append(d.options, o)
}

// derive draws a derivation of a node at a step.
func (d *pointedDraw) derive(id core.NodeID, k nested) error {
	return d.parts.Run(d.p.prog, id, k, d)
}

func (d *pointedDraw) count(id core.NodeID) {
	if e := d.p.placeOf[id]; e > 0 {
		d.had[e] = true
		if e == d.counted {
			d.met++
		}
	}
}

// Enter draws a leaf. It implements [core.Picker], as do the other exported methods.
func (d *pointedDraw) Enter(id core.NodeID, n *core.Node, k nested) (made bool, err error) {
	d.count(id)
	if n.Op != core.Leaf {
		return false, nil
	}
	size := k.step
	if d.p.prog.ByDepth() && !n.IsToken() {
		size = n.Ways[0].Size
	}
	d.dst, err = d.r.Leaf(d.ctx, d.dst, d.m, id, size)
	return true, err
}

func (d *pointedDraw) Choose(value int) { d.m.Choose(value) }

func (d *pointedDraw) Call(n *core.Node, k nested) nested {
	d.m.Deepen(k.level + n.Level)
	return nested{d.p.prog.Back(n, k.step), k.level + n.Level}
}

func (d *pointedDraw) Union(id core.NodeID, n *core.Node, k nested) (child int, next nested, err error) {
	if !d.p.prog.ByDepth() {
		child, err = d.r.Child(id, k.step)
		return child, k, err
	}
	d.options = d.options[:0]
	for i, child := range n.Children {
		if d.p.nums.has(child, k.step) {
			d.options = append(d.options, option{first: child, step: k.step, parent: core.Parent{Child: i}})
		}
	}
	at, err := d.pick()
	if err != nil {
		return 0, k, err
	}
	return d.options[at].parent.Child, k, nil
}

func (d *pointedDraw) Product(id core.NodeID, _ *core.Node, k nested) (first, second nested, err error) {
	if d.p.prog.ByDepth() {
		return k, k, nil
	}
	size, err := d.r.Split(id, k.step)
	return nested{size, k.level}, nested{k.step - size, k.level}, err
}
