package parse

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// order sorts the moves of each character by their choices. Two moves differ in their choices
// before the character, since what was chosen says which character of the rule comes.
func (t *chars) order() {
	for _, moves := range t.more {
		slices.SortStableFunc(moves, func(a, b move) int { return slices.Compare(a.chosen(), b.chosen()) })
	}
}

// chosen returns the choices of a move but that of its character.
func (m move) chosen() (out []int32) {
	for _, s := range m.steps {
		switch {
		case s.op == opOpen && s.expr.Op == grammar.Choice:
			out = append(out, s.arg)
		case s.op == opElem && s.arg == 1:
			out = append(out, 1)
		case s.op == opClose && s.arg == 1:
			out = append(out, 0)
		}
	}
	return out
}

// passed is a state that a route passes, and the number of its moves that were tried.
type passed struct {
	state, tried int32
	at           int // the byte of the text
}

// route returns the moves of the canonical derivation, nil where the next character always says
// which it is. ok reports whether there is a derivation. Its time is linear in the text, for a rule.
func (t *chars) route(text string) (route []*move, ok bool) {
	if t.more == nil {
		return nil, true
	}
	path := make([]passed, 1, len(text)+2)
	route = make([]*move, 0, len(text)+1)
	var dead map[passed]bool // states from which the end is not reached
	for len(path) > 0 {
		p := &path[len(path)-1]
		at, _, size := t.next(p.state, text, p.at)
		m := &t.moves[at]
		if several := t.more[at]; several != nil {
			m = &several[min(int(p.tried), len(several)-1)]
			ok = int(p.tried) < len(several)
		} else {
			ok = m.ok && p.tried == 0
		}
		if !ok {
			if dead == nil {
				dead = map[passed]bool{}
			}
			dead[passed{state: p.state, at: p.at}] = true
			path, route = path[:len(path)-1], route[:max(0, len(route)-1)]
			continue
		}
		p.tried++
		switch {
		case size == 0:
			return append(route, m), true
		case !dead[passed{state: m.to, at: p.at + size}]:
			path, route = append(path, passed{state: m.to, at: p.at + size}), append(route, m)
		}
	}
	return nil, false
}
