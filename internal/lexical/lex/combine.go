package lex

import (
	"encoding/binary"
	"slices"
)

// combine builds the product automaton of all candidates. Each of its states is a set of
// the candidates' own states, at most one of each candidate. It notes for each candidate
// the earlier ones that match some of its texts, in the order of discovery. The cost is
// linear in the transitions of the product.
func (r *resolver) combine(candidates []*candidate) (*combined, error) {
	c := &combiner{pool: newPool(candidates), ids: make(map[string]int32), taken: make(map[[2]int32]bool),
		targets: make([][]int32, r.al.size()), rd: &combined{candidates: candidates, d: &dfa{al: r.al}}}
	if c.pool.size > maxNFA {
		return nil, errTooLarge
	}
	c.intern(c.pool.starts)
	for s := 0; s < len(c.sets); s++ {
		if s > maxDFA {
			return nil, errTooLarge
		}
		c.markWinner(c.sets[s])
		c.expand(int32(s))
	}
	return c.rd, nil
}

// pool holds the states of the candidates' automata, numbered through.
type pool struct {
	starts []int32
	owner  []int32 // by state: the candidate
	accept []bool  // by state
	begin  []int32 // by state: where its steps begin; one more at the end
	steps  []step
	order  []int32 // scratch: the targets of one state
	size   int     // the states of all automata, and their edges (pairs of connected states)
}

// step is a transition. The steps of a state are grouped by target, in the order of the
// targets' first symbols.
type step struct {
	c  sym
	to int32
}

func newPool(candidates []*candidate) *pool {
	p := &pool{}
	for i, v := range candidates {
		p.starts = append(p.starts, int32(len(p.owner)))
		if v.d.empty() {
			p.add(i, false)
			continue
		}
		p.addAll(i, v.d)
	}
	p.begin = append(p.begin, int32(len(p.steps)))
	return p
}

// add adds a state; its steps have to be added next.
func (p *pool) add(owner int, accept bool) {
	p.owner, p.accept = append(p.owner, int32(owner)), append(p.accept, accept)
	p.begin = append(p.begin, int32(len(p.steps)))
	p.size++
}

// addAll adds the states of d. Steps to states that neither read nor accept are left out.
// All accepting states without transitions are merged into one. So two sets of states are
// equal if they read the same texts.
func (p *pool) addAll(owner int, d *dfa) {
	base := int32(len(p.owner))
	as := make([]int32, d.len()) // by state: the pool's state that replaces it as a target
	end := dead
	for s := range as {
		as[s] = base + int32(s)
		if slices.ContainsFunc(d.row(int32(s)), func(to int32) bool { return to != dead }) {
			continue
		}
		if d.accept[s] && end == dead {
			end = as[s]
		}
		as[s] = end
		if !d.accept[s] {
			as[s] = dead
		}
	}
	for s := range as {
		p.add(owner, d.accept[s])
		row := d.row(int32(s))
		p.order = p.order[:0]
		for _, to := range row {
			if to != dead && !slices.Contains(p.order, to) {
				p.order = append(p.order, to)
			}
		}
		p.size += len(p.order)
		for _, target := range p.order {
			for c, to := range row {
				if to == target && as[to] != dead {
					p.steps = append(p.steps, step{sym(c), as[to]})
				}
			}
		}
	}
}

// combiner builds the automaton of all candidates.
type combiner struct {
	pool    *pool
	rd      *combined
	sets    [][]int32 // by state: the members, ascending: the best candidate first
	ids     map[string]int32
	taken   map[[2]int32]bool
	targets [][]int32 // scratch, by symbol: its targets from one state
	touched []sym     // scratch: the symbols with targets
	key     []byte
}

// markWinner notes the candidate that wins in a state with these members, and the later
// candidates that it shadows there.
func (c *combiner) markWinner(set []int32) {
	first := int32(-1)
	for _, q := range set {
		i := c.pool.owner[q]
		switch {
		case !c.pool.accept[q]:
		case first < 0:
			first = i
		case !c.taken[[2]int32{first, i}]:
			c.taken[[2]int32{first, i}] = true
			v := c.rd.candidates[i]
			v.shadowedBy = append(v.shadowedBy, int(first))
		}
	}
	c.rd.winner = append(c.rd.winner, int(first))
}

// expand adds the transitions of state s.
func (c *combiner) expand(s int32) {
	for _, q := range c.sets[s] {
		for _, step := range c.pool.steps[c.pool.begin[q]:c.pool.begin[q+1]] {
			if len(c.targets[step.c]) == 0 {
				c.touched = append(c.touched, step.c)
			}
			c.targets[step.c] = append(c.targets[step.c], step.to)
		}
	}
	var last []int32 // the targets before: adjacent symbols mostly have the same ones
	to := dead
	for _, on := range c.touched {
		if to == dead || !slices.Equal(c.targets[on], last) {
			to = c.intern(c.targets[on])
			last = c.sets[to]
		}
		c.rd.d.row(s)[on] = to
		c.targets[on] = c.targets[on][:0]
	}
	c.touched = c.touched[:0]
}

// intern returns the number of the state with these members. It keeps a copy of set.
func (c *combiner) intern(set []int32) int32 {
	c.key = c.key[:0]
	for _, q := range set {
		c.key = binary.LittleEndian.AppendUint32(c.key, uint32(q))
	}
	id, ok := c.ids[string(c.key)]
	if !ok {
		id = c.rd.d.addState(false)
		c.ids[string(c.key)] = id
		c.sets = append(c.sets, slices.Clone(set))
	}
	return id
}
