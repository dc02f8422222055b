package sample

import (
	"container/heap"
	"math/big"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// piece is a part of an outcome: choices made, text that is certain, or an item
// that is still to be drawn.
type piece struct {
	choices []int
	text    string
	terms   int  // terminals of the text
	it      item // it.sp is nil where there is none
	level   int  // rules nested around it within the slot that is drawn at
}

// outcome is one of the exclusive results of a draw: the set of derivations
// that its pieces, in order, have together.
type outcome struct {
	sp     *space
	pieces []piece
	weight *big.Int // exact number of derivations; nil where numbers are approximate
	order  int      // when it was made: ties are taken in order
	depth  int      // of the rules unfolded in it, nested
}

// outcomesOf lists the outcomes of one draw from an item. Beginning with the item
// itself, the likeliest outcome is split as long as there are few enough: as in
// Tunstall's code (1967), that gives the most text for each draw. Where numbers are
// approximate, the first is split instead: the draws must not depend on precision.
func (s *slots) outcomesOf(it item, exact bool) ([]*outcome, error) {
	root := &outcome{sp: it.sp, pieces: []piece{{it: it}}}
	if exact {
		w, err := it.sp.nums.exact(it.id, it.step)
		if err != nil {
			return nil, err
		}
		root.weight = w
	}
	var done []*outcome
	open := &outcomeHeap{exact: exact}
	if err := s.settled(root, exact, it, open, &done); err != nil {
		return nil, err
	}
	next := 1
	for len(open.list) > 0 {
		o := open.list[0]
		at := s.splittable(o, it)
		children := expansions(o.pieces[at].it)
		if len(open.list)+len(done)+len(children)-1 > s.limits.outcomes && next > 1 {
			break
		}
		heap.Pop(open)
		for _, child := range children {
			c, err := o.replace(at, child, exact)
			if err != nil {
				return nil, err
			}
			c.order = next
			next++
			if err := s.settled(c, exact, it, open, &done); err != nil {
				return nil, err
			}
		}
	}
	return append(done, open.list...), nil
}

// settled unfolds the parts of an outcome that need no draw, and puts it with those that
// can be split further or with those that are done.
func (s *slots) settled(o *outcome, exact bool, root item, open *outcomeHeap, done *[]*outcome) error {
	// One way only: as many derivations as before.
	c := &outcome{sp: o.sp, order: o.order, weight: o.weight, depth: o.depth, pieces: make([]piece, 0, len(o.pieces)+8)}
	work := s.work[:0] // pieces to be looked at, the next one last
	for i := len(o.pieces) - 1; i >= 0; i-- {
		work = append(work, o.pieces[i])
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		children, certain := []piece(nil), false
		if p.it.sp != nil {
			children, certain = s.unfold(p.it, root)
		}
		if !certain {
			c.pieces = append(c.pieces, p)
			continue
		}
		for i := len(children) - 1; i >= 0; i-- {
			work = append(work, c.nested(children[i], p.level))
		}
	}
	s.work, o = work, c
	if s.splittable(o, root) >= 0 {
		heap.Push(open, o)
	} else {
		*done = append(*done, o)
	}
	return nil
}

// nested returns a piece that comes of another one, of the given level.
func (o *outcome) nested(p piece, level int) piece {
	p.level += level
	o.depth = max(o.depth, p.level)
	return p
}

// unfold returns the pieces of an item that has one expansion only and does not
// stand finished in a table.
func (s *slots) unfold(it, root item) ([]piece, bool) {
	children, ok := certain(it)
	if !ok {
		return nil, false
	}
	if _, small := s.limits.small(it); small && it != root && !isEmptyLeaf(it) {
		return nil, false
	}
	return children, true
}

// splittable returns the index of the first piece that a further draw would
// split, or -1: terminals and texts that are finished in a table are not split.
func (s *slots) splittable(o *outcome, root item) int {
	for i, p := range o.pieces {
		if p.it.sp == nil || p.it.sp.prog.Nodes[p.it.id].Op == core.Leaf {
			continue
		}
		if _, small := s.limits.small(p.it); small && p.it != root {
			continue
		}
		return i
	}
	return -1
}

func isEmptyLeaf(it item) bool { return it.id == core.Empty }

// certain returns the pieces of an item that has only one expansion.
func certain(it item) ([]piece, bool) {
	node := &it.sp.prog.Nodes[it.id]
	switch {
	case it.id == core.Empty:
		return nil, true
	case node.Op == core.Leaf && node.Effect != core.NoEffect:
		if node.Ways[0].N > 1 {
			return nil, false
		}
		p := piece{text: string(it.sp.syms.append(nil, node, 0)), terms: leafTerms(node)}
		if v := it.sp.prog.Choice(node, it.step, 0); v >= 0 {
			p.choices = []int{v}
		}
		return []piece{p}, true
	case node.Op == core.Leaf && node.Expr.Op == grammar.Lit:
		return []piece{{text: string(it.sp.syms.literal(nil, node.Expr.Text)), terms: leafTerms(node)}}, true
	case node.Op == core.Leaf:
		return nil, false
	case node.Op == core.Call, node.Op == core.Prod && it.sp.byDepth():
		return expansions(it)[0], true
	}
	if severalWays(it) {
		return nil, false
	}
	if children := expansions(it); len(children) == 1 {
		return children[0], true
	}
	return nil, false
}

// severalWays reports whether a union or product has more than one expansion.
func severalWays(it item) bool {
	sp, node := it.sp, &it.sp.prog.Nodes[it.id]
	ways := 0
	if node.Op == core.Union {
		for _, k := range node.Children {
			if sp.nums.has(k, it.step) {
				ways++
			}
			if ways > 1 {
				return true
			}
		}
		return false
	}
	a, b := node.Children[0], node.Children[1]
	for n := 0; n <= it.step && ways < 2; n++ {
		if sp.nums.has(a, n) && sp.nums.has(b, it.step-n) {
			ways++
		}
	}
	return ways > 1
}

// expansions returns, in a fixed order, the pieces that each way of expanding an
// inner node by one step leaves; ways without a derivation are left out.
func expansions(it item) [][]piece {
	sp, node := it.sp, &it.sp.prog.Nodes[it.id]
	var out [][]piece
	switch node.Op {
	case core.Call:
		out = append(out, []piece{{it: item{sp, node.Children[0], sp.prog.Back(node, it.step)}, level: node.Level}})
	case core.Union:
		for i, k := range node.Children {
			if !sp.nums.has(k, it.step) {
				continue
			}
			child := []piece{{it: item{sp, k, it.step}}}
			if node.Values != nil {
				child = append([]piece{{choices: node.Values[i : i+1 : i+1]}}, child...)
			}
			out = append(out, child)
		}
	case core.Prod:
		a, b := node.Children[0], node.Children[1]
		if sp.byDepth() {
			return [][]piece{{{it: item{sp, a, it.step}}, {it: item{sp, b, it.step}}}}
		}
		for n := range it.step + 1 {
			if sp.nums.has(a, n) && sp.nums.has(b, it.step-n) {
				out = append(out, []piece{{it: item{sp, a, n}}, {it: item{sp, b, it.step - n}}})
			}
		}
	}
	return out
}

// replace returns the outcome with piece at replaced by others.
func (o *outcome) replace(at int, by []piece, exact bool) (*outcome, error) {
	c := &outcome{sp: o.sp, order: o.order, depth: o.depth, pieces: make([]piece, 0, len(o.pieces)+len(by))}
	c.pieces = append(c.pieces, o.pieces[:at]...)
	for _, p := range by {
		c.pieces = append(c.pieces, c.nested(p, o.pieces[at].level))
	}
	c.pieces = append(c.pieces, o.pieces[at+1:]...)
	if exact {
		c.weight = big.NewInt(1)
		for _, p := range c.pieces {
			if p.it.sp == nil {
				continue
			}
			w, err := p.it.sp.nums.exact(p.it.id, p.it.step)
			if err != nil {
				return nil, err
			}
			c.weight.Mul(c.weight, w)
		}
	}
	return c, nil
}

// outcomeHeap has the likeliest outcome first, or the oldest.
type outcomeHeap struct {
	list  []*outcome
	exact bool
}

func (h *outcomeHeap) Len() int { return len(h.list) }
func (h *outcomeHeap) Less(i, j int) bool {
	a, b := h.list[i], h.list[j]
	if h.exact {
		if c := a.weight.Cmp(b.weight); c != 0 {
			return c > 0
		}
	}
	return a.order < b.order
}
func (h *outcomeHeap) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *outcomeHeap) Push(x any)    { h.list = append(h.list, x.(*outcome)) }
func (h *outcomeHeap) Pop() any {
	last := len(h.list) - 1
	o := h.list[last]
	h.list = h.list[:last]
	return o
}
