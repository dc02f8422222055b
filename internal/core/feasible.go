package core

import "slices"

// Feasible reports which of the sizes 0 … max have a derivation. The error is a [MemoryError].
func (p *Program) Feasible(max int) ([]bool, error) {
	can, err := p.feasibleClasses(max)
	if err != nil {
		return nil, err
	}
	return can[p.numbering().class[p.Root]], nil
}

// feasibleClasses reports for every class and the sizes 0 … max whether there is a derivation. It
// costs at most P·max² for P products, mostly far less: one fitting pair of part sizes decides a
// product.
func (p *Program) feasibleClasses(max int) ([][]bool, error) {
	same := p.numbering()
	if err := p.Budget.Ask("tables of the sizes that occur", float64(max)*float64(len(same.nodes))); err != nil {
		return nil, err
	}
	f := feasibility{p: p, class: same.class, can: make([][]bool, len(same.nodes)), sizes: newSizeRanges(len(same.nodes), max)}
	all := make([]bool, len(same.nodes)*(max+1))
	for class := range f.can {
		f.can[class] = all[class*(max+1) : (class+1)*(max+1)]
	}
	for n := range max + 1 {
		for class, id := range same.nodes {
			if f.at(&p.Nodes[id], n) {
				f.can[class][n] = true
				f.sizes.occurs(class, n)
			}
		}
	}
	return f.can, nil
}

// sizeRanges holds the least and the greatest size of each node, among those found so far. Most
// parts of fixed length have a single size, so that a product of them costs almost nothing.
type sizeRanges struct{ least, most []int }

func newSizeRanges(n, max int) sizeRanges {
	r := sizeRanges{make([]int, n), make([]int, n)}
	for i := range r.least {
		r.least[i], r.most[i] = max+1, -1
	}
	return r
}

// occurs notes that a node has size n, which is at least all earlier ones.
func (r sizeRanges) occurs(node, n int) { r.least[node], r.most[node] = min(r.least[node], n), n }

// within returns the sizes that the first of two parts may have in a product of size n.
func (r sizeRanges) within(a, b, n int) (first, last int) {
	return max(r.least[a], n-max(r.most[b], 0)), min(r.most[a], n-r.least[b])
}

type feasibility struct {
	p     *Program
	class []int32
	can   [][]bool // [class][size]
	sizes sizeRanges
}

func (f *feasibility) at(node *Node, n int) bool {
	switch node.Op {
	case Leaf:
		return slices.ContainsFunc(node.Ways, func(w Ways) bool { return w.Size == n && w.N > 0 })
	case Call:
		back := f.p.Back(node, n)
		return back >= 0 && f.can[f.class[node.Children[0]]][back]
	case Prod:
		a, b := f.class[node.Children[0]], f.class[node.Children[1]]
		first, last := f.sizes.within(int(a), int(b), n)
		for k := first; k <= last; k++ {
			if f.can[a][k] && f.can[b][n-k] {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(node.Children, func(k NodeID) bool { return f.can[f.class[k]][n] })
}
