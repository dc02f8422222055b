package parse

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Forest is the set of all trees of one text, packed. It is for its parser's goroutine only.
//
// The canonical tree is tree 0. Its choice sequence comes first in lexicographic order: at the
// first difference from another tree, it takes the alternative written first, or ends the
// repetition. The annotations @prec and @prefer take precedence over that order, and repetitions
// of ANTLR's grammars go on where they can. Conflicts that levels of @prec settle wherever they
// arise are settled for good: trees that do without the other actions go before all others.
type Forest struct {
	packed
	p      *Parser
	t      *table       // that it was read by: for one tree, perhaps that without settled conflicts
	all    *Forest      // with all trees, where t has not all, when they were asked for
	head   *derive.Tree // then the canonical tree
	moved  bool         // and it is not the first of all
	text   string
	tokens []token
	lexed  bool
	root   int32 // -1: the empty text

	counted bool
	ordered bool
	counts  []*big.Int        // by node: the number of its trees in all ways; nil: one each
	insides map[int32]*Forest // with measure exact: by token

	digests      []digest // by node: of its canonical tree
	emptyDigests []digest // by empty nonterminal
	compared     [2]sequence
	sums         []sum // by node, where the grammar has preferences
	ups          [2]bottomUp

	binary *binaryTrees // of a binary grammar; nil: the trees are packed
}

var one = big.NewInt(1)

