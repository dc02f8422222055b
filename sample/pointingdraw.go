package sample

import (
	"context"
	"math/big"

	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/fastdraw"
)

// pointedDraw draws from a pointing. It is for one goroutine.
type pointedDraw struct {
	p     *pointing
	cache *contexts
	r     *fastdraw.Runner
	ctx   context.Context

	dst  []byte // the text so far
	m    *fastdraw.Recording
	size int

	path    []pathStep // from the place upwards
	next    []fastdraw.Nested
	large   contextDraw // of a context too large to keep
	options []option
	weights []float64 // of the options, approximately
	worst   float64   // the greatest of their relative errors
	met     int       // number of places that the derivation has of the stratum's part
}

// pathStep is one step of the path from a place upwards: a way, beside a sibling of a step.
type pathStep struct {
	*segment
	beside int
	level  int // the number of rules around it
}

// often is the mean number of places of a part from which on plain derivations are drawn. It
// is not a ratio of small numbers, so comparisons with rounded numbers come out alike on every
// machine.
const often = 1.372

// begin begins the draws of a stream of bits.
func (d *pointedDraw) begin(ctx context.Context, p *pointing, seed, index uint64) {
	if d.p != p {
		d.p, d.r = p, p.draws.Runner()
		d.r.Counts = make([]int32, p.kinds+1)
	}
	d.ctx, d.cache = ctx, p.cache.Load()
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
	clear(d.r.Counts)
	if st.part.Expr == nil {
		return true, d.plain(from)
	}
	if from.mean > often {
		err := d.plain(from)
		d.met = int(d.r.Counts[st.kind])
		return d.met > 0, err
	}
	at, err := d.among(&from.places, from.options[len(from.steps):])
	if err != nil {
		return false, err
	}
	if err := d.around(from.options[len(from.steps)+at]); err != nil {
		return false, err
	}
	d.met = int(d.r.Counts[st.kind])
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
	last := x.steps[len(x.steps)-1] // the scale for the numbers of all sizes
	for _, n := range x.steps {
		x.options = append(x.options, option{first: d.p.prog.Root, step: n, consumed: last - n})
	}
	if st.part.Expr != nil {
		for _, n := range x.steps {
			x.options = d.p.pointed(x.options, st.kind, n, last-n)
		}
	}
	if err := d.shareMarked(x); err != nil {
		return nil, err
	}
	st.marked[at].Store(x)
	return x, nil
}

// shareMarked computes the shares of the options, of the plain ones first, and the mean.
func (d *pointedDraw) shareMarked(x *marked) error {
	plain := len(x.steps)
	d.weigh(x.options)
	if d.worst < 1 {
		all := x.plain.approximate(d.weights[:plain], d.worst)
		x.mean = x.places.approximate(d.weights[plain:], d.worst) / all
		return nil
	}
	weights, all, err := d.exact(x.options[:plain])
	if err != nil {
		return err
	}
	x.plain.exact(weights, all)
	weights, places, err := d.exact(x.options[plain:])
	if err != nil {
		return err
	}
	x.places.exact(weights, places)
	x.mean, _ = new(big.Float).Quo(new(big.Float).SetInt(places), new(big.Float).SetInt(all)).Float64()
	return nil
}

// plain draws a plain derivation.
func (d *pointedDraw) plain(from *marked) error {
	at, err := d.among(&from.plain, from.options[:len(from.steps)])
	if err != nil {
		return err
	}
	d.size = from.steps[at]
	return d.node(d.p.prog.Root, d.size, 0)
}

// node draws a derivation of a node at a step.
func (d *pointedDraw) node(id core.NodeID, step, level int) (err error) {
	d.dst, err = d.r.Node(d.ctx, d.dst, d.m, id, step, level)
	return err
}

// share computes the shares of options.
func (d *pointedDraw) share(to *shares, options []option) error {
	d.weigh(options)
	if d.worst < 1 {
		to.approximate(d.weights, d.worst)
		return nil
	}
	weights, all, err := d.exact(options)
	if err == nil {
		to.exact(weights, all)
	}
	return err
}

