package parse

import (
	"context"
	"slices"
	"sort"
)

// order keeps the nodes that derive the same nonterminal from the same place
// sorted by their first trees, as far as they were compared. Two ways of a node
// by one production first differ in a child, and such children are of one group: so in
// wildly ambiguous texts most comparisons are of two numbers, not of two trees.
type order struct {
	groups map[group][]int32 // heads, ascending
	labels []uint64          // by head: ascending in its group; 0 for one that is in none yet
}

// group is nodes by nonterminal and the place where they begin.
type group struct{ nonterm, from int32 }

const labelsApart = 1 << 32

// before compares the first trees of two ways of one node.
func (f *Forest) before(ctx context.Context, a, b int32) bool {
	if x, y := f.differ(a, b); x >= 0 && y >= 0 {
		f.rank(ctx, x)
		f.rank(ctx, y)
		return f.order.labels[x] < f.order.labels[y]
	}
	return f.beforeTree(ctx, a, b)
}

// beforeHead compares the first trees of two heads of one group. It ranks no
// others, so that it does not nest.
func (f *Forest) beforeHead(ctx context.Context, a, b int32) bool {
	if x, y := f.differ(a, b); x >= 0 && y >= 0 && f.order.labels[x] > 0 && f.order.labels[y] > 0 {
		return f.order.labels[x] < f.order.labels[y]
	}
	return f.beforeTree(ctx, a, b)
}

func (f *Forest) beforeTree(ctx context.Context, a, b int32) bool {
	x, y := f.pair(ctx)
	x.enter(f, a, nil)
	y.enter(f, b, nil)
	return x.before(y)
}

// differ returns the first children in which two ways by one production differ. It
// returns -1 where these decide nothing: the productions differ, or the children are
// parts of a repetition, of which one can be the beginning of another.
func (f *Forest) differ(a, b int32) (x, y int32) {
	if f.nodes[a].prod != f.nodes[b].prod {
		return -1, -1
	}
	other := f.childrenOf(b)
	for i, k := range f.childrenOf(a) {
		if k == other[i] {
			continue
		}
		if k < 0 || other[i] < 0 || f.p.t.nonterms[f.p.t.prods[f.nodes[k].prod].lhs].partial {
			return -1, -1
		}
		return k, other[i]
	}
	return -1, -1
}

// rank puts a head, which is settled, among those of its group.
func (f *Forest) rank(ctx context.Context, head int32) {
	o := &f.order
	if o.labels == nil {
		o.groups, o.labels = map[group][]int32{}, make([]uint64, len(f.nodes))
	}
	if o.labels[head] > 0 {
		return
	}
	key := group{f.p.t.prods[f.nodes[head].prod].lhs, f.from(head)}
	heads := o.groups[key]
	i := sort.Search(len(heads), func(i int) bool { return f.beforeHead(ctx, head, heads[i]) })
	heads = slices.Insert(heads, i, head)
	o.groups[key] = heads
	low, high := uint64(0), uint64(0)
	if i > 0 {
		low = o.labels[heads[i-1]]
	}
	if i+1 < len(heads) {
		high = o.labels[heads[i+1]]
	} else {
		high = low + 2*labelsApart
	}
	o.labels[head] = low + (high-low)/2
	if high-low < 2 { // no room between the neighbours
		for i, h := range heads {
			o.labels[h] = uint64(i+1) * labelsApart
		}
	}
}

// from returns the place where the text of a node begins.
func (f *Forest) from(id int32) int32 {
	for id >= 0 {
		id = f.childrenOf(id)[0]
	}
	return ^id
}
