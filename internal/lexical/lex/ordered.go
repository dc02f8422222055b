package lex

import "slices"

// ordered is the subset construction with preferences, as in ANTLR's lexer (Parr,
// Harwell, Fisher: Adaptive LL(*) Parsing, 2014, and its lexer's documented behaviour).
// A set is an ordered list of states. As soon as one of them reaches the end of the rule,
// later ones that have passed a non-greedy decision are dropped. So `'/*' .*? '*/'` stops
// at the first "*/", but greedy parts of the same rule still continue to the longest match.
//
// Members are NFA states times two, plus one if a non-greedy decision was passed.
func (n *nfa) ordered(start int32) (*dfa, error) {
	b := &subset{n: n, mark: make([]uint32, 2*len(n.states)), ids: make(map[string]int32), d: &dfa{al: n.al}, flags: true}
	b.round++
	set, _ := b.prefer(nil, start<<1, false)
	b.intern(set)
	matches := make([][]bool, len(n.states)) // by state: which symbols it reads
	var readers []int32
	var known []alike
	for s := 0; s < len(b.sets); s++ {
		if s > maxDFA {
			return nil, errTooLarge
		}
		known = known[:0]
		for c := range n.al.size() {
			readers = readers[:0]
			for _, q := range b.sets[s] {
				if n.reads(matches, q>>1, c) {
					readers = append(readers, q)
				}
			}
			if len(readers) == 0 {
				continue
			}
			i := slices.IndexFunc(known, func(k alike) bool { return slices.Equal(k.readers, readers) })
			if i < 0 {
				i = len(known)
				known = append(known, alike{slices.Clone(readers), b.after(readers)})
			}
			b.d.row(int32(s))[c] = known[i].to
		}
	}
	return b.d.minimize(), nil
}

// alike is a memo of a transition: all symbols read by the same members have one target.
type alike struct {
	readers []int32
	to      int32
}

// after returns the target of a symbol that these members read.
func (b *subset) after(readers []int32) int32 {
	b.round++
	var set []int32
	reached := false
	for _, q := range readers {
		if !reached || q&1 == 0 {
			set, reached = b.prefer(set, b.n.states[q>>1].next<<1|q&1, reached)
		}
	}
	if len(set) == 0 {
		return dead
	}
	return b.intern(set)
}

func (n *nfa) reads(matches [][]bool, q int32, c int) bool {
	if matches[q] == nil {
		matches[q] = make([]bool, n.al.size())
		for _, c := range n.states[q].syms {
			if c != noSym {
				matches[q][c] = true
			}
		}
	}
	return matches[q][c]
}

// prefer adds the states that q reaches without reading, best first. reached says whether
// the end of the rule has already been reached; the result says whether it has by now.
func (b *subset) prefer(set []int32, q int32, reached bool) ([]int32, bool) {
	s := &b.n.states[q>>1]
	if s.lazy {
		q |= 1
	}
	if b.mark[q] == b.round {
		return set, reached
	}
	b.mark[q] = b.round
	switch {
	case q>>1 == 0:
		return append(set, q), true
	case s.eps == nil:
		if !reached || q&1 == 0 {
			set = append(set, q)
		}
		return set, reached
	}
	for _, to := range s.eps {
		set, reached = b.prefer(set, to<<1|q&1, reached)
	}
	return set, reached
}
