package core

import (
	"context"
	"slices"
)

// Numbers of size n need those of smaller sizes of nearly all others, and grammars
// with thousands of rules have more of them than a processor has cache. So sizes are
// made in blocks: what comes from the blocks before is added up product by product,
// for the whole block at once; then only the first block and this one are read, which
// lie close together, class by class.

// how says how the numbers of a class are made.
type how uint8

const (
	given      how = iota // those of a terminal: its terms
	few                   // each the sum of few terms, with numbers of another class: a use of a rule, a product with a terminal
	added                 // the sum of those of other classes
	multiplied            // the products of those of two other classes
)

// making is all that the numbers of a class are computed from.
type making struct {
	how      how
	a, b     int32 // classes: a of few, both of multiplied
	terms    []term
	children []int32
}

// term is a factor for the number of a size that is so much smaller.
type term struct {
	size   int
	factor float64
}

// filling is Floats in the making.
type filling struct {
	f        *Floats
	makings  []making
	products []int32     // the classes that are products, those with the same first part side by side
	rows     [][]float64 // of the classes
	head     []cell      // the numbers at the sizes of the first block
	now      []cell      // those of the block that is made; of those to come, what is known
	limit    float64
	cut      bool // instead of the end at a number above the limit
}

// fill computes the numbers size by size, up to the first above the limit, and
// returns the last size that is complete. With cut, a number above the limit is set to
// it, and f.cut says that it happened. The error is the context's.
func (f *Floats) fill(ctx context.Context, limit float64, cut bool, progress func(done float64)) (int, error) {
	c := f.prepare(limit, cut)
	for from := 0; from <= f.Max; from += block {
		to := min(from+block, f.Max+1)
		if err := c.begin(ctx, from, to); err != nil {
			return 0, err
		}
		for n := from; n < to; n++ {
			fits, err := c.size(ctx, from, n)
			if err != nil {
				return 0, err
			}
			if !fits {
				c.store(from, n)
				return n - 1, nil
			}
			if progress != nil {
				progress(float64(n+1) * float64(n+1) / float64((f.Max+1)*(f.Max+1)))
			}
		}
		c.store(from, to)
	}
	return f.Max, nil
}

// prepare makes room, and finds how every class is made.
func (f *Floats) prepare(limit float64, cut bool) *filling {
	p := f.Program
	f.numbering = p.numbering()
	classes := len(f.numbering.nodes)
	c := &filling{f: f, limit: limit, cut: cut, makings: make([]making, classes), rows: make([][]float64, classes), now: make([]cell, classes)}
	width := f.Max + 1
	all := make([]float64, classes*width)
	for i := range c.rows {
		c.rows[i] = all[i*width : (i+1)*width : (i+1)*width]
	}
	f.w = make([][]float64, len(p.Nodes))
	for id, class := range f.numbering.class {
		f.w[id] = c.rows[class]
	}
	powers := f.powers()
	for i, id := range f.numbering.nodes {
		c.makings[i] = f.making(&p.Nodes[id], powers)
		if c.makings[i].how == multiplied {
			c.products = append(c.products, int32(i))
		}
	}
	slices.SortStableFunc(c.products, func(x, y int32) int { return int(c.makings[x].a) - int(c.makings[y].a) })
	return c
}

// making finds how the numbers of the class of a node are made.
func (f *Floats) making(node *Node, powers []float64) making {
	children := make([]int32, len(node.Children))
	for i, k := range node.Children {
		children[i] = f.numbering.class[k]
	}
	switch node.Op {
	case Leaf:
		return making{how: given, terms: terms(node.Ways, powers)}
	case Call:
		return making{how: few, a: children[0], terms: terms([]Ways{{node.Size, 1}}, powers)}
	case Union:
		return making{how: added, children: children}
	}
	for i, k := range children {
		if leaf := &f.Program.Nodes[f.numbering.nodes[k]]; leaf.Op == Leaf && len(leaf.Ways) <= blockSum {
			return making{how: few, a: children[1-i], terms: terms(leaf.Ways, powers)}
		}
	}
	return making{how: multiplied, a: children[0], b: children[1]}
}

// terms returns the numbers of a terminal at the sizes within the bound.
func terms(ways []Ways, powers []float64) []term {
	var ts []term
	for _, w := range ways {
		if w.Size < len(powers) {
			ts = append(ts, term{w.Size, float64(w.N) * powers[w.Size]})
		}
	}
	return ts
}

// begin starts the block of sizes from … to-1.
func (c *filling) begin(ctx context.Context, from, to int) error {
	for i, class := range c.products {
		if i&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		m := &c.makings[class]
		convolveBegin(&c.now[class], c.rows[m.a][:from], c.rows[m.b][:from], to)
	}
	return nil
}

// size computes all numbers of size n, in the block that begins at from, and reports
// whether all of them are within the limit.
func (c *filling) size(ctx context.Context, from, n int) (bool, error) {
	for class := range c.makings {
		if class&0xff == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		v := c.number(class, from, n)
		if v > c.limit {
			if !c.cut {
				return false, nil
			}
			v, c.f.cut = c.limit, true
		}
		c.now[class][n-from] = v
	}
	return true, nil
}

func (c *filling) number(class, from, n int) float64 {
	m, j := &c.makings[class], n-from
	total := 0.0
	switch m.how {
	case given:
		for _, t := range m.terms {
			if t.size == n {
				return t.factor
			}
		}
	case few:
		for _, t := range m.terms {
			switch {
			case t.size <= j:
				total += t.factor * c.now[m.a][j-t.size]
			case t.size <= n:
				total += t.factor * c.rows[m.a][n-t.size]
			}
		}
	case added:
		for _, k := range m.children {
			total += c.now[k][j]
		}
	case multiplied:
		if from == 0 {
			return convolveFirst(&c.now[m.a], &c.now[m.b], j)
		}
		return c.now[class][j] + convolveEnd(&c.head[m.a], &c.head[m.b], &c.now[m.a], &c.now[m.b], j)
	}
	return total
}

// store keeps the numbers of the sizes from … to-1, which end a block.
func (c *filling) store(from, to int) {
	for class := range c.now {
		copy(c.rows[class][from:to], c.now[class][:])
	}
	if from == 0 {
		c.head, c.now = c.now, make([]cell, len(c.now))
	}
}
