package parse

import (
	"cmp"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Flat productions are those of tree-sitter's generator. A rule has a production for each way
// through its choices, and each repetition is a rule of its own. Each symbol of a production
// has a precedence, which holds after it: that of the innermost @prec around it. But an
// element with @prec that is not at the end of its rule ends with its last symbol, which then
// has the precedence from around the element.

// precedence is a level and an associativity. The innermost @prec around a symbol gives its
// level, the innermost with left or right its associativity.
type precedence struct {
	level int
	assoc int8 // 1: left, -1: right
}

// flat makes flat productions, or, without apart, those of other grammars with precedences. A nil
// *flat makes neither.
type flat struct {
	prefs preferences
	apart bool   // choices are taken apart
	last  []bool // by expression: nothing follows in its rule or repetition
	size  int    // symbols so far
}

// maxFlat bounds the symbols of flat productions, with those of their parts.
const maxFlat = 1 << 20

func newFlat(g *grammar.Grammar, prefs preferences, apart bool) *flat {
	fl := &flat{prefs: prefs, apart: apart, last: make([]bool, len(g.Exprs))}
	for _, r := range g.Rules {
		fl.spread(r.Body, true)
	}
	return fl
}

func (fl *flat) spread(e *grammar.Expr, last bool) {
	fl.last[e.ID] = last
	for i, k := range e.Children {
		switch e.Op {
		case grammar.Seq:
			fl.spread(k, last && i == len(e.Children)-1)
		case grammar.Rep:
			fl.spread(k, last || e.Max != 1)
		default:
			fl.spread(k, last)
		}
	}
}

func (fl *flat) takesApart() bool { return fl != nil && fl.apart }

// count counts the symbols of a fragment.
func (fl *flat) count(f fragment) {
	if fl.takesApart() {
		fl.size += 1 + len(f.syms)
	}
}

// full reports whether there are more than maxFlat symbols.
func (fl *flat) full() bool { return fl != nil && fl.size > maxFlat }

// mark marks where the precedence of e holds in its fragments.
func (fl *flat) mark(e *grammar.Expr, fs []fragment) []fragment {
	if fl == nil || fl.prefs[e.ID] == nil || !fl.prefs[e.ID].prec {
		return fs
	}
	for i := range fs {
		steps := append(make([]step, 0, len(fs[i].steps)+2), step{op: opPrec, expr: e})
		steps = append(steps, fs[i].steps...)
		fs[i].steps = append(steps, step{op: opPrecEnd, expr: e})
	}
	return fs
}

// precedences returns the steps of a fragment without marks, and the precedences of its
// symbols.
func (fl *flat) precedences(f fragment) (steps []step, precs []precedence) {
	type element struct {
		precedence
		from int // its first symbol
	}
	within := []element{{}}
	n := 0 // symbols so far
	for i, s := range f.steps {
		top := within[len(within)-1]
		switch {
		case s.op == opPrec:
			p := fl.prefs[s.expr.ID]
			within = append(within, element{precedence{p.level, cmp.Or(p.assoc, top.assoc)}, n})
			continue
		case s.op == opPrecEnd:
			within = within[:len(within)-1]
			if n > top.from && !fl.last[s.expr.ID] {
				precs[n-1] = within[len(within)-1].precedence
			}
			continue
		case s.reads():
			for n = nextRead(f, i+1); len(precs) < n; {
				precs = append(precs, top.precedence)
			}
		}
		steps = append(steps, s)
	}
	return steps, precs
}

// reads reports whether symbols of the production belong to the step.
func (s *step) reads() bool {
	return s.op == opChild || s.op == opClass || s.op == opToken || s.op == opLit && s.expr.Text != ""
}

// nextRead returns the number of the first symbol that belongs to steps i ….
func nextRead(f fragment, i int) int {
	for ; i < len(f.steps); i++ {
		if f.steps[i].reads() {
			return int(f.steps[i].arg)
		}
	}
	return len(f.syms)
}
