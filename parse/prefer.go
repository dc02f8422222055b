package parse

import (
	"slices"
	"strconv"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Precedences order the trees of an ambiguous text before the order of choices does. An
// element with @prec(LEVEL), @prec(LEVEL, left) or @prec(LEVEL, right) is a rule's body or an
// alternative of a choice. Two trees are compared at the first point where a bottom-up parser
// would act differently: read a terminal, or end an element. The greater level goes first.
// Between equal levels, the ended element decides: with left it ends, with right the terminal
// is read. An element that ends with a repetition that has @prec ends with the level of that. If that is no decision, the greater sum of all @prefer(N) goes first.

// preference is the annotations of an element.
type preference struct {
	prec  bool // it has @prec
	level int
	assoc int8 // 1: left, -1: right
	bonus int64
}

// preferences are the annotations of a grammar by expression number.
type preferences []*preference

// preferencesOf returns nil for a grammar without preferences.
func preferencesOf(g *grammar.Grammar) (out preferences) {
	for _, e := range g.Exprs {
		for _, a := range e.Annotations {
			if len(a.Args) == 0 || a.Name != "prec" && a.Name != "prefer" {
				continue
			}
			n, err := strconv.Atoi(a.Args[0])
			if err != nil {
				continue
			}
			if out == nil {
				out = make(preferences, len(g.Exprs))
			}
			if out[e.ID] == nil {
				out[e.ID] = &preference{}
			}
			p := out[e.ID]
			p.prec = p.prec || a.Name == "prec"
			switch {
			case a.Name == "prefer":
				p.bonus = int64(n)
			case slices.Contains(a.Args, "left"):
				p.level, p.assoc = n, 1
			case slices.Contains(a.Args, "right"):
				p.level, p.assoc = n, -1
			default:
				p.level = n
			}
		}
	}
	return out
}

// settleAlone reports whether levels belong to rules, to the alternatives of rules, and to
// repetitions only, so that tables say how trees compare.
func (t preferences) settleAlone(g *grammar.Grammar) bool {
	if t == nil {
		return false
	}
	own := make([]bool, len(g.Exprs))
	for _, r := range g.Rules {
		body, alts := r.Body, 0
		for _, k := range body.Children {
			own[k.ID] = body.Op == grammar.Choice && k.Op != grammar.Ref
			if own[k.ID] && t[k.ID] != nil && t[k.ID].prec {
				alts++
			}
		}
		own[body.ID] = alts == 0 && body.Op != grammar.Ref
	}
	for _, e := range g.Exprs {
		if t[e.ID] != nil && t[e.ID].prec && !own[e.ID] && e.Op != grammar.Rep {
			return false
		}
	}
	return true
}

// of returns the preference of the node that a step opens, or nil for none.
func (t preferences) of(s *step) *preference {
	switch s.expr.Op {
	case grammar.Choice:
		return t[s.expr.Children[s.arg].ID]
	case grammar.Ref:
		if p := t[s.expr.ID]; p != nil {
			return p
		}
		return t[s.expr.Rule.Body.ID]
	}
	return t[s.expr.ID]
}

// ends reports whether a bottom-up parser acts at the end of e: it does for rules, and for
// choices whose alternatives have levels.
func (t preferences) ends(e *grammar.Expr) bool {
	return e.Op == grammar.Ref || e.Op == grammar.Choice && slices.ContainsFunc(e.Children, func(k *grammar.Expr) bool { return t[k.ID] != nil })
}

// event is an action of a bottom-up parser.
type event struct {
	kind eventKind
	node int32 // eventNode: all actions for this node
	expr *step // eventReduce: the step that opened it
	pref *preference
}

type eventKind uint8

const (
	eventEnd eventKind = iota
	eventShift
	eventNode
	eventReduce
)

func (x event) same(y event) bool {
	switch {
	case x.kind != y.kind:
		return false
	case x.kind == eventNode:
		return x.node == y.node
	case x.kind == eventReduce && x.expr.expr.Op == grammar.Ref && y.expr.expr.Op == grammar.Ref:
		return x.expr.expr.Rule == y.expr.expr.Rule
	case x.kind == eventReduce:
		return x.expr.expr == y.expr.expr && x.expr.arg == y.expr.arg
	}
	return true
}

// bottomUp walks the actions of a bottom-up parser for a way of a node.
type bottomUp struct {
	f     *Forest
	stack []sequenceFrame
	open  []openElement
	last  *preference // of a repetition that has just ended
}

// openElement is an element that has begun but not ended.
type openElement struct {
	opened  *step // nil: the rule of the initial node
	pref    *preference
	started bool // part of it was read
}

func (w *bottomUp) begin(f *Forest, id int32) {
	prod := &f.t.prods[f.nodes[id].prod]
	of := f.t.nonterms[prod.lhs]
	w.f, w.stack = f, append(w.stack[:0], sequenceFrame{prod.steps, f.childrenOf(id)})
	w.last = nil
	w.open = append(w.open[:0], openElement{pref: f.p.prefs[of.rule.Body.ID], started: !of.main})
}

// next returns the next action. All actions for a node are one event until it is opened.
func (w *bottomUp) next() event {
	for len(w.stack) > 0 {
		fr := &w.stack[len(w.stack)-1]
		if len(fr.steps) == 0 {
			w.stack = w.stack[:len(w.stack)-1]
			continue
		}
		st := &fr.steps[0]
		fr.steps = fr.steps[1:]
		ended := w.last
		w.last = nil
		switch st.op {
		case opOpen:
			w.open = append(w.open, openElement{opened: st, pref: w.f.p.prefs.of(st)})
		case opClose:
			last := w.open[len(w.open)-1]
			w.open = w.open[:len(w.open)-1]
			if last.started {
				w.read()
			}
			if ended == nil || last.pref == nil {
				ended = last.pref
			}
			if w.f.p.prefs.ends(st.expr) {
				return event{kind: eventReduce, expr: last.opened, pref: ended}
			}
			if st.expr.Op == grammar.Rep && last.started {
				w.last = ended
			}
		case opLit:
			if st.expr.Text != "" {
				return event{kind: eventShift}
			}
		case opClass, opToken:
			return event{kind: eventShift}
		case opChild:
			return event{kind: eventNode, node: fr.children[st.arg]}
		}
	}
	return event{}
}

// read records that part of the innermost element was read.
func (w *bottomUp) read() { w.open[len(w.open)-1].started = true }

// enter replaces the next event, a node, by the actions for that node.
func (w *bottomUp) enter(id int32) {
	w.stack = append(w.stack, sequenceFrame{w.f.t.prods[w.f.nodes[id].prod].steps, w.f.childrenOf(id)})
}

// within returns the preference of the innermost element that does not begin with the next
// terminal.
func (w *bottomUp) within() *preference {
	i := len(w.open) - 1
	for i > 0 && !w.open[i].started {
		i--
	}
	for ; i > 0 && w.open[i].pref == nil && w.open[i].opened.expr.Op != grammar.Ref; i-- {
		if e := w.open[i].opened.expr; e.Op == grammar.Rep && e.Max != 1 {
			return nil // a repetition counts as a rule of its own
		}
	}
	return w.open[i].pref
}

// preferred returns a negative number where way a of a node goes before way b by precedence, a
// positive number where it goes after, and 0 where precedence does not decide.
func (f *Forest) preferred(a, b int32) int {
	x, y := &f.ups[0], &f.ups[1]
	x.begin(f, a)
	y.begin(f, b)
	p, q := x.next(), y.next()
	for p.kind != eventEnd && q.kind != eventEnd {
		switch {
		case p.same(q):
			if p.kind != eventReduce {
				x.read()
				y.read()
			}
			p, q = x.next(), y.next()
		case p.kind == eventNode && (q.kind != eventNode || f.larger(p.node, q.node)):
			x.enter(p.node)
			p = x.next()
		case q.kind == eventNode:
			y.enter(q.node)
			q = y.next()
		case p.kind == eventReduce && q.kind == eventReduce:
			return level(q.pref) - level(p.pref)
		case p.kind == eventReduce:
			return -ended(p.pref, y.within())
		default:
			return ended(q.pref, x.within())
		}
	}
	return 0
}

func level(p *preference) int {
	if p == nil {
		return 0
	}
	return p.level
}

// ended returns a positive number where ending an element goes before continuing another one.
func ended(p, other *preference) int {
	if d := level(p) - level(other); d != 0 || p == nil {
		return d
	}
	return int(p.assoc)
}

// larger reports whether node a may contain node b.
func (f *Forest) larger(a, b int32) bool {
	if x, y := f.sums[a].terminals, f.sums[b].terminals; x != y {
		return x > y
	}
	return a > b // nodes are created from the leaves up
}

// sum is the sum of preferences in the canonical tree of a node.
type sum struct {
	terminals int32
	bonus     int64
}

// sumOf sums up a way of a node whose children are summed.
func (f *Forest) sumOf(id int32) (out sum) {
	steps, children := f.t.prods[f.nodes[id].prod].steps, f.childrenOf(id)
	for i := range steps {
		switch s := &steps[i]; s.op {
		case opOpen:
			if p := f.p.prefs.of(s); p != nil {
				out.bonus += p.bonus
			}
		case opChild:
			k := f.sums[children[s.arg]]
			out.terminals, out.bonus = out.terminals+k.terminals, out.bonus+k.bonus
		case opLit, opClass, opToken:
			out.terminals++
		}
	}
	return out
}

// goesBefore reports whether way a of a node goes before way b.
func (f *Forest) goesBefore(a, b int32) bool {
	if f.p.prefs != nil && !f.p.plain {
		if d := f.preferred(a, b); d != 0 {
			return d < 0
		}
		if x, y := f.sumOf(a).bonus, f.sumOf(b).bonus; x != y {
			return x > y
		}
	}
	return f.before(a, b)
}
