package core

import "math"

// wideFloat is a float64 with a wide exponent, m·2^e with m 0 or in [½, 1): for
// estimates of numbers that are too large for a float64. Nothing that must be
// exact is decided by one.
type wideFloat struct {
	m float64
	e int64
}

// hugeExp caps exponents: numbers beyond 2^hugeExp are all "too many".
const hugeExp = 1 << 55

func newWide(v float64) wideFloat { return wideFloat{v, 0}.norm() }

func (x wideFloat) norm() wideFloat {
	f, e := math.Frexp(x.m)
	if f == 0 {
		return wideFloat{}
	}
	return wideFloat{f, min(x.e+int64(e), hugeExp)}
}

func (x wideFloat) mul(y wideFloat) wideFloat { return wideFloat{x.m * y.m, x.e + y.e}.norm() }

func (x wideFloat) add(y wideFloat) wideFloat {
	switch {
	case x.m == 0:
		return y
	case y.m == 0:
		return x
	case x.e < y.e:
		x, y = y, x
	}
	if x.e-y.e > 1000 {
		return x
	}
	return wideFloat{x.m + math.Ldexp(y.m, int(y.e-x.e)), x.e}.norm()
}

// over returns x/y as a float64.
func (x wideFloat) over(y wideFloat) float64 {
	d := max(min(x.e-y.e, 2000), -2000)
	return math.Ldexp(x.m/y.m, int(d))
}

// log2 returns the binary logarithm, -Inf for 0.
func (x wideFloat) log2() float64 { return math.Log2(x.m) + float64(x.e) }

// estimates returns the numbers of every node at every depth up to max,
// approximately. By size, roughFloats estimates them.
func (p *Program) estimates(max int) [][]wideFloat {
	rows := make([][]wideFloat, max+1)
	for d := range rows {
		rows[d] = make([]wideFloat, len(p.Nodes))
		for _, id := range p.order {
			rows[d][id] = p.estimate(&p.Nodes[id], d, rows)
		}
	}
	return rows
}

func (p *Program) estimate(node *Node, d int, rows [][]wideFloat) wideFloat {
	switch node.Op {
	case Leaf:
		return newWide(float64(node.total()))
	case Call:
		if d < node.Level {
			return wideFloat{}
		}
		return rows[d-node.Level][node.Children[0]]
	case Prod:
		return rows[d][node.Children[0]].mul(rows[d][node.Children[1]])
	}
	var total wideFloat
	for _, k := range node.Children {
		total = total.add(rows[d][k])
	}
	return total
}
