package core

// Feasible reports for sizes 0 … max which have a derivation. The error is a
// [MemoryError].
func (p *Program) Feasible(max int) ([]bool, error) {
	can, err := p.feasibleClasses(max)
	if err != nil {
		return nil, err
	}
	return can[p.numbering().class[p.Root]], nil
}

// feasibleClasses reports for every class and sizes 0 … max whether there is a
// derivation. It costs at most P·max² for P products, mostly far less: a product is
// sure where the first of its parts that fit are found.
func (p *Program) feasibleClasses(max int) ([][]bool, error) {
	same := p.numbering()
	if err := p.Budget.Ask("tables of the sizes that occur", float64(max)*float64(len(same.nodes))); err != nil {
		return nil, err
	}
	f := feasibility{class: same.class, can: make([][]bool, len(same.nodes)), least: make([]int, len(same.nodes))}
	all := make([]bool, len(same.nodes)*(max+1))
	for class := range f.can {
		f.can[class] = all[class*(max+1) : (class+1)*(max+1)]
		f.least[class] = max + 1
	}
	for n := range max + 1 {
		for class, id := range same.nodes {
			if f.at(&p.Nodes[id], n) {
				f.can[class][n] = true
				f.least[class] = min(f.least[class], n)
			}
		}
	}
	return f.can, nil
}

type feasibility struct {
	class []int32
	can   [][]bool // [class][size]
	least []int    // of a class, the least size found so far
}

func (f *feasibility) at(node *Node, n int) bool {
	switch node.Op {
	case Leaf:
		for _, w := range node.Ways {
			if w.Size == n && w.N > 0 {
				return true
			}
		}
		return false
	case Call:
		return n >= node.Size && f.can[f.class[node.Children[0]]][n-node.Size]
	case Prod:
		a, b := f.class[node.Children[0]], f.class[node.Children[1]]
		for k := f.least[a]; k <= n-f.least[b]; k++ {
			if f.can[a][k] && f.can[b][n-k] {
				return true
			}
		}
		return false
	}
	for _, k := range node.Children {
		if f.can[f.class[k]][n] {
			return true
		}
	}
	return false
}
