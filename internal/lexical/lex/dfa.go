package lex

import (
	"encoding/binary"
	"slices"
)

// dead is the target of a missing transition.
const dead int32 = -1

// dfa is a deterministic automaton over an alphabet. State 0 is the start; a
// dfa always has it, even when it accepts nothing.
type dfa struct {
	al     *alphabet
	next   []int32 // next[s*size+c], or dead
	accept []bool
}

func (d *dfa) len() int { return len(d.accept) }

func (d *dfa) row(s int32) []int32 {
	k := d.al.size()
	return d.next[int(s)*k : int(s)*k+k]
}

func (d *dfa) addState(accept bool) int32 {
	from := len(d.next)
	if to := from + d.al.size(); to > cap(d.next) {
		d.room(max(2*len(d.accept), 4))
	}
	d.next = d.next[:from+d.al.size()]
	for i := from; i < len(d.next); i++ {
		d.next[i] = dead
	}
	d.accept = append(d.accept, accept)
	return int32(len(d.accept) - 1)
}

// room grows the capacity of next to the given number of states.
func (d *dfa) room(states int) {
	d.next = append(make([]int32, 0, states*d.al.size()), d.next...)
}

// edge is all the symbols that lead from one state to another.
type edge struct {
	syms []sym
	to   int32
}

// edges returns the transitions of s by target, in the order of their first symbols.
func (d *dfa) edges(s int32) []edge {
	var out []edge
	last := -1 // adjacent symbols mostly lead to the same state
	for c, to := range d.row(s) {
		if to == dead {
			continue
		}
		if last < 0 || out[last].to != to {
			last = slices.IndexFunc(out, func(e edge) bool { return e.to == to })
			if last < 0 {
				last = len(out)
				out = append(out, edge{to: to})
			}
		}
		out[last].syms = append(out[last].syms, sym(c))
	}
	return out
}

// subset is the working state of the subset construction.
type subset struct {
	n       *nfa
	mark    []uint32 // by NFA state (times two if flags is set): the last round that visited it
	round   uint32
	targets [][]int32 // by symbol
	ids     map[string]int32
	sets    [][]int32
	d       *dfa
	key     []byte
	stack   []int32 // scratch of closure
	flags   bool    // members are state numbers times two plus a flag
}

// determinize returns the minimal deterministic automaton of the texts that n reads from
// start to its final state. In an automaton with non-greedy loops, preference decides as
// in ANTLR's lexer: see [nfa.ordered].
func (n *nfa) determinize(start int32) (*dfa, error) {
	if n.lazy {
		return n.ordered(start)
	}
	return n.plain(start)
}

// plain is the subset construction without preferences.
func (n *nfa) plain(start int32) (*dfa, error) {
	d, err := n.subsets(start, nil)
	if err != nil {
		return nil, err
	}
	return d.minimize(), nil
}

// subsets is the subset construction. If visit is not nil, it is called with the NFA
// states of every state, in the order of the states' numbers.
func (n *nfa) subsets(start int32, visit func([]int32)) (*dfa, error) {
	if visit == nil && n.straight() {
		return n.chain(start)
	}
	b := &subset{n: n, mark: make([]uint32, len(n.states)), targets: make([][]int32, n.al.size()),
		ids: make(map[string]int32), d: &dfa{al: n.al}}
	b.round++
	first := b.closure(nil, start)
	slices.Sort(first)
	b.intern(first)
	var touched []sym
	var set []int32
	for s := 0; s < len(b.sets); s++ {
		if s > maxDFA {
			return nil, errTooLarge
		}
		if visit != nil {
			visit(b.sets[s])
		}
		for _, q := range b.sets[s] {
			for _, c := range n.states[q].syms {
				if c == noSym {
					continue
				}
				if len(b.targets[c]) == 0 {
					touched = append(touched, c)
				}
				b.targets[c] = append(b.targets[c], n.states[q].next)
			}
		}
		for _, c := range touched {
			b.round++
			set = set[:0]
			for _, q := range b.targets[c] {
				set = b.closure(set, q)
			}
			b.targets[c] = b.targets[c][:0]
			slices.Sort(set)
			to := b.intern(set)
			b.d.row(int32(s))[c] = to
		}
		touched = touched[:0]
	}
	return b.d, nil
}

// straight reports whether every state reads: then each state has exactly one successor.
func (n *nfa) straight() bool {
	return !slices.ContainsFunc(n.states[1:], func(s nstate) bool { return s.eps != nil })
}

