package sample

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/marks"
	"github.com/gramfuzz/gramfuzz/internal/scope"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// pointing draws derivations that have a part of the grammar, each of a step equally
// likely. It draws a derivation with one place of the part marked: below the place by the numbers
// inside, around it upwards by the numbers outside ([core.Outside]). A derivation with k such
// places comes in k ways, and is taken with probability 1/k.
//
// Where a plain derivation has the part more than about once on average, plain ones are drawn
// and taken if they have it: more of them are. Both ways are exact.
type pointing struct {
	chain   marks.Chain // the parts that a derivation has before
	prog    *core.Program
	bound   count.Bound
	parents [][]core.Parent
	places  map[int][]core.NodeID // of a part, by its expression's ID: those behind the chain
	nums    pointedNumbers
}

// stratum is the derivations that have a part.
type stratum struct {
	part  marks.Part // no expression: all derivations
	steps []int      // sizes, or the depth, at which there are some
}

// newPointing makes the tables for parts behind a chain.
func newPointing(ctx context.Context, s *Sampler, chain marks.Chain) (*pointing, error) {
	p := &pointing{chain: chain, bound: s.o.Bound, places: map[int][]core.NodeID{}}
	plain, err := count.NewProgram(s.g, p.bound, s.countOptions()) // it says what is wrong with a bound
	if err != nil {
		return nil, err
	}
	if err := s.checkLength(plain); err != nil {
		return nil, err
	}
	watch, err := marks.Watch(s.g, chain)
	if err != nil {
		return nil, err
	}
	p.prog, err = scope.Program(s.g, (*scope.Names)(s.names), watch, s.facts, p.bound.Unit, (*core.Program)(plain).Repeat(), core.Budget(s.o.MaxMemory))
	if err != nil {
		return nil, err
	}
	marked := p.prog.Automaton.Space().Len() - 1
	for _, w := range p.prog.WrapNodes() {
		if w.Wrap.Component == marked && int(w.In) == len(chain) {
			p.places[w.Expr] = append(p.places[w.Expr], w.ID)
		}
	}
	p.parents = p.prog.Parents()
	if p.bound.ByDepth() {
		t, err := count.NewTable(ctx, (*count.Program)(p.prog), p.bound, s.countOptions())
		if err != nil {
			return nil, err
		}
		p.nums.table = (*core.Table)(t)
		p.nums.out, err = core.NewOutside(ctx, p.nums.table)
		return p, err
	}
	if err := plain.Occurs(p.bound); err != nil {
		return nil, err
	}
	if p.nums.f, err = core.NewFloats(ctx, p.prog, p.bound.Max, s.o.Progress); err != nil {
		return nil, err
	}
	p.nums.fo, err = core.NewFloatsOutside(ctx, p.nums.f)
	return p, err
}

// steps returns the steps within the bound for which has is true.
func (p *pointing) steps(has func(step int) bool) []int {
	b := p.bound
	if b.ByDepth() {
		b.Min, b.Max = b.Depth, b.Depth
	}
	var steps []int
	for n := b.Min; n <= b.Max; n++ {
		if has(n) {
			steps = append(steps, n)
		}
	}
	return steps
}

// all is the stratum of all derivations.
func (p *pointing) all() stratum {
	return stratum{steps: p.steps(func(n int) bool { return p.nums.has(p.prog.Root, n) })}
}

// strata returns those of the parts that some derivation within the bound has.
func (p *pointing) strata(parts []marks.Part) []stratum {
	var list []stratum
	for _, part := range parts {
		steps := p.steps(func(n int) bool { return len(p.pointed(nil, part, n, 0)) > 0 })
		if len(steps) > 0 {
			list = append(list, stratum{part, steps})
		}
	}
	return list
}

// pointed appends the places of a part in derivations of a step.
func (p *pointing) pointed(dst []option, part marks.Part, step, consumed int) []option {
	for _, id := range p.places[part.Expr.ID] {
		for n := range step + 1 {
			o := option{first: id, step: n, around: id, context: step - n, consumed: consumed}
			if p.prog.ByDepth() {
				o.context = n
			}
			if p.nums.has(id, n) && p.nums.hasContext(id, o.context) {
				dst = append(dst, o)
			}
		}
	}
	return dst
}

