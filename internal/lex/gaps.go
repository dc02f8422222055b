package lex

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Gaps lays out texts as [Joiner] does, at a table look-up for each byte: it remembers
// what the joiner found out. Between two tokens the joiner's state is a joint. From a
// joint, the separators that may stand before the next token depend on that token's text
// by the states of a few automata alone, one for each match under way and one for the
// token. These states together are a node, and nodes have a transition for each byte.
//
// Tokens in modes with `more` rules and under context lexing go through a joiner each
// time. A Gaps is for one goroutine.
type Gaps struct {
	Slow int // tokens that were laid out by a joiner

	j      *Joiner
	simple bool // joints can be remembered
	joints []gapJoint
	nodes  []gapNode
	known  map[string]int32
	states map[*state]uint64 // numbers of states, in keys
	key    []byte
}

// gapJoint is a joint that is remembered.
type gapJoint struct {
	joint
	begun bool
	start int32    // the node before the next token; notMade, or slowNode
	ends  []string // the layouts that may stand at the end of the text; nil: not made
}

const (
	notMade  = -1
	slowNode = -2
)

// gapNode is a place within the text of a token, for all separators before it that fit so
// far.
type gapNode struct {
	next  [256]int32 // by byte: the next node; 0 is not made, since nothing leads to node 0
	mode  *mode
	state *state // of the token
	seps  []gapSeparator
	found []gapResult
}

// gapSeparator is a separator, and the matches begun before the token.
type gapSeparator struct {
	text string
	joint
}

// gapResult is the layouts that may stand before a token of a kind that ends at a node,
// and the joints behind it.
type gapResult struct {
	kind  int
	seps  []string
	after []int32
}

// maxGapNodes bounds the nodes that are kept, a kilobyte each.
const maxGapNodes = 1 << 13

// Bytes from firstMark on occur in no UTF-8: a mark begins with one.
const firstMark = 0xf5

// Gaps returns an empty memory of gaps; nil where marks could not be told from texts.
func (l *Lexer) Gaps(p Policy) *Gaps {
	if len(l.kinds) >= (0x100-firstMark)<<8 || slices.ContainsFunc(l.grammar.Rules, func(r *grammar.Rule) bool { return hasMarks(r.Body) }) {
		return nil
	}
	g := &Gaps{j: l.Joiner(p, nil), simple: l.context == nil}
	for _, m := range l.modes {
		g.simple = g.simple && m.leave == nil
	}
	g.forget()
	return g
}

func hasMarks(e *grammar.Expr) bool {
	return e.Op == grammar.Lit && strings.ContainsFunc(strings.ToValidUTF8(e.Text, "\uFFFF"), func(r rune) bool { return r == 0xffff }) ||
		slices.ContainsFunc(e.Children, hasMarks)
}

// Mark returns the bytes that stand behind the text of a terminal, as [Gaps.Append]
// reads it.
func (l *Lexer) Mark(e *grammar.Expr) string {
	k := l.KindOf(e) + 1
	return string([]byte{byte(firstMark + k>>8), byte(k)})
}

func (g *Gaps) forget() {
	g.joints, g.nodes = nil, []gapNode{{}}
	g.known, g.states = map[string]int32{}, map[*state]uint64{}
	if g.simple {
		g.joint(joint{place: g.j.l.begin()}, false)
	}
}

// Append appends a text to dst, laid out. In marked each terminal has its mark behind it.
// choose is asked as the joiner asks. The error is a *[JoinError].
func (g *Gaps) Append(dst, marked []byte, choose func(n int) int) ([]byte, error) {
	if g.j.choose = choose; !g.simple {
		return g.slowly(dst, marked)
	}
	if len(g.nodes)+len(g.joints) > maxGapNodes {
		g.forget()
	}
	now := int32(0) // the joint
	last := []byte(nil)
	for at := 0; at < len(marked); {
		begin := at
		node := g.joints[now].start
		if node == notMade {
			node = g.startOf(now)
		}
		if node >= 0 {
			for ; marked[at] < firstMark; at++ {
				next := g.nodes[node].next[marked[at]]
				if next == 0 {
					next = g.step(node, marked[at])
				}
				node = next
			}
		} else {
			for marked[at] < firstMark {
				at++
			}
		}
		text := marked[begin:at]
		kind := int(marked[at]-firstMark)<<8 + int(marked[at+1]) - 1
		if at += 2; len(text) == 0 {
			continue
		}
		var r *gapResult
		if node >= 0 && (kind != g.j.l.char || utf8.RuneCount(text) == 1) {
			r = g.result(node, kind)
		} else {
			g.Slow++
			r = g.slowResult(now, kind, string(text))
		}
		if len(r.seps) == 0 {
			g.j.now, g.j.last = g.joints[now].joint, string(last)
			return dst, g.j.refuse(kind, string(text), g.j.wanted(kind, string(text)))
		}
		i := g.j.pick(len(r.seps))
		dst = append(append(dst, r.seps[i]...), text...)
		now, last = r.after[i], text
	}
	g.j.now, g.j.last = g.joints[now].joint, string(last)
	ends := &g.joints[now].ends
	if *ends == nil {
		var err error
		if *ends, err = g.j.ends(); err != nil {
			return dst, err
		}
	}
	return append(dst, (*ends)[g.j.pick(len(*ends))]...), nil
}

// slowly is Append through a joiner.
func (g *Gaps) slowly(dst, marked []byte) ([]byte, error) {
	j := g.j.l.Joiner(g.j.policy, g.j.choose)
	for len(marked) > 0 {
		n := slices.IndexFunc(marked, func(b byte) bool { return b >= firstMark })
		text, kind := string(marked[:n]), int(marked[n]-firstMark)<<8+int(marked[n+1])-1
		marked = marked[n+2:]
		gap, err := j.Next(kind, text)
		if err != nil {
			return dst, err
		}
		dst = append(append(dst, gap...), text...)
		g.Slow++
	}
	gap, err := j.End()
	return append(dst, gap...), err
}

