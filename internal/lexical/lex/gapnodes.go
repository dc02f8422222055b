package lex

import (
	"encoding/binary"
	"slices"
)

// number returns the number that stands for a state in keys.
func (g *Gaps) number(s *state) uint64 {
	n, ok := g.states[s]
	if !ok {
		n = uint64(len(g.states))
		g.states[s] = n
		g.memory += stateSize
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

// joint returns the number of a joint, and remembers it if it is new.
func (g *Gaps) joint(s joint, begun bool) int32 {
	s.loose = false // only context lexing uses it
	g.key = append(g.key[:0], 'j')
	if begun {
		g.key[0] = 'k'
	}
	g.add(&s)
	id, ok := g.known[string(g.key)]
	if !ok {
		id = int32(len(g.joints))
		g.known[string(g.key)] = id
		g.memory += gapJointSize + len(g.key) + len(s.runs)*gapSeparatorSize
		g.joints = append(g.joints, gapJoint{joint: s, begun: begun, start: notMade})
	}
	return id
}

// startOf returns the node before the token that follows a joint.
func (g *Gaps) startOf(now int32) int32 {
	s := &g.joints[now]
	g.j.now, g.j.begun = s.joint, s.begun
	m := g.j.l.mode(&s.place)
	n := gapNode{mode: m, state: m.engine.start()}
	for _, sep := range g.j.seps() {
		to, ok := s.joint, true
		if sep != "" {
			to, ok = g.j.l.read(to, sep, isHidden)
		}
		if ok && !to.ended {
			to.old = 0 // set after the token
			n.seps = append(n.seps, gapSeparator{sep, to})
		}
	}
	g.joints[now].start = g.node(n)
	return g.joints[now].start
}

// node returns the number of a node. It keeps a copy of n.
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
		g.memory += gapNodeSize + len(g.key) + 4*g.bytes.n + len(n.seps)*gapSeparatorSize
		n.seps = slices.Clone(n.seps)
		g.nodes = append(g.nodes, n)
		g.next = append(g.next, make([]int32, g.bytes.n)...)
	}
	return id
}

// step returns the node after a byte of the given class.
func (g *Gaps) step(from int32, class uint8) int32 {
	at, b := &g.nodes[from], g.bytes.first[class]
	to := gapNode{mode: at.mode, state: at.state, seps: g.seps[:0]}
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
				r.state = r.engine.step(r.state, b)
				if r.state.accept >= 0 {
					longer = true
				}
				s.add(r)
			}
			if !longer {
				to.seps = append(to.seps, s)
			}
		}
	}
	if len(to.seps) == 0 { // no separator fits, however the token continues
		to.state = none
	}
	g.seps = to.seps
	id := g.node(to)
	g.next[int(from)*g.bytes.n+int(class)] = id
	return id
}

// result returns the layouts before a token of the given kind that ends at a node. It is
// nil if the token may be a chain of `more` rules, which nodes do not follow.
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
		if !stands(alt) && n.state.accept < 0 && slices.ContainsFunc(n.mode.actions, func(a action) bool { return a.more }) {
			return nil
		}
	}
	if stands(alt) {
		a := &n.mode.actions[alt]
		var open gapResult
		for _, s := range n.seps {
			to := s.joint
			to.runs, to.old = slices.Clone(to.runs), len(to.runs)
			to.add(run{engine: n.mode.engine, state: n.state})
			to.ended = ended
			if l.pass(&to.place, a) != nil {
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

// slowResult is result computed by the joiner.
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