// chain is the subset construction for a straight automaton, as of a keyword.
func (n *nfa) chain(start int32) (*dfa, error) {
	d := &dfa{al: n.al}
	d.room(len(n.states))
	for q := start; ; q = n.states[q].next {
		s := d.addState(q == 0)
		if int(s) > maxDFA {
			return nil, errTooLarge
		}
		reads := false
		if q != 0 {
			for _, c := range n.states[q].syms {
				if c != noSym {
					reads = true
					d.row(s)[c] = s + 1
				}
			}
		}
		if !reads {
			return d, nil
		}
	}
}

// closure adds to set the states that can be reached from q without reading. Only states
// that read and the final state are added.
func (b *subset) closure(set []int32, q int32) []int32 {
	stack := append(b.stack[:0], q)
	defer func() { b.stack = stack }()
	for len(stack) > 0 {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b.mark[q] == b.round {
			continue
		}
		b.mark[q] = b.round
		if s := &b.n.states[q]; s.eps != nil {
			stack = append(stack, s.eps...)
		} else {
			set = append(set, q)
		}
	}
	return set
}

// intern returns the number of the state with these members. It keeps a copy of set.
func (b *subset) intern(set []int32) int32 {
	b.key = b.key[:0]
	for _, q := range set {
		b.key = binary.LittleEndian.AppendUint32(b.key, uint32(q))
	}
	if id, ok := b.ids[string(b.key)]; ok {
		return id
	}
	final := false
	for _, q := range set {
		final = final || q == 0 || b.flags && q == 1
	}
	id := b.d.addState(final)
	b.ids[string(b.key)] = id
	b.sets = append(b.sets, slices.Clone(set))
	return id
}

// live returns, by state, whether it can reach acceptance.
func (d *dfa) live() []bool {
	live := make([]bool, d.len())
	var stack []int32
	for s, acc := range d.accept {
		if acc {
			live[s] = true
			stack = append(stack, int32(s))
		}
	}
	from := d.reversed()
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range from.of(s) {
			if !live[p] {
				live[p] = true
				stack = append(stack, p)
			}
		}
	}
	return live
}

// reverse is the reversed transition relation: the predecessors of every state.
type reverse struct {
	begin  []int32 // by state: where its predecessors begin in states; one more at the end
	states []int32
}

func (r *reverse) of(s int32) []int32 { return r.states[r.begin[s]:r.begin[s+1]] }

// newReverse reverses the steps between n states. A predecessor may occur several times.
func newReverse(n int, steps func(f func(s, to int32))) *reverse {
	r := &reverse{begin: make([]int32, n+1)}
	steps(func(_, to int32) { r.begin[to]++ })
	total := int32(0)
	for s, n := range r.begin {
		total += n
		r.begin[s] = total
	}
	r.states = make([]int32, total)
	steps(func(s, to int32) {
		r.begin[to]--
		r.states[r.begin[to]] = s
	})
	return r
}

// reversed returns the predecessors of each state.
func (d *dfa) reversed() *reverse { return newReverse(d.len(), d.steps) }

// steps calls f for every transition. Adjacent symbols with the same target count once.
func (d *dfa) steps(f func(s, to int32)) {
	for s := range int32(d.len()) {
		last := dead
		for _, to := range d.row(s) {
			if to != dead && to != last {
				f(s, to)
			}
			last = to
		}
	}
}

// empty reports whether d accepts nothing. Every state of d has to be reachable.
func (d *dfa) empty() bool { return !slices.Contains(d.accept, true) }

// equal reports whether two minimized automata accept the same texts.
func (d *dfa) equal(o *dfa) bool {
	return slices.Equal(d.accept, o.accept) && slices.Equal(d.next, o.next)
}

// product is the product automaton of a and b. A pair of states accepts if keep says so.
// keep has to be false where a does not accept: pairs in which a is dead are left out.
func product(a, b *dfa, keep func(a, b bool) bool) (*dfa, error) {
	type pair struct{ a, b int32 }
	out := &dfa{al: a.al}
	ids := map[pair]int32{}
	var queue []pair
	visit := func(p pair) int32 {
		id, ok := ids[p]
		if !ok {
			id = out.addState(keep(a.accept[p.a], p.b != dead && b.accept[p.b]))
			ids[p] = id
			queue = append(queue, p)
		}
		return id
	}
	visit(pair{0, 0})
	for i := 0; i < len(queue); i++ {
		if i > maxDFA {
			return nil, errTooLarge
		}
		p := queue[i]
		for c, to := range a.row(p.a) {
			if to == dead {
				continue
			}
			q := pair{to, dead}
			if p.b != dead {
				q.b = b.row(p.b)[c]
			}
			id := visit(q)
			out.row(int32(i))[c] = id
		}
	}
	return out, nil
}
