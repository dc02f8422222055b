package parse

import "github.com/gramfuzz/gramfuzz/grammar"

// readScope is a scope of labels, see package field.
type readScope struct {
	up    *readScope
	facts []readFact
}

// readFact is a fact known about a part.
type readFact struct {
	part int
	what factKind
	v    int
	e    *grammar.Expr // the expression that stands there; its place among the choices is v
	of   *readScope    // the scope of e
}

type factKind uint8

const (
	partBegan factKind = iota
	partEnded
	partSize
	partCount
	partHas
)

func (s *readScope) get(part int, what factKind) (int, bool) {
	for i := len(s.facts) - 1; i >= 0; i-- {
		if f := s.facts[i]; f.part == part && f.what == what {
			return f.v, true
		}
	}
	return 0, false
}

// above returns the scope n levels above s.
func (s *readScope) above(n int) *readScope {
	for range n {
		s = s.up
	}
	return s
}

func (r *reading) tell(s *readScope, part int, what factKind, v int) {
	r.add(s, readFact{part: part, what: what, v: v})
}

func (r *reading) add(s *readScope, f readFact) {
	s.facts = append(s.facts, f)
	r.log = append(r.log, s)
}