// number returns the number of a state in keys.
func (g *Gaps) number(s *state) uint64 {
	n, ok := g.states[s]
	if !ok {
		n = uint64(len(g.states))
		g.states[s] = n
	}
	return n
}

// add adds a joint to the key.
func (g *Gaps) add(s *joint) {
	g.key = binary.AppendUvarint(g.key, uint64(len(s.stack)))
	for _, m := range s.stack {
		g.key = binary.AppendUvarint(g.key, uint64(m))
	}
	g.key = binary.AppendUvarint(binary.AppendUvarint(g.key, uint64(len(s.runs))), uint64(s.old))
	for _, r := range s.runs {
		g.key = binary.AppendUvarint(g.key, g.number(r.state))
	}
	if s.ended {
		g.key = append(g.key, 1)
	} else {
		g.key = append(g.key, 0)
	}
}

// joint returns the number of a joint.
func (g *Gaps) joint(s joint, begun bool) int32 {
	s.loose = false // without context lexing nothing depends on it
	g.key = append(g.key[:0], 'j')
	if begun {
		g.key[0] = 'k'
	}
	g.add(&s)
	id, ok := g.known[string(g.key)]
	if !ok {
		id = int32(len(g.joints))
		g.known[string(g.key)] = id
		g.joints = append(g.joints, gapJoint{joint: s, begun: begun, start: notMade})
	}
	return id
}

// startOf returns the node before the token behind a joint.
func (g *Gaps) startOf(now int32) int32 {
	s := &g.joints[now]
	g.j.now, g.j.begun = s.joint, s.begun
	m := g.j.l.mode(&s.place)
	if slices.ContainsFunc(m.actions, func(a action) bool { return a.more }) {
		s.start = slowNode
		return slowNode
	}
	n := gapNode{mode: m, state: m.engine.start()}
	for _, sep := range g.j.seps() {
		to, ok := s.joint, true
		if sep != "" {
			to, ok = g.j.l.read(to, sep, isHidden)
		}
		if ok && !to.ended {
			to.old = 0 // it will be known behind the token
			n.seps = append(n.seps, gapSeparator{sep, to})
		}
	}
	g.joints[now].start = g.node(n)
	return g.joints[now].start
}

// node returns the number of a node.
func (g *Gaps) node(n gapNode) int32 {
	g.key = binary.AppendUvarint(append(g.key[:0], 'n'), g.number(n.state))
	for i := range n.seps {
		g.key = append(binary.AppendUvarint(g.key, uint64(len(n.seps[i].text))), n.seps[i].text...)
		g.add(&n.seps[i].joint)
	}
	id, ok := g.known[string(g.key)]
	if !ok {
		id = int32(len(g.nodes))
		g.known[string(g.key)] = id
		g.nodes = append(g.nodes, n)
	}
	return id
}

// step returns the node behind a byte.
func (g *Gaps) step(from int32, b byte) int32 {
	at := &g.nodes[from]
	to := gapNode{mode: at.mode, state: at.state}
	if at.state != none {
		to.state = at.mode.engine.step(at.state, b)
	}
	if to.state != none {
		for i := range at.seps {
			s := at.seps[i]
			runs := s.runs
			s.runs = nil
			longer := false
			for _, r := range runs {
				if r.state = r.engine.step(r.state, b); r.state.accept >= 0 {
					longer = true
				}
				s.add(r)
			}
			if !longer {
				to.seps = append(to.seps, s)
			}
		}
	}
	if len(to.seps) == 0 { // nothing fits, however the token goes on
		to.state = none
	}
	id := g.node(to)
	g.nodes[from].next[b] = id
	return id
}

// result returns the layouts before a token of a kind that ends at a node.
func (g *Gaps) result(node int32, kind int) *gapResult {
	n := &g.nodes[node]
	for i := range n.found {
		if n.found[i].kind == kind {
			return &n.found[i]
		}
	}
	r := gapResult{kind: kind}
	l := g.j.l
	stands := func(alt int32) bool {
		return alt >= 0 && kind >= 0 && l.standsFor(n.mode.actions[alt].kind, kind)
	}
	alt, ended := n.state.accept, false
	if !stands(alt) {
		alt, ended = n.state.atEnd, true
	}
	if stands(alt) {
		a := &n.mode.actions[alt]
		var open gapResult
		for _, s := range n.seps {
			to := s.joint
			to.runs, to.old = slices.Clone(to.runs), len(to.runs)
			to.add(run{n.mode.engine, n.state, false})
			if to.ended = ended; l.pass(&to.place, a) != nil {
				continue
			}
			into := &r
			if l.open(to) {
				into = &open
			}
			if g.j.policy == Random || len(into.seps) == 0 {
				into.seps, into.after = append(into.seps, s.text), append(into.after, g.joint(to, true))
			}
		}
		if len(r.seps) == 0 {
			r.seps, r.after = open.seps, open.after
		}
	}
	n = &g.nodes[node]
	n.found = append(n.found, r)
	return &n.found[len(n.found)-1]
}

// slowResult is result by the joiner.
func (g *Gaps) slowResult(now int32, kind int, text string) *gapResult {
	s := &g.joints[now]
	g.j.now, g.j.begun = s.joint, s.begun
	fit, states := g.j.fits(text, g.j.wanted(kind, text))
	r := &gapResult{kind: kind, seps: fit}
	for _, to := range states {
		r.after = append(r.after, g.joint(to, true))
	}
	return r
}
