package reduce

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// exhaustiveBytes bounds the bytes of a place, and exhaustiveTries the derivations
// tried there by the pass.
const (
	exhaustiveBytes = 24
	exhaustiveTries = 256
)

// exhaustivePass tries all smaller derivations, smallest first, at every place of the tree that
// has few of them. If none keeps the property, the place is certified. With hooks it does
// nothing, since names cannot be counted.
func exhaustivePass(s *search) error { return s.exhaustive(exhaustiveTries, math.MaxInt) }

// exhaustiveMore is the same with all remaining calls of certify.
func exhaustiveMore(s *search) error {
	if s.best.tree == nil {
		return nil
	}
	if n := s.certifyCalls(); n > exhaustiveTries {
		return s.exhaustive(n, n)
	}
	return nil
}

// exhaustive tries at most each derivations for a place, and inAll for all places.
func (s *search) exhaustive(each, inAll int) error {
	if s.o.Derive.Hooks != nil {
		return nil
	}
	table, err := s.smallTable()
	if table == nil || err != nil {
		return err
	}
	before := s.best
	v := s.bestView()
	places, err := s.exhaustivePlaces(v, table, each)
	if err != nil {
		return err
	}
	var es []edit
	for i, p := range places {
		inAll -= len(p.smaller)
		if inAll < 0 {
			places = places[:i]
			break
		}
		n := &v.tree.Nodes()[p.node]
		for _, q := range p.smaller {
			e := newEdit(v.put(v.from[p.node], v.to[p.node], n.From, n.To, q))
			es = append(es, e)
		}
	}
	if err := s.tryEdits(es, s.treeBuilder(v)); err != nil || s.best != before {
		return err // after a success the fixed point runs this pass again
	}
	for _, p := range places {
		s.certify(Certificate{Claim: "smaller derivations", Rule: v.rule(p.node).Name, Text: string(v.text[v.from[p.node]:v.to[p.node]]), Tried: len(p.smaller)})
	}
	return nil
}

// place is a node of the tree with all smaller derivations of its rule, the
// smallest first.
type place struct {
	node    int
	smaller []piece
}

// smallTable counts the derivations of all rules by bytes. It returns nil for a
// grammar that cannot be counted.
func (s *search) smallTable() (*core.Table, error) {
	if s.table == nil && !s.uncountable {
		o := count.Options{Mask: s.machine.Facts().Mask, Measure: grammar.Exact, MaxMemory: 64 << 20}
		b := count.Sizes(0, max(exhaustiveBytes, s.machine.Facts().Size(s.best.tree.Grammar.Root, grammar.Bytes, grammar.Any)), grammar.Bytes)
		if b.Max > 8*exhaustiveBytes {
			s.uncountable = true
			return nil, nil
		}
		table, err := count.New(s.ctx, s.best.tree.Grammar, b, o)
		s.table = (*core.Table)(table)
		if err != nil {
			if s.ctx.Err() != nil {
				return nil, err
			}
			s.uncountable = true // infinitely many, or too many to count
			return nil, nil
		}
	}
	return s.table, nil
}

// exhaustivePlaces returns the places with few smaller derivations, the fewest
// first.
func (s *search) exhaustivePlaces(v *treeView, t *core.Table, each int) ([]place, error) {
	var ps []place
	for i := range v.tree.Nodes() {
		r := v.rule(i)
		if r == nil || r.Inline || !v.visible[i] || v.to[i]-v.from[i] > exhaustiveBytes {
			continue
		}
		text := string(v.text[v.from[i]:v.to[i]])
		size := len(v.tree.SubText(i)) // layout does not count
		all, err := s.derivations(v, t, i, size, each)
		if err != nil {
			return nil, err
		}
		p := place{node: i}
		for _, q := range all {
			if len(q.text) < len(text) || len(q.text) == len(text) && q.text < text {
				p.smaller = append(p.smaller, q)
			}
		}
		if len(all) > 0 {
			ps = append(ps, p)
		}
	}
	slices.SortStableFunc(ps, func(a, b place) int { return len(a.smaller) - len(b.smaller) })
	return ps, nil
}

// derivations returns all derivations of node i's rule up to a size, the smallest
// first. It returns none if they are too many.
func (s *search) derivations(v *treeView, t *core.Table, i, size, most int) ([]piece, error) {
	n := &v.tree.Nodes()[i]
	id := t.Program().NodeOf(n.Expr)
	sum := new(big.Int)
	for k := 0; k <= size; k++ {
		sum.Add(sum, t.Count(id, k))
	}
	if id == core.None || sum.Cmp(big.NewInt(int64(most))) > 0 {
		return nil, nil
	}
	all := s.pieces[n.Expr.Rule]
	if int64(len(all)) >= sum.Int64() {
		return all[:sum.Int64()], nil
	}
	all = nil
	base := v.tree.Choices()
	for k := 0; k <= size; k++ {
		for rank := int64(0); rank < t.Count(id, k).Int64(); rank++ {
			choices := t.Unrank(id, k, big.NewInt(rank))
			c, err := s.replay(slices.Concat(base[:n.From], choices, base[n.To:]))
			if err != nil {
				return nil, err
			}
			if c == nil || i >= len(c.tree.Nodes()) {
				return nil, nil // not derivable here, within the bounds
			}
			p := pieceOf(c.tree, i)
			p.choices = choices
			all = append(all, p)
		}
	}
	s.pieces[n.Expr.Rule] = all
	return all, nil
}

// pieceOf returns the text of node i of a tree, with its inner layout.
func pieceOf(t *derive.Tree, i int) piece {
	var p piece
	for k := i; k < t.Nodes()[i].End; k++ {
		if t.Gaps() != nil && p.text != "" {
			p.text, p.gaps = p.text+t.Gaps()[k], p.gaps+strings.Repeat("1", len(t.Gaps()[k]))
		}
		leaf := t.Nodes()[k].AppendText(nil)
		p.text, p.gaps = p.text+string(leaf), p.gaps+strings.Repeat("0", len(leaf))
	}
	return p
}
