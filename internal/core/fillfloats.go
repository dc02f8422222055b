package core

import (
	"context"
	"slices"
)

// Numbers of size n need smaller sizes of nearly all other numbers, and grammars with thousands
// of rules have more of them than fit in a processor's cache. So sizes are computed in blocks.
// First the terms from earlier blocks are added up product by product, for the whole block at
// once. After that only the first block and this one are read, which lie close together, class by
// class.

// formulaKind is the kind of a formula.
type formulaKind uint8

const (
	constant  formulaKind = iota // the terms of a terminal
	sparse                       // few terms times the numbers of another class: a use of a rule, a product with a terminal
	summed                       // the sum of the numbers of other classes
	convolved                    // the convolution of the numbers of two other classes
	resized                      // the number of another class at a size that maps to this one
)

// formula describes how the numbers of a class are computed.
type formula struct {
	kind     formulaKind
	node     *Node // of resized
	a, b     int32 // classes: a of sparse, both of convolved
	terms    []term
	children []int32
	powers   []float64 // of resized
}

// term is a factor of the number whose size is smaller by size.
type term struct {
	size   int
	factor float64
}

// filling is the state of filling a Floats.
type filling struct {
	f        *Floats
	formulas []formula
	products []int32     // the classes that are products, those with the same first part adjacent
	rows     [][]float64 // of the classes
	head     []cell      // the numbers at the sizes of the first block
	current  []cell      // those of the current block, as far as they are known
	limit    float64
	cut      bool // cut numbers above the limit instead of ending there
}

// fill computes the numbers size by size, up to the first above the limit, and returns the last
// complete size. With cut, a number above the limit is set to the limit, and f.cut is set. The
// error is the context's.
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

// prepare allocates the rows and finds the formula of every class.
func (f *Floats) prepare(limit float64, cut bool) *filling {
	p := f.Program
	f.numbering = p.numbering()
	classes := len(f.numbering.nodes)
	c := &filling{f: f, limit: limit, cut: cut, formulas: make([]formula, classes), rows: make([][]float64, classes), current: make([]cell, classes)}
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
		c.formulas[i] = f.formula(&p.Nodes[id], powers)
		if c.formulas[i].kind == convolved {
			c.products = append(c.products, int32(i))
		}
	}
	slices.SortStableFunc(c.products, func(x, y int32) int { return int(c.formulas[x].a) - int(c.formulas[y].a) })
	return c
}

// formula returns the formula of the class of a node.
func (f *Floats) formula(node *Node, powers []float64) formula {
	children := make([]int32, len(node.Children))
	for i, k := range node.Children {
		children[i] = f.numbering.class[k]
	}
	switch node.Op {
	case Leaf:
		return formula{kind: constant, terms: terms(node.Ways, powers)}
	case Call:
		if node.Rule != nil {
			return formula{kind: resized, node: node, a: children[0], powers: powers}
		}
		return formula{kind: sparse, a: children[0], terms: terms([]Ways{{node.Size, 1}}, powers)}
	case Union:
		return formula{kind: summed, children: children}
	}
	for i, k := range children {
		if leaf := &f.Program.Nodes[f.numbering.nodes[k]]; leaf.Op == Leaf && len(leaf.Ways) <= blockSum {
			return formula{kind: sparse, a: children[1-i], terms: terms(leaf.Ways, powers)}
		}
	}
	return formula{kind: convolved, a: children[0], b: children[1]}
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
		m := &c.formulas[class]
		convolveBegin(&c.current[class], c.rows[m.a][:from], c.rows[m.b][:from], to)
	}
	return nil
}

// size computes all numbers of size n, in the block that begins at from, and reports
// whether all of them are within the limit.
func (c *filling) size(ctx context.Context, from, n int) (bool, error) {
	for class := range c.formulas {
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
		c.current[class][n-from] = v
	}
	return true, nil
}

func (c *filling) number(class, from, n int) float64 {
	m, j := &c.formulas[class], n-from
	total := 0.0
	switch m.kind {
	case constant:
		for _, t := range m.terms {
			if t.size == n {
				return t.factor
			}
		}
	case sparse:
		for _, t := range m.terms {
			switch {
			case t.size <= j:
				total += t.factor * c.current[m.a][j-t.size]
			case t.size <= n:
				total += t.factor * c.rows[m.a][n-t.size]
			}
		}
	case resized:
		switch back := c.f.Program.Back(m.node, n); {
		case back >= from:
			total = m.powers[n-back] * c.current[m.a][back-from]
		case back >= 0:
			total = m.powers[n-back] * c.rows[m.a][back]
		}
	case summed:
		for _, k := range m.children {
			total += c.current[k][j]
		}
	case convolved:
		if from == 0 {
			return convolveFirst(&c.current[m.a], &c.current[m.b], j)
		}
		return c.current[class][j] + convolveEnd(&c.head[m.a], &c.head[m.b], &c.current[m.a], &c.current[m.b], j)
	}
	return total
}

// store keeps the numbers of the sizes from … to-1, which end a block.
func (c *filling) store(from, to int) {
	for class := range c.current {
		copy(c.rows[class][from:to], c.current[class][:])
	}
	if from == 0 {
		c.head, c.current = c.current, make([]cell, len(c.current))
	}
}
