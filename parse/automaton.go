package parse

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

const itemEnd = int32(-1 << 31) // stands for the symbol after the dot of a complete item

// edge is a transition of the automaton under a nonterminal.
type edge struct{ sym, to int32 }

// automaton is the LR(0) automaton of the productions.
type automaton struct {
	*lowering
	alpha *alphabet

	base    []int32 // by production: its item with the dot at the beginning
	after   []symbol
	prodOf  []int32   // by item
	byLeft  [][]int32 // by nonterminal: its productions
	kernels [][]int32 // by state: its items, without those at a beginning (except the start's)
	gotos   [][]edge  // by state, sorted by nonterminal
	shifts  []int32   // [state*alpha.size+symbol]: the next state, or 0
}

func newAutomaton(ctx context.Context, l *lowering, alpha *alphabet, budget core.Budget) (*automaton, error) {
	a := &automaton{lowering: l, alpha: alpha, byLeft: make([][]int32, len(l.nonterms))}
	for i := range l.prods {
		p := &l.prods[i]
		a.base = append(a.base, int32(len(a.after)))
		if p.lhs < 0 {
			continue
		}
		a.byLeft[p.lhs] = append(a.byLeft[p.lhs], int32(i))
		for range len(p.rhs) + 1 {
			a.prodOf = append(a.prodOf, int32(i))
		}
		a.after = append(append(a.after, p.rhs...), itemEnd)
	}
	return a, a.build(ctx, budget)
}

// builder is the state of building the automaton.
type builder struct {
	*automaton
	ids     map[string]int32
	key     []byte
	seen    []int32   // by nonterminal: the last state whose closure has it
	queue   []int32   // nonterminals of a closure
	bySym   [][]int32 // by symbol: items after it
	byNT    [][]int32
	touched []symbol
	edges   int // transitions under nonterminals
}

func (a *automaton) build(ctx context.Context, budget core.Budget) error {
	b := &builder{automaton: a, ids: map[string]int32{}, seen: make([]int32, len(a.nonterms)),
		bySym: make([][]int32, a.alpha.size), byNT: make([][]int32, len(a.nonterms))}
	var start []int32
	for _, p := range a.byLeft[0] {
		start = append(start, a.base[p])
	}
	slices.Sort(start)
	b.intern(start)
	for s := 0; s < len(a.kernels); s++ {
		if s&0xf == 0 {
			if err := cmp.Or(budget.Ask("parsing tables", b.bytes()), ctx.Err()); err != nil {
				return err
			}
			if len(a.kernels) > maxStates {
				return fmt.Errorf("%w: its tables have more than %d states", errTooLarge, len(a.kernels))
			}
		}
		b.expand(int32(s))
	}
	return nil
}

// bytes estimates the memory of the tables for the states so far: the actions, which are
// copied once, and one bit of lookahead per symbol for each transition under a nonterminal.
func (b *builder) bytes() float64 {
	return 8*float64(len(b.shifts)) + float64(b.edges)*float64(edgeBytes+b.alpha.size/8)
}

// edgeBytes is the approximate memory of a transition under a nonterminal, without its
// lookahead.
const edgeBytes = 96

// expand makes the transitions of state s.
func (b *builder) expand(s int32) {
	b.queue, b.touched = b.queue[:0], b.touched[:0]
	for _, it := range b.kernels[s] {
		b.advance(it, s)
	}
	for i := 0; i < len(b.queue); i++ {
		for _, p := range b.byLeft[b.queue[i]] {
			b.advance(b.base[p], s)
		}
	}
	var gotos []edge
	for _, x := range b.touched {
		if x < 0 {
			items := b.bySym[^x]
			b.bySym[^x] = items[:0]
			to := b.intern(items)
			b.shifts[int(s)*b.alpha.size+int(^x)] = to
			continue
		}
		items := b.byNT[x]
		b.byNT[x] = items[:0]
		gotos = append(gotos, edge{x, b.intern(items)})
	}
	slices.SortFunc(gotos, func(x, y edge) int { return int(x.sym) - int(y.sym) })
	b.gotos[s] = gotos
	b.edges += len(gotos)
}

// advance enters the successor of an item under each symbol that the item expects.
func (b *builder) advance(it, s int32) {
	switch x := b.after[it]; {
	case x == itemEnd:
	case x < 0:
		for _, sym := range b.terms[^x].syms {
			if len(b.bySym[sym]) == 0 {
				b.touched = append(b.touched, ^sym)
			}
			b.bySym[sym] = append(b.bySym[sym], it+1)
		}
	default:
		if len(b.byNT[x]) == 0 {
			b.touched = append(b.touched, x)
		}
		b.byNT[x] = append(b.byNT[x], it+1)
		if b.seen[x] != s+1 {
			b.seen[x] = s + 1
			b.queue = append(b.queue, x)
		}
	}
}

// intern returns the state with the given kernel.
func (b *builder) intern(items []int32) int32 {
	slices.Sort(items)
	b.key = b.key[:0]
	for _, it := range items {
		b.key = binary.LittleEndian.AppendUint32(b.key, uint32(it))
	}
	id, ok := b.ids[string(b.key)]
	if !ok {
		id = int32(len(b.kernels))
		b.ids[string(b.key)] = id
		b.kernels = append(b.kernels, slices.Clone(items))
		b.gotos = append(b.gotos, nil)
		for range b.alpha.size {
			b.shifts = append(b.shifts, 0)
		}
	}
	return id
}

// row returns the transitions of state s under symbols.
func (a *automaton) row(s int32) []int32 {
	return a.shifts[int(s)*a.alpha.size : (int(s)+1)*a.alpha.size]
}

// to returns the state after nonterminal nt in state s. The transition exists wherever the
// parsers ask for it.
func (a *automaton) to(s, nt int32) int32 {
	return a.gotos[s][a.index(s, nt)].to
}

// index returns the position of the transition of state s under nt.
func (a *automaton) index(s, nt int32) int {
	i, _ := slices.BinarySearchFunc(a.gotos[s], nt, func(e edge, nt int32) int { return int(e.sym) - int(nt) })
	return i
}

// walk appends to out the states that x leads to from states.
func (a *automaton) walk(out, states []int32, x symbol) []int32 {
	for _, s := range states {
		if x >= 0 {
			if to := a.to(s, x); !slices.Contains(out, to) {
				out = append(out, to)
			}
			continue
		}
		last := int32(0)
		row := a.row(s)
		for _, sym := range a.terms[^x].syms {
			if to := row[sym]; to != 0 && to != last && !slices.Contains(out, to) {
				out, last = append(out, to), to
			}
		}
	}
	return out
}
