package lex

import (
	"encoding/binary"
	"slices"
)

// minimize returns the least automaton with the same texts: states that cannot
// reach acceptance are gone, and states with the same future are one. State
// numbers follow breadth-first order, so that two automata over one alphabet
// accept the same texts just if they are equal.
func (d *dfa) minimize() *dfa {
	var states []int32
	at := make([]int32, d.len())
	for s, ok := range d.live() {
		at[s] = dead
		if ok {
			at[s] = int32(len(states))
			states = append(states, int32(s))
		}
	}
	return d.least(states, at, func(s int32) bool { return d.accept[s] })
}

// least is minimize where what can reach acceptance is known: states, which at
// numbers; it is dead for the others. accept says which of them accept.
func (d *dfa) least(states, at []int32, accept func(s int32) bool) *dfa {
	if len(states) == 0 || at[0] == dead {
		out := &dfa{al: d.al}
		out.addState(false)
		return out
	}
	r := &refinement{d: d, states: states, at: at}
	r.begin(accept)
	for len(r.dirty) > 0 {
		r.round()
	}
	return r.quotient(accept)
}

// refinement parts states into blocks until those of a block go to the same
// blocks (Moore's refinement). A state is looked at again only when one that it
// leads to came into another block, and the greatest part of a block stays the
// block that it was (Hopcroft), so each state moves a logarithmic number of times.
type refinement struct {
	d       *dfa
	states  []int32
	at      []int32   // by state of d: its number here, or dead
	from    *reverse  // by number
	block   []int32   // by number
	place   []int32   // by number: where it stands in its block
	members [][]int32 // by block
	dirty   []int32   // to be looked at, each once
	isDirty []bool
	key     []byte
}

// begin makes two blocks, of those that accept and the others.
func (r *refinement) begin(accept func(s int32) bool) {
	n := len(r.states)
	r.block, r.place = make([]int32, n), make([]int32, n)
	r.members = make([][]int32, 2)
	r.isDirty = make([]bool, n)
	for i, s := range r.states {
		if accept(s) {
			r.block[i] = 1
		}
		r.join(int32(i), r.block[i])
		r.touch(int32(i))
	}
	r.from = newReverse(n, r.steps)
}

// steps calls f for every transition between the states, once for symbols side
// by side that lead to the same one.
func (r *refinement) steps(f func(i, to int32)) {
	for i, s := range r.states {
		last := dead
		for _, t := range r.d.row(s) {
			to := r.number(t)
			if to != dead && to != last {
				f(int32(i), to)
			}
			last = to
		}
	}
}

func (r *refinement) number(s int32) int32 {
	if s == dead {
		return dead
	}
	return r.at[s]
}

func (r *refinement) join(i, block int32) {
	r.block[i] = block
	r.place[i] = int32(len(r.members[block]))
	r.members[block] = append(r.members[block], i)
}

func (r *refinement) touch(i int32) {
	if !r.isDirty[i] {
		r.isDirty[i] = true
		r.dirty = append(r.dirty, i)
	}
}

// round looks at what is dirty, all against the same blocks.
func (r *refinement) round() {
	work := r.dirty
	slices.SortFunc(work, func(a, b int32) int { return int(r.block[a] - r.block[b]) })
	var moves [][]int32 // each to a block of its own
	for len(work) > 0 {
		n := 1
		for n < len(work) && r.block[work[n]] == r.block[work[0]] {
			n++
		}
		moves = append(moves, r.parts(work[:n])...)
		work = work[n:]
	}
	for _, i := range r.dirty {
		r.isDirty[i] = false
	}
	r.dirty = nil
	for _, part := range moves {
		r.move(part)
	}
}

// parts returns what has to leave a block of which some members are dirty: all
// but the most that go to the same blocks. Those that are not dirty do.
func (r *refinement) parts(some []int32) [][]int32 {
	all := r.members[r.block[some[0]]]
	if len(all) == 1 {
		return nil
	}
	var groups [][]int32
	counts := []int{}
	ids := make(map[string]int)
	add := func(i int32) int {
		r.key = r.sign(r.key[:0], i)
		id, ok := ids[string(r.key)]
		if !ok {
			id = len(groups)
			ids[string(r.key)] = id
			groups, counts = append(groups, nil), append(counts, 0)
		}
		return id
	}
	rest := -1 // the group of those that are not dirty
	if len(some) < len(all) {
		rest = add(all[slices.IndexFunc(all, func(i int32) bool { return !r.isDirty[i] })])
		counts[rest] = len(all) - len(some)
	}
	for _, i := range some {
		id := add(i)
		groups[id] = append(groups[id], i)
		counts[id]++
	}
	stays := 0
	for id, n := range counts {
		if n > counts[stays] {
			stays = id
		}
	}
	if rest >= 0 && rest != stays {
		for _, i := range all {
			if !r.isDirty[i] {
				groups[rest] = append(groups[rest], i)
			}
		}
	}
	return slices.Delete(groups, stays, stays+1)
}

// sign appends what tells i from others: the blocks that symbols lead to.
func (r *refinement) sign(key []byte, i int32) []byte {
	last := dead
	for c, t := range r.d.row(r.states[i]) {
		to := r.number(t)
		if to != dead {
			to = r.block[to]
		}
		if to != last { // as the symbols before otherwise
			key = binary.LittleEndian.AppendUint16(key, uint16(c))
			key = binary.LittleEndian.AppendUint32(key, uint32(to))
		}
		last = to
	}
	return key
}

// move makes a block of part, which is a part of one.
func (r *refinement) move(part []int32) {
	id := int32(len(r.members))
	r.members = append(r.members, nil)
	for _, i := range part {
		old := r.members[r.block[i]]
		last := old[len(old)-1]
		old[r.place[i]], r.place[last] = last, r.place[i]
		r.members[r.block[i]] = old[:len(old)-1]
		r.join(i, id)
	}
	for _, i := range part {
		for _, p := range r.from.of(i) {
			r.touch(p)
		}
	}
}

// quotient joins the states of each block, numbering them breadth-first.
func (r *refinement) quotient(accept func(s int32) bool) *dfa {
	out := &dfa{al: r.d.al}
	out.room(len(r.members))
	ids := make([]int32, len(r.members))
	for b := range ids {
		ids[b] = dead
	}
	var queue []int32
	visit := func(i int32) int32 {
		b := r.block[i]
		if ids[b] == dead {
			ids[b] = out.addState(accept(r.states[i]))
			queue = append(queue, i)
		}
		return ids[b]
	}
	visit(r.at[0])
	for s := 0; s < len(queue); s++ {
		for c, t := range r.d.row(r.states[queue[s]]) {
			if to := r.number(t); to != dead {
				id := visit(to)
				out.row(int32(s))[c] = id
			}
		}
	}
	return out
}