// Count returns the number of trees, which the caller must not change. It is free for a
// deterministic grammar; otherwise it takes time linear in the forest times the length of the
// numbers. The error is the context's.
func (f *Forest) Count(ctx context.Context) (*big.Int, error) {
	if f.binary != nil {
		return f.binary.count(ctx)
	}
	f, err := f.whole(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.settle(ctx, false); err != nil {
		return nil, err
	}
	if f.root < 0 {
		return f.t.emptyCounts[f.t.rootEmpty], nil
	}
	return f.count(f.root), nil
}

// Tree returns the canonical tree. It takes time linear in the tree; for an ambiguous text,
// the time to compare its trees comes on top. It fails with [ErrMemory] and with the context's
// error.
func (f *Forest) Tree(ctx context.Context) (*derive.Tree, error) {
	if f.binary != nil {
		return f.At(ctx, new(big.Int))
	}
	if err := f.settle(ctx, true); err != nil {
		return nil, err
	}
	return f.tree(ctx, nil)
}

// Outline returns the canonical tree down to its tokens, in a fraction of the time of
// [Forest.Tree]. Each token is a leaf with its text, like a name ([derive.Node.Name]).
// An outline has no choices. In a grammar without tokens its leaves are characters.
func (f *Forest) Outline(ctx context.Context) (*derive.Tree, error) {
	if f.binary != nil {
		return f.At(ctx, new(big.Int))
	}
	if err := f.settle(ctx, true); err != nil {
		return nil, err
	}
	return f.build(&treeBuilder{ctx: ctx, p: f.p, text: f, outline: true}, nil)
}

// At returns tree number i, 0 ≤ i < Count; tree 0 is the canonical one.
func (f *Forest) At(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	if err := f.ready(ctx); err != nil {
		return nil, err
	}
	return f.at(ctx, i)
}

// ready prepares for [Forest.at].
func (f *Forest) ready(ctx context.Context) error {
	if f.binary != nil {
		return nil
	}
	w, err := f.whole(ctx)
	if err == nil {
		err = w.settle(ctx, true)
	}
	if err == nil {
		err = w.settle(ctx, false)
	}
	if err != nil || w == f || f.head != nil {
		return err
	}
	f.head, err = f.Tree(ctx)
	if err != nil {
		return err
	}
	first, err := w.tree(ctx, nil)
	f.moved = err == nil && !slices.Equal(first.Choices(), f.head.Choices())
	return err
}

// at returns tree number i of a forest that is ready. Where the first tree by settled conflicts is
// not the first of all, the two change places.
func (f *Forest) at(ctx context.Context, i *big.Int) (*derive.Tree, error) {
	switch {
	case f.binary != nil:
		return f.binary.at(ctx, i)
	case f.head == nil:
		return f.tree(ctx, i)
	case i.Sign() == 0:
		return f.head, nil
	}
	t, err := f.all.tree(ctx, i)
	if err == nil && f.moved && slices.Equal(t.Choices(), f.head.Choices()) {
		return f.all.tree(ctx, nil)
	}
	return t, err
}

// All iterates over all trees, the canonical one first. It ends after the first error.
func (f *Forest) All(ctx context.Context) iter.Seq2[*derive.Tree, error] {
	return func(yield func(*derive.Tree, error) bool) {
		n, err := f.Count(ctx)
		if err == nil {
			err = f.ready(ctx)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for i := new(big.Int); i.Cmp(n) < 0; i.Add(i, one) {
			t, err := f.at(ctx, i)
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Uniform returns a tree drawn uniformly at random, given ideal random bits.
func (f *Forest) Uniform(ctx context.Context, src rand.Source) (*derive.Tree, error) {
	w, err := f.whole(ctx)
	if err != nil {
		return nil, err
	}
	n, err := w.Count(ctx)
	if err != nil {
		return nil, err
	}
	return w.at(ctx, below(src, n))
}

// below draws a uniform number from 0 … n-1 by rejection.
func below(src rand.Source, n *big.Int) *big.Int {
	bits := new(big.Int).Sub(n, one).BitLen()
	for {
		i, word := new(big.Int), new(big.Int)
		for have := 0; have < bits; have += 64 {
			w := src.Uint64()
			if need := bits - have; need < 64 {
				w >>= 64 - need
			}
			i.Lsh(i, uint(min(64, bits-have))).Or(i, word.SetUint64(w))
		}
		if i.Cmp(n) < 0 {
			return i
		}
	}
}

// offset returns the offset in the text, in bytes, of a terminal's place.
func (f *Forest) offset(place int32) int {
	if f.lexed {
		return int(f.tokens[place].start)
	}
	return int(place)
}

// Text returns the text that was parsed.
func (f *Forest) Text() string { return f.text }

// settle visits the nodes from the leaves up. It counts the trees of every node, or, with
// order, puts the canonical way of each node first.
func (f *Forest) settle(ctx context.Context, order bool) error {
	exact := f.lexed && f.p.o.Measure == grammar.Exact
	done := order && f.ordered || !order && f.counted
	if done || f.root < 0 || !f.ambiguous && (order || !f.t.manyEmpties) && !exact {
		return nil
	}
	if order {
		f.digests = make([]digest, len(f.nodes))
		if f.p.prefs != nil {
			f.sums = make([]sum, len(f.nodes))
		}
	} else {
		f.counts = make([]*big.Int, len(f.nodes))
	}
	err := f.fromLeaves(ctx, sizeOf[digest](), func(head int32) error {
		for id := head; exact && id >= 0; id = f.nodes[id].next {
			rhs := f.t.prods[f.nodes[id].prod].rhs
			for i, k := range f.childrenOf(id) {
				if k >= 0 || f.t.terms[^rhs[i]].expr.Op != grammar.Ref {
					continue
				}
				if _, err := f.inside(ctx, f.t.terms[^rhs[i]].expr.Rule, ^k, nil); err != nil {
					return err
				}
			}
		}
		if order {
			f.orderNode(head)
		} else {
			f.countNode(head)
		}
		return nil
	})
	switch {
	case err != nil:
	case order:
		f.ordered, f.digests, f.emptyDigests, f.sums = true, nil, nil, nil
	default:
		f.counted = true
	}
	return err
}

// fromLeaves calls do with each node, after its children; bytes is the memory it asks for per
// node.
func (f *Forest) fromLeaves(ctx context.Context, bytes int64, do func(head int32) error) error {
	type visit struct {
		head int32
		open bool
	}
	seen := make([]bool, len(f.nodes))
	stack := []visit{{f.root, false}}
	for n := int64(0); len(stack) > 0; n++ {
		if n&0xfff == 0xfff {
			if err := f.p.check(ctx, f.memory()+n*bytes); err != nil {
				return err
			}
		}
		v := &stack[len(stack)-1]
		head := v.head
		if v.open || seen[head] {
			stack = stack[:len(stack)-1]
			if seen[head] {
				continue
			}
			seen[head] = true
			if err := do(head); err != nil {
				return err
			}
			continue
		}
		v.open = true
		for id := head; id >= 0; id = f.nodes[id].next {
			for _, k := range f.childrenOf(id) {
				if k >= 0 && !seen[k] {
					stack = append(stack, visit{k, false})
				}
			}
		}
	}
	return nil
}

func (f *Forest) childrenOf(id int32) []int32 {
	n := &f.nodes[id]
	return f.children[n.children : int(n.children)+len(f.t.prods[n.prod].rhs)]
}

// countNode counts the trees of a node whose children are counted.
func (f *Forest) countNode(head int32) {
	f.counts[head] = f.ways(head)
	if f.nodes[head].next >= 0 {
		sum := new(big.Int)
		for id := head; id >= 0; id = f.nodes[id].next {
			sum.Add(sum, f.ways(id))
		}
		f.counts[head] = sum
	}
}

// orderNode puts the canonical way of a node first. Its children must be in order.
func (f *Forest) orderNode(head int32) {
	best := head
	for id := f.nodes[head].next; id >= 0; id = f.nodes[id].next {
		if f.goesBefore(id, best) {
			best = id
		}
	}
	h, b := &f.nodes[head], &f.nodes[best]
	h.prod, b.prod = b.prod, h.prod
	h.children, b.children = b.children, h.children
	f.digests[head] = f.digestSteps(f.t.prods[h.prod].steps, f.childrenOf(head))
	if f.sums != nil {
		f.sums[head] = f.sumOf(head)
	}
}

// count returns the number of trees of a node in all ways.
func (f *Forest) count(head int32) *big.Int {
	if f.counts == nil || f.counts[head] == nil {
		return one
	}
	return f.counts[head]
}

// ways returns the number of trees of one way of a node.
func (f *Forest) ways(id int32) *big.Int {
	return f.product(&f.t.prods[f.nodes[id].prod], f.childrenOf(id))
}

func (f *Forest) product(p *production, children []int32) *big.Int {
	n := one
	for i := range p.steps {
		if c := f.stepCount(&p.steps[i], children); c != one {
			if n == one {
				n = c
			} else {
				n = new(big.Int).Mul(n, c)
			}
		}
	}
	return n
}

// stepCount returns the number of ways to make a step.
func (f *Forest) stepCount(s *step, children []int32) *big.Int {
	switch s.op {
	case opChild:
		return f.count(children[s.arg])
	case opEmpty:
		return f.t.emptyCounts[s.arg]
	case opToken:
		if in := f.insides[^children[s.arg]]; in != nil {
			return in.count(in.root)
		}
	}
	return one
}