// option is one of those that a draw is between. Its weight is a product: of the numbers
// of derivations of a first and a second node, of contexts of a third one, each of which may be
// [core.None], and of a power of the scale.
type option struct {
	first, second     core.NodeID
	step, secondStep  int
	around            core.NodeID
	context, consumed int

	parent core.Parent // upwards: where it leads
}

// pointedNumbers are the numbers inside and outside: floating-point ones by size, which exact ones
// settle that are made when they are first needed; exact ones by depth.
type pointedNumbers struct {
	f  *core.Floats
	fo *core.FloatsOutside

	once  sync.Once
	table *core.Table
	out   *core.Outside
	err   error
}

func (n *pointedNumbers) has(id core.NodeID, step int) bool {
	if n.f == nil {
		return n.table.Count(id, step).Sign() > 0
	}
	return n.f.Has(id, step)
}

func (n *pointedNumbers) hasContext(id core.NodeID, at int) bool {
	if n.f == nil {
		return n.out.Count(id, at).Sign() > 0
	}
	return n.fo.At(id, at) != 0
}

// approximate returns the weight of an option, scaled, and a bound on its relative error; 1
// means that nothing is known.
func (n *pointedNumbers) approximate(o *option) (w, e float64) {
	if n.f == nil {
		return 0, 1
	}
	w = 1
	if o.first != core.None {
		w, e = n.f.At(o.first, o.step), n.f.Error(o.first, o.step, 0)
	}
	if o.second != core.None {
		w *= n.f.At(o.second, o.secondStep)
		e += n.f.Error(o.second, o.secondStep, 0)
	}
	if o.around != core.None {
		w *= n.fo.At(o.around, o.context)
		e += n.fo.Error(o.around, o.context, 0)
	}
	for range o.consumed {
		w *= n.f.Scale
	}
	return w, min(1, 2*e+float64(o.consumed+4)*0x1p-53)
}

// exact returns the weight of an option.
func (n *pointedNumbers) exact(o *option) (*big.Int, error) {
	n.once.Do(func() {
		if n.table != nil {
			return
		}
		if n.table, n.err = core.NewTable(context.Background(), n.f.Program, 0, n.f.Max, nil); n.err == nil {
			n.out, n.err = core.NewOutside(context.Background(), n.table)
		}
	})
	if n.err != nil {
		return nil, fmt.Errorf("settling a draw: %w", n.err)
	}
	w := big.NewInt(1)
	if o.first != core.None {
		w.Mul(w, n.table.Count(o.first, o.step))
	}
	if o.second != core.None {
		w.Mul(w, n.table.Count(o.second, o.secondStep))
	}
	if o.around != core.None {
		w.Mul(w, n.out.Count(o.around, o.context))
	}
	return w, nil
}

// pointedDraw draws from a pointing. It is the picker of the parts beside and below the
// way to the marked place. It belongs to one goroutine.
type pointedDraw struct {
	p       *pointing
	str     *randombits.Stream
	choices []int
	tokens  []drawnToken // of the choices, whose texts are drawn when the derivation is taken
	path    []option     // from the place upwards
	options []option
	parts   core.Expansion[int]
	counted []core.NodeID // the places that are counted
	met     int           // how many the derivation has
}

// often is how often, on average, a derivation has a part from which on plain ones are
// drawn. It is no ratio of small numbers, so that a comparison of rounded numbers with it
// comes out alike on every machine.
const often = 1.372

