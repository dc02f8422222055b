package parse

import (
	"context"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/base/graphs"
)

// table is an LALR(1) table. An action is 0 (error), n > 0 (shift to state n),
// n < 0 (reduce production ^n, where production 0 … are those of the start), or,
// from conflictBase on, a list of several.
type table struct {
	*automaton
	actions   []int32
	conflicts [][]int32
	det       bool    // there are no conflicts
	dense     []int32 // transitions under nonterminals, [state*nonterminals+nt]; nil where too large

	emptyCounts []*big.Int // by empty nonterminal: its number of derivations; the pointer one where it is 1
	emptyOrder  []int32    // empty nonterminals, each after its parts
	manyEmpties bool       // some counts are not 1
}

const (
	conflictBase = 1 << 30
	maxDense     = 8 << 20
)

// bitset is a set of symbols.
type bitset []uint64

func (b bitset) add(i int32) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) union(c bitset) {
	for i, w := range c {
		b[i] |= w
	}
}

// lalr computes lookaheads by the method of DeRemer and Pennello (Efficient Computation of
// LALR(1) Look-Ahead Sets, 1982). No production is empty, so their relation "reads" is empty,
// and "includes" looks at last symbols only.
type lalr struct {
	*automaton
	first    []int32 // by state: the number of its first nonterminal transition
	from     []int32 // by transition: the state it leaves
	follow   []bitset
	includes [][]int32
	look     map[[2]int32]bitset // by state and production: its lookahead
}

func newTable(ctx context.Context, a *automaton) (*table, error) {
	l := &lalr{automaton: a, look: map[[2]int32]bitset{}}
	l.transitions()
	lookbacks, err := l.relate(ctx)
	if err != nil {
		return nil, err
	}
	l.digraph()
	for _, lb := range lookbacks {
		at := [2]int32{lb.state, lb.prod}
		if l.look[at] == nil {
			l.look[at] = l.newSet()
		}
		l.look[at].union(l.follow[lb.trans])
	}
	t := &table{automaton: a, actions: slices.Clone(a.shifts)}
	t.enter(l.look)
	t.spread()
	t.det = len(t.conflicts) == 0
	t.countEmpties()
	return t, nil
}

func (l *lalr) newSet() bitset { return make(bitset, (l.alpha.size+63)/64) }

// transitions numbers the nonterminal transitions and finds the symbols that may follow each.
// Number 0 is that of the start nonterminal, which no state has.
func (l *lalr) transitions() {
	end := l.newSet()
	end.add(symEnd)
	l.follow, l.from = []bitset{end}, []int32{0}
	for s := range l.kernels {
		l.first = append(l.first, int32(len(l.follow)))
		for _, e := range l.gotos[s] {
			set := l.newSet()
			for sym, to := range l.row(e.to) {
				if to != 0 {
					set.add(int32(sym))
				}
			}
			l.follow, l.from = append(l.follow, set), append(l.from, int32(s))
		}
	}
	l.includes = make([][]int32, len(l.follow))
}

// number returns the number of the transition of state s under nt.
func (l *lalr) number(s, nt int32) int32 {
	return l.first[s] + int32(l.index(s, nt))
}

type lookback struct{ state, prod, trans int32 }

// relate follows every production from every state that begins it.
func (l *lalr) relate(ctx context.Context) ([]lookback, error) {
	var lookbacks []lookback
	var states, next []int32
	follow := func(s, nt, trans int32) {
		for _, p := range l.byLeft[nt] {
			states = append(states[:0], s)
			rhs := l.prods[p].rhs
			for i, x := range rhs {
				if x >= 0 && i == len(rhs)-1 {
					for _, q := range states {
						n := l.number(q, x)
						l.includes[n] = append(l.includes[n], trans)
					}
				}
				next = l.walk(next[:0], states, x)
				states, next = next, states
			}
			for _, q := range states {
				lookbacks = append(lookbacks, lookback{q, p, trans})
			}
		}
	}
	follow(0, 0, 0)
	for s := range l.kernels {
		if s&0xff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for i, e := range l.gotos[s] {
			follow(int32(s), e.sym, l.first[s]+int32(i))
		}
	}
	return lookbacks, nil
}

// digraph propagates follow along includes; a component has one set.
func (l *lalr) digraph() {
	for _, c := range graphs.Components(len(l.follow), func(i int32) []int32 { return l.includes[i] }) {
		set := l.follow[c[0]]
		for _, i := range c {
			set.union(l.follow[i])
			for _, k := range l.includes[i] {
				set.union(l.follow[k])
			}
			l.follow[i] = set
		}
	}
}

// enter writes the reductions into the table.
func (t *table) enter(look map[[2]int32]bitset) {
	for _, k := range slices.SortedFunc(maps.Keys(look), func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) }) {
		for i, w := range look[k] {
			for ; w != 0; w &= w - 1 {
				sym := int32(i<<6 + bits.TrailingZeros64(w))
				t.add(k[0], sym, ^k[1])
			}
		}
	}
}

func (t *table) add(state, sym, action int32) {
	cell := &t.actions[int(state)*t.alpha.size+int(sym)]
	switch {
	case *cell == 0:
		*cell = action
	case *cell >= conflictBase:
		t.conflicts[*cell-conflictBase] = append(t.conflicts[*cell-conflictBase], action)
	default:
		t.conflicts = append(t.conflicts, []int32{*cell, action})
		*cell = conflictBase + int32(len(t.conflicts)-1)
	}
}

// spread builds the table of transitions under nonterminals where it is small.
func (t *table) spread() {
	n := len(t.nonterms)
	if len(t.kernels)*n > maxDense {
		return
	}
	t.dense = make([]int32, len(t.kernels)*n)
	for s, es := range t.gotos {
		for _, e := range es {
			t.dense[s*n+int(e.sym)] = e.to
		}
	}
}

// next is to by the fastest available way.
func (t *table) next(s, nt int32) int32 {
	if t.dense != nil {
		return t.dense[int(s)*len(t.nonterms)+int(nt)]
	}
	return t.to(s, nt)
}

// list returns the actions of a state under a symbol.
func (t *table) list(state, sym int32, buf *[1]int32) []int32 {
	act := t.actions[int(state)*t.alpha.size+int(sym)]
	switch {
	case act == 0:
		return nil
	case act >= conflictBase:
		return t.conflicts[act-conflictBase]
	}
	buf[0] = act
	return buf[:]
}
