package count

import "math"

// xfloat is a float64 with a wide exponent, m·2^e with m 0 or in [½, 1): for
// estimates of numbers that are too large for a float64. Nothing that must be
// exact is decided by one.
type xfloat struct {
	m float64
	e int64
}

// hugeExp caps exponents: numbers beyond 2^hugeExp are all "too many".
const hugeExp = 1 << 55

func newX(v float64) xfloat { return xfloat{v, 0}.norm() }

func (x xfloat) norm() xfloat {
	f, e := math.Frexp(x.m)
	if f == 0 {
		return xfloat{}
	}
	return xfloat{f, min(x.e+int64(e), hugeExp)}
}

func (x xfloat) mul(y xfloat) xfloat { return xfloat{x.m * y.m, x.e + y.e}.norm() }

func (x xfloat) add(y xfloat) xfloat {
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
	return xfloat{x.m + math.Ldexp(y.m, int(y.e-x.e)), x.e}.norm()
}

// over returns x/y as a float64.
func (x xfloat) over(y xfloat) float64 {
	d := max(min(x.e-y.e, 2000), -2000)
	return math.Ldexp(x.m/y.m, int(d))
}

// log2 returns the binary logarithm, -Inf for 0.
func (x xfloat) log2() float64 { return math.Log2(x.m) + float64(x.e) }

// estimates returns the numbers of every node at every depth up to max,
// approximately. By size, see logs.
func (p *Program) estimates(max int) [][]xfloat {
	rows := make([][]xfloat, max+1)
	for d := range rows {
		rows[d] = make([]xfloat, len(p.Nodes))
		for _, id := range p.order {
			rows[d][id] = p.estimate(&p.Nodes[id], d, rows)
		}
	}
	return rows
}

func (p *Program) estimate(node *Node, d int, rows [][]xfloat) xfloat {
	switch node.Op {
	case Leaf:
		return newX(float64(node.total()))
	case Call:
		if d < node.Level {
			return xfloat{}
		}
		return rows[d-node.Level][node.Children[0]]
	case Prod:
		return rows[d][node.Children[0]].mul(rows[d][node.Children[1]])
	}
	var total xfloat
	for _, k := range node.Children {
		total = total.add(rows[d][k])
	}
	return total
}