// try draws a derivation of one of the steps and reports whether it is taken.
func (d *pointedDraw) try(st stratum, steps []int) (bool, error) {
	p := d.p
	d.choices, d.tokens, d.met, d.counted = d.choices[:0], d.tokens[:0], 0, nil
	d.options = d.options[:0]
	last := steps[len(steps)-1] // numbers of all sizes are scaled as those of this one
	for _, n := range steps {
		d.options = append(d.options, option{first: p.prog.Root, step: n, consumed: last - n})
	}
	if st.part.Expr == nil {
		at, err := d.pick()
		if err != nil {
			return false, err
		}
		return true, d.derive(p.prog.Root, steps[at])
	}
	d.counted = p.places[st.part.Expr.ID]
	plain, err := d.total()
	if err != nil {
		return false, err
	}
	roots := len(d.options)
	for _, n := range steps {
		d.options = p.pointed(d.options, st.part, n, last-n)
	}
	all, err := d.total()
	if err != nil {
		return false, err
	}
	if all-plain > often*plain {
		d.options = d.options[:roots]
		at, err := d.pick()
		if err == nil {
			err = d.derive(p.prog.Root, steps[at])
		}
		return d.met > 0, err
	}
	d.options = append(d.options[:0], d.options[roots:]...)
	at, err := d.pick()
	if err != nil {
		return false, err
	}
	if err := d.around(d.options[at]); err != nil {
		return false, err
	}
	return d.met == 1 || d.str.Intn(d.met) == 0, nil
}

// total returns the sum of the options' weights, in units that are the same for one bound.
func (d *pointedDraw) total() (float64, error) {
	sum := 0.0
	for i := range d.options {
		w, e := d.p.nums.approximate(&d.options[i])
		if e >= 1 {
			return d.exactTotal()
		}
		sum += w
	}
	return sum, nil
}

func (d *pointedDraw) exactTotal() (float64, error) {
	sum := new(big.Int)
	for i := range d.options {
		w, err := d.p.nums.exact(&d.options[i])
		if err != nil {
			return 0, err
		}
		sum.Add(sum, w)
	}
	f, _ := new(big.Float).SetInt(sum).Float64()
	return f, nil
}

// pick draws one of the options by their weights, exactly, with one decision.
func (d *pointedDraw) pick() (int, error) {
	if len(d.options) == 1 {
		return 0, nil
	}
	u := d.str.Next()
	total, worst := 0.0, 0.0
	for i := range d.options {
		w, e := d.p.nums.approximate(&d.options[i])
		total += w
		worst = max(worst, e)
	}
	// The sums carry the worst error of a weight and a rounding for each option.
	slack := total * (3*worst + float64(len(d.options)+8)*0x1p-52)
	at, sum := math.Ldexp(float64(u), -64)*total, 0.0
	for i := range d.options {
		w, _ := d.p.nums.approximate(&d.options[i])
		before := sum
		if sum += w; at+slack < sum {
			if before == 0 || at-slack >= before {
				return i, nil
			}
			break
		}
	}
	return d.pickExactly(u)
}

// pickExactly decides a draw that the approximate weights leave open.
func (d *pointedDraw) pickExactly(u uint64) (int, error) {
	weights := make([]*big.Int, len(d.options))
	sum := new(big.Int)
	for i := range d.options {
		var err error
		if weights[i], err = d.p.nums.exact(&d.options[i]); err != nil {
			return 0, err
		}
		sum.Add(sum, weights[i])
	}
	at := d.str.Below(u, sum)
	for i, w := range weights {
		if at.Cmp(w) < 0 {
			return i, nil
		}
		at.Sub(at, w)
	}
	panic("sample: a number below the sum of the weights is below none of them")
}

// around draws the context of a marked place upwards, and then makes the derivation from
// the start down.
func (d *pointedDraw) around(place option) error {
	p := d.p
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
	for i := len(d.path) - 1; i > 0; i-- {
		n, o := &p.prog.Nodes[d.path[i].parent.ID], &d.path[i]
		d.count(o.parent.ID)
		switch {
		case n.Op == core.Union && n.Values != nil:
			d.choices = append(d.choices, n.Values[o.parent.Child])
		case n.Op == core.Prod && o.parent.Child == 1:
			if err := d.derive(o.first, o.step); err != nil {
				return err
			}
		}
	}
	if err := d.derive(d.path[0].parent.ID, d.path[0].step); err != nil {
		return err
	}
	for i := 1; i < len(d.path); i++ {
		o := &d.path[i]
		if p.prog.Nodes[o.parent.ID].Op == core.Prod && o.parent.Child == 0 {
			if err := d.derive(o.first, o.step); err != nil {
				return err
			}
		}
	}
	return nil
}

