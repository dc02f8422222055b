package lex

import (
	"encoding/binary"
	"slices"
)

// minimize returns the minimal automaton with the same texts. States that cannot reach
// acceptance are removed, and equivalent states are merged. States are numbered
// breadth-first. So two minimized automata over one alphabet accept the same texts if and
// only if they are equal.
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

// least is minimize with a known set of live states. at is the number of each live state
// in states, and dead for the others. accept says which states accept.
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

// refinement partitions states into blocks until all states of a block lead to the same
// blocks (Moore's refinement). A state is examined again only when one of its successors
// moved to another block. The largest part of a split block keeps its number (Hopcroft),
// so each state moves a logarithmic number of times.
type refinement struct {
	d       *dfa
	states  []int32
	at      []int32   // by state of d: its number here, or dead
	from    *reverse  // by number
	block   []int32   // by number
	place   []int32   // by number: its index in its block
	members [][]int32 // by block
	dirty   []int32   // the states to examine, each once
	isDirty []bool
	key     []byte
}

// begin makes two blocks: the accepting states and the others.
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

// steps calls f for every transition between the states. Adjacent symbols with the same
// target count once.
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

// round examines all dirty states against the same partition.
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

// parts splits a block, of whose members some are dirty. It returns the groups that have to
// leave it: all but the largest group of states that lead to the same blocks. The members
// that are not dirty form one such group.
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

// sign appends the signature of i to key: the blocks that symbols lead to.
func (r *refinement) sign(key []byte, i int32) []byte {
	last := dead
	for c, t := range r.d.row(r.states[i]) {
		to := r.number(t)
		if to != dead {
			to = r.block[to]
		}
		if to != last { // else the same as the symbol before
			key = binary.LittleEndian.AppendUint16(key, uint16(c))
			key = binary.LittleEndian.AppendUint32(key, uint32(to))
		}
		last = to
	}
	return key
}

// move makes a new block of part, which is a part of one block.
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

// quotient merges the states of each block and numbers the results breadth-first.
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
