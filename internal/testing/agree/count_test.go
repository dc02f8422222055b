package agree

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/testing/brute"
)

const (
	most  = 400 // derivations that are listed
	limit = 6   // the greatest size
)

// list holds the derivations of a grammar up to a size, by brute force.
type list struct {
	limit int
	trees [][]string // by size, the texts of the derivations that obey
	texts map[string]bool
}

// brute lists the derivations by size in a unit, up to the greatest limit that fits.
func (s *subject) brute(ctx context.Context, unit grammar.Unit) *list {
	if l, ok := s.listed[int(unit)]; ok {
		return l
	}
	var out *list
	for n := limit; n >= 0 && out == nil; n-- {
		l := &brute.Lister{Facts: s.g.Facts(nil, grammar.Exact), Limit: max(n, 1), Unit: unit, Most: most}
		if all := l.List(s.g.Root, 30); !l.Overflow {
			out = s.obeying(ctx, all, n, unit)
		}
	}
	s.listed[int(unit)] = out
	return out
}

func (s *subject) obeying(ctx context.Context, all []brute.Derivation, n int, unit grammar.Unit) *list {
	out := &list{limit: n, trees: make([][]string, n+1), texts: map[string]bool{}}
	m := derive.NewMachine(s.g, derive.Options{})
	for _, d := range all {
		tree, err := m.Run(ctx, derive.Strict(d.Choices))
		if err != nil {
			s.fail("brute force lists %v, which is no derivation: %v", d.Choices, err)
		}
		if s.names != nil && brute.Obeys(tree, nil) != nil {
			continue
		}
		size := s.size(tree, unit, d.Size[unit])
		if size > n {
			continue
		}
		out.trees[size] = append(out.trees[size], tree.Text())
		out.texts[tree.Text()] = true
	}
	for _, texts := range out.trees {
		slices.Sort(texts)
	}
	return out
}

// size returns the size that a tree listed with a size has when its names are leaves: each is a
// terminal.
func (s *subject) size(tree *derive.Tree, unit grammar.Unit, size int) int {
	if s.names == nil || unit == grammar.Bytes {
		return size
	}
	for i := 0; i < len(tree.Nodes()); i++ {
		n := tree.Nodes()[i]
		if el := (*scope.Names)(s.names).At(n.Expr); el != nil && el.Kind != scope.None {
			for j := i; j < n.End; j++ {
				if len(tree.Nodes()[j].AppendText(nil)) > 0 {
					size--
				}
			}
			size++
			i = n.End - 1
		}
	}
	return size
}

// counted: the number of derivations is that of brute force, by size in each unit; unranking gives
// exactly their texts, the smaller ones first, and ranking gives the rank back.
func counted(ctx context.Context, s *subject) {
	for _, unit := range []grammar.Unit{grammar.Terminals, grammar.Bytes, grammar.Nodes} {
		if unit == grammar.Nodes && s.names != nil {
			continue // what is inside of a name has no nodes
		}
		want := s.brute(ctx, unit)
		if want == nil {
			continue
		}
		for n, texts := range want.trees {
			s.compare(ctx, count.Size(n, unit), texts)
		}
		s.compare(ctx, count.Sizes(0, want.limit, unit), slices.Sorted(slices.Values(slices.Concat(want.trees...))))
	}
	for depth := 1; depth <= 5; depth++ {
		b := count.Bound{Depth: depth, Repeat: 2}
		want, ok := s.everyChoice(ctx, b)
		if !ok {
			break
		}
		s.compare(ctx, b, want)
	}
	if s.disorder != "" && s.ordered() {
		s.fail("%s", s.disorder)
	}
}

// ordered reports whether package count promises that ranks by depth are in the order of choices:
// without names in play, and without elements that must have text although they derive none.
func (s *subject) ordered() bool {
	facts := s.g.Facts(nil, grammar.Exact)
	return s.names == nil && !slices.ContainsFunc(s.g.Exprs, func(e *grammar.Expr) bool {
		return e.Op == grammar.Rep && e.Max < 0 && facts.Size(e.Children[0], grammar.Bytes, grammar.Any) == 0
	})
}

// compare compares a table with the sorted texts of all derivations.
func (s *subject) compare(ctx context.Context, b count.Bound, want []string) {
	s.asked[s.law]++
	table, err := count.New(ctx, s.g, b, count.Options{Measure: grammar.Exact})
	if empty := new(count.EmptyError); errors.As(err, &empty) {
		if len(want) > 0 {
			s.fail("%v: %v, but there are %d, as %q", b, err, len(want), want[0])
		}
		return
	}
	if err != nil {
		s.refuse(err)
		return
	}
	if table.Total().Cmp(big.NewInt(int64(len(want)))) != 0 {
		s.fail("%v: counted %v, listed %d: %.200q", b, table.Total(), len(want), want)
	}
	var got []string
	var last []int
	size, disorder := -1, ""
	for i := range want {
		tree, err := table.Unrank(big.NewInt(int64(i)))
		if err != nil {
			s.fail("%v: unrank %d: %v", b, i, err)
		}
		if back, err := table.Rank(tree); err != nil || back.Int64() != int64(i) {
			s.fail("%v: the rank of unrank %d, %q, is %v, %v", b, i, tree.Text(), back, err)
		}
		got = append(got, tree.Text())
		if b.ByDepth() {
			next := tree.Choices()
			if slices.Compare(last, next) >= 0 && i > 0 && disorder == "" {
				disorder = fmt.Sprintf("%v: rank %d is %v, before it %v", b, i, next, last)
			}
			last = slices.Clone(next)
		} else if n := derive.Size(tree, table.Facts(), b.Unit); n < size || n > b.Max {
			s.fail("%v: rank %d has size %d, behind %d: %q", b, i, n, size, tree.Text())
		} else {
			size = n
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		s.fail("%v: %.300q are listed, %.300q have ranks", b, want, got)
	}
	if disorder != "" {
		s.disorder = disorder
	}
}

// everyChoice returns the sorted texts of the derivations of a bounded machine, found by trying
// every value of every decision; false where there are too many.
func (s *subject) everyChoice(ctx context.Context, b count.Bound) (texts []string, ok bool) {
	facts := s.g.Facts(nil, grammar.Exact)
	if s.names == nil {
		l := &brute.Lister{Facts: facts, Repeat: b.Repeat, Most: most}
		all := l.List(s.g.Root, b.Depth)
		if l.Overflow {
			return nil, false
		}
		m := derive.NewMachine(s.g, derive.Options{})
		for _, d := range all {
			tree, err := m.Run(ctx, derive.Strict(d.Choices))
			if err != nil {
				s.fail("%v: brute force lists %v, which is no derivation: %v", b, d.Choices, err)
			}
			texts = append(texts, tree.Text())
		}
		slices.Sort(texts)
		return texts, true
	}
	m, err := gctx.Machine(s.g, s.names, derive.Options{Facts: facts, MaxDepth: b.Depth, Repeat: b.Repeat})
	if err != nil {
		s.refuse(err)
		return nil, false
	}
	for tree, err := range brute.Runs(ctx, m) {
		if err != nil {
			s.fail("%v: %v", b, err)
		}
		if err := brute.Obeys(tree, nil); err != nil {
			s.fail("%v: the machine makes %q: %v", b, tree.Text(), err)
		}
		texts = append(texts, tree.Text())
		if len(texts) > most {
			return nil, false
		}
	}
	slices.Sort(texts)
	return texts, true
}