// upwards lists what a context of a node may be made of: nothing, at the start, or the
// context of a parent and what is beside the node there.
func (d *pointedDraw) upwards(id core.NodeID, at int) {
	p := d.p
	d.options = d.options[:0]
	depth := p.prog.ByDepth()
	if id == p.prog.Root && (depth && at == p.bound.Depth || !depth && at == 0) {
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
			for o.step = 0; o.step <= at; o.step++ {
				o.context = at - o.step
				d.offer(o)
			}
			continue
		}
		d.offer(o)
	}
}

// offer adds an option that is possible.
func (d *pointedDraw) offer(o option) {
	limit := d.p.bound.Steps()
	if o.context < 0 || o.context > limit || !d.p.nums.hasContext(o.around, o.context) ||
		o.first != core.None && !d.p.nums.has(o.first, o.step) {
		return
	}
	d.options = append(d.options, o)
}

// derive draws a derivation of a node at a step.
func (d *pointedDraw) derive(id core.NodeID, step int) error {
	return d.parts.Run(d.p.prog, id, step, d)
}

func (d *pointedDraw) count(id core.NodeID) {
	for _, c := range d.counted {
		if c == id {
			d.met++
		}
	}
}

// Enter draws a leaf. It implements [core.Picker], as do the other exported methods.
func (d *pointedDraw) Enter(id core.NodeID, n *core.Node, step int) (made bool, err error) {
	d.count(id)
	if n.Op != core.Leaf {
		return false, nil
	}
	if n.IsToken() {
		d.tokens = append(d.tokens, drawnToken{len(d.choices), n, step})
		return true, nil
	}
	for _, w := range n.Ways {
		if w.Size != step && !d.p.prog.ByDepth() {
			continue
		}
		way := 0
		if w.N > 1 {
			way = d.str.Intn(w.N)
		}
		if v := d.p.prog.Choice(n, w.Size, way); v >= 0 {
			d.choices = append(d.choices, v)
		}
		break
	}
	return true, nil
}

// drawnToken is a token of a derivation: where its choices belong, its leaf and size.
type drawnToken struct {
	at   int
	leaf *core.Node
	size int
}

// appendChoices appends the derivation's choices with the texts of tokens drawn: the
// length, where the size does not say it, and then one of that length.
func (d *pointedDraw) appendChoices(dst []int) []int {
	kept := 0
	for _, t := range d.tokens {
		dst = append(dst, d.choices[kept:t.at]...)
		kept = t.at
		texts := d.p.prog.Token(t.leaf.Expr.Rule)
		if b := d.p.bound; b.ByDepth() || b.Unit != grammar.Bytes {
			lengths := texts.LengthsOf(t.leaf)
			t.size = lengths[d.str.Intn(len(lengths))]
		}
		dst = append(dst, texts.Choices(t.size, d.str.Below(d.str.Next(), texts.Count(t.size)))...)
	}
	return append(dst, d.choices[kept:]...)
}

func (d *pointedDraw) Choose(value int) { d.choices = append(d.choices, value) }

func (d *pointedDraw) Call(n *core.Node, step int) int { return d.p.prog.Back(n, step) }

func (d *pointedDraw) Union(_ core.NodeID, n *core.Node, step int) (child, next int, err error) {
	d.options = d.options[:0]
	for i, k := range n.Children {
		if d.p.nums.has(k, step) {
			d.options = append(d.options, option{first: k, step: step, parent: core.Parent{Child: i}})
		}
	}
	at, err := d.pick()
	if err != nil {
		return 0, 0, err
	}
	return d.options[at].parent.Child, step, nil
}

func (d *pointedDraw) Product(_ core.NodeID, n *core.Node, step int) (first, second int, err error) {
	if d.p.prog.ByDepth() {
		return step, step, nil
	}
	a, b := n.Children[0], n.Children[1]
	d.options = d.options[:0]
	for k := range step + 1 {
		if d.p.nums.has(a, k) && d.p.nums.has(b, step-k) {
			d.options = append(d.options, option{first: a, step: k, second: b, secondStep: step - k})
		}
	}
	at, err := d.pick()
	if err != nil {
		return 0, 0, err
	}
	k := d.options[at].step
	return k, step - k, nil
}