// weigh computes the approximate weights of options.
func (d *pointedDraw) weigh(options []option) {
	d.weights, d.worst = d.weights[:0], 0
	for i := range options {
		w, e := d.p.nums.approximate(&options[i])
		d.weights = append(d.weights, w)
		d.worst = max(d.worst, e)
	}
}

// among draws one of the options, whose shares are s, with one decision.
func (d *pointedDraw) among(s *shares, options []option) (int, error) {
	if len(options) == 1 {
		return 0, nil
	}
	u := d.r.Bits.Next()
	if i, settled := s.pick(u); settled {
		return i, nil
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
	d.size = place.step + place.context
	d.path = d.path[:0]
	for id, at := place.first, place.context; ; {
		w, err := d.upwards(id, at)
		if err != nil {
			return err
		}
		if w.parent < 0 {
			break
		}
		s := d.cache.segment(d.p, id, w, at)
		d.path = append(d.path, pathStep{segment: s, beside: int(w.step)})
		id, at = s.top, s.context(d.p, w, at)
	}
	level := 0
	d.next = d.next[:0]
	for i := len(d.path) - 1; i >= 0; i-- {
		s := &d.path[i]
		for _, kind := range s.places {
			d.r.Counts[kind]++
		}
		s.level = level
		d.draw(s.left, level)
		if s.large != core.None && s.before {
			if err := d.besides(s); err != nil {
				return err
			}
		}
		level += s.rise
	}
	if s := d.cache.below(d.p, place.first, place.step); s != nil {
		d.draw(s, level)
	} else if err := d.alone(place.first, place.step, level); err != nil {
		return err
	}
	for i := range d.path {
		s := &d.path[i]
		if s.large != core.None && !s.before {
			if err := d.besides(s); err != nil {
				return err
			}
		}
		d.draw(s.right, s.level)
	}
	return d.flush()
}

// draw adds a sequence to those drawn next; nil: none.
func (d *pointedDraw) draw(s *fastdraw.Sequence, level int) {
	if s != nil {
		d.next = append(d.next, fastdraw.Nested{Sequence: s, Level: level})
	}
}

// besides draws the large sibling of a step.
func (d *pointedDraw) besides(s *pathStep) error {
	return d.alone(s.large, s.beside, s.level+s.within)
}

// alone draws a part too large for a sequence.
func (d *pointedDraw) alone(id core.NodeID, step, level int) error {
	if err := d.flush(); err != nil {
		return err
	}
	return d.node(id, step, level)
}

// flush draws the sequences that are next.
func (d *pointedDraw) flush() (err error) {
	if len(d.next) > 0 {
		d.dst, err = d.r.Sequences(d.ctx, d.dst, d.m, d.next)
		d.next = d.next[:0]
	}
	return err
}

// upwards draws the way from a node upwards in a context.
func (d *pointedDraw) upwards(id core.NodeID, at int) (upward, error) {
	c, err := d.contextOf(id, at)
	if err != nil {
		return upward{}, err
	}
	if len(c.ways) == 1 {
		return c.ways[0], nil
	}
	u := d.r.Bits.Next()
	i, settled := c.shares.pick(u)
	if !settled {
		d.options, _ = d.p.upwards(d.options[:0], nil, id, at)
		if i, err = d.exactly(d.options, u); err != nil {
			return upward{}, err
		}
	}
	return c.ways[i], nil
}

// contextOf returns the draw in a context.
func (d *pointedDraw) contextOf(id core.NodeID, at int) (*contextDraw, error) {
	c := &d.large
	kept := d.p.small(at)
	if kept {
		if made := entry(d.cache, d.p, d.cache.draws, id, at, d.p.rowLength()).Load(); made != nil {
			return made, nil
		}
		c = &contextDraw{}
	}
	d.options, c.ways = d.p.upwards(d.options[:0], c.ways[:0], id, at)
	if len(c.ways) > 1 {
		if err := d.share(&c.shares, d.options); err != nil {
			return nil, err
		}
	}
	if kept {
		entry(d.cache, d.p, d.cache.draws, id, at, d.p.rowLength()).Store(c)
		d.cache.add(d.p, c.bytes())
	}
	return c, nil
}
