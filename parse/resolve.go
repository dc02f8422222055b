package parse

import "cmp"

// Precedences resolve the conflicts of a table as in tree-sitter's generator. Of several
// reductions, those of the greatest level stay. Between reductions and a shift, the greater
// level wins; for equal levels, left and right decide. Other conflicts stay. The productions are
// flat.

// settler resolves the conflicts of a table.
type settler struct {
	*table
	first []bitset // by nonterminal: its possible first symbols
	alone bool     // only conflicts whose decision is also that between trees
}

// settled returns the table without the actions that precedences exclude, and reports whether there
// are any. With alone these are not the actions of the first tree of a text, among its trees by the
// table that is left.
func settled(t *table, alone bool) (_ *table, some bool) {
	s := &settler{table: t, alone: alone}
	s.firsts()
	out := *t
	out.actions = append([]int32(nil), t.actions...)
	out.conflicts = append([][]int32(nil), t.conflicts...)
	width := t.alpha.size
	out.det = true
	for i, act := range out.actions {
		if act < conflictBase {
			continue
		}
		state, sym, actions := int32(i/width), int32(i%width), t.conflicts[act-conflictBase]
		left := actions
		if !alone || s.comparable(state, sym, actions) {
			left = s.settle(state, sym, actions)
		}
		some = some || len(left) < len(actions)
		if len(left) == 1 {
			out.actions[i] = left[0]
		} else {
			out.conflicts[act-conflictBase], out.det = left, false
		}
	}
	return &out, some
}

// comparable reports whether the trees after each pair of actions are compared by the levels of
// these actions: reductions end rules, there is one beside a shift, and all that the symbol
// continues are rules or repetitions, on the same side of the reduction.
func (s *settler) comparable(state, sym int32, actions []int32) bool {
	var end precedence
	ends := 0
	for _, act := range actions {
		if act > 0 {
			continue
		}
		ends++
		if !s.nonterms[s.prods[^act].lhs].main {
			return false
		}
		end = s.reduced(act)
	}
	if ends == len(actions) {
		return true
	}
	side := 0
	for _, it := range s.kernels[state] {
		n, ok := s.goesOn(it, sym)
		if !ok {
			continue
		}
		nt := &s.nonterms[s.prods[s.prodOf[it]].lhs]
		d := cmp.Or(cmp.Compare(n, end.level), -int(end.assoc))
		if ends > 1 || d == 0 || side != 0 && d != side || !nt.main && !nt.list {
			return false
		}
		side = d
	}
	return true
}

// firsts computes the first symbols of nonterminals.
func (s *settler) firsts() {
	words := (s.alpha.size + 63) / 64
	s.first = make([]bitset, len(s.nonterms))
	for i := range s.first {
		s.first[i] = make(bitset, words)
	}
	for changed := true; changed; {
		changed = false
		for i := range s.prods {
			p := &s.prods[i]
			if p.lhs < 0 || len(p.rhs) == 0 {
				continue
			}
			to := s.first[p.lhs]
			if x := p.rhs[0]; x >= 0 {
				for w, bits := range s.first[x] {
					changed = changed || bits&^to[w] != 0
					to[w] |= bits
				}
				continue
			}
			for _, sym := range s.terms[^p.rhs[0]].syms {
				changed = changed || to[sym>>6]>>(sym&63)&1 == 0
				to.add(sym)
			}
		}
	}
}

// reduced returns the precedence of a reduction.
func (s *settler) reduced(act int32) precedence {
	precs := s.prods[^act].precs
	return precs[len(precs)-1]
}

// settle returns the remaining actions of a state under a symbol.
func (s *settler) settle(state, sym int32, actions []int32) []int32 {
	var reductions []int32
	shift := int32(0)
	most := 0
	for _, act := range actions {
		if act > 0 {
			shift = act
			continue
		}
		n := s.reduced(act).level
		switch {
		case len(reductions) == 0 || n > most:
			reductions, most = []int32{act}, n
		case n == most:
			reductions = append(reductions, act)
		}
	}
	if shift == 0 {
		return reductions
	}
	more, less := false, false
	for _, it := range s.kernels[state] {
		if n, ok := s.goesOn(it, sym); ok {
			more, less = more || n > most, less || n < most
		}
	}
	switch {
	case more && !less:
		return []int32{shift}
	case less && !more:
		return reductions
	case more:
		return actions
	}
	left, right := true, true
	for _, act := range reductions {
		assoc := s.reduced(act).assoc
		left, right = left && assoc > 0, right && assoc < 0
	}
	switch {
	case left:
		return reductions
	case right:
		return []int32{shift}
	}
	return append([]int32{shift}, reductions...)
}

// goesOn returns the level of an item that the symbol can continue, false for others.
func (s *settler) goesOn(it, sym int32) (n int, ok bool) {
	prod := s.prodOf[it]
	dot := int(it - s.base[prod])
	x := s.after[it]
	switch {
	case x == itemEnd || dot == 0:
		return 0, false
	case x >= 0:
		ok = s.first[x][sym>>6]>>(sym&63)&1 != 0
	default:
		for _, y := range s.terms[^x].syms {
			ok = ok || y == sym
		}
	}
	return s.prods[prod].precs[dot-1].level, ok
}
