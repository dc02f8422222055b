package lex

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// contextual is the state of a lexer for a grammar with ContextLexing: only the
// tokens that the parser can take next compete for a text. (Van Wyk and
// Schwerdfeger, Context-Aware Scanning for Parsing Extensible Languages, 2007.
// Here the parser is Earley's, so the set of expected tokens is exact.)
type contextual struct {
	net   *network
	begin *expectation
	words *engine // of the tokens that are read whole even where they are not expected

	mu    sync.Mutex
	modes map[string]*mode // by the candidates
}

// maxContexts bounds the number of candidate sets that have automata at a time.
const maxContexts = 1024

func newContextual(l *Lexer) *contextual {
	c := &contextual{net: newNetwork(l), modes: make(map[string]*mode)}
	c.begin = c.net.begin()
	l.context = c // separators depend on it
	c.words = l.words()
	l.narrow(c, c.begin)
	return c
}

// words returns the engine of the tokens marked as words. If there are none, it holds all
// tokens but the glued ones and those that can begin with a separator: a separator does not
// keep these apart.
func (l *Lexer) words() *engine {
	all := l.modes[0]
	var words, others []int32
	for i, a := range all.actions {
		start := all.engine.starts[i]
		switch {
		case a.rule != nil && a.rule.Word:
			words = append(words, start)
		case a.hidden, (a.rule == nil || !a.rule.Glued) && !l.beginsWithLayout(start):
			others = append(others, start)
		}
	}
	if words == nil {
		words = others
	}
	return newEngine(all.engine.code, words)
}

// beginsWithLayout reports whether a candidate of the first mode can begin with a separator.
func (l *Lexer) beginsWithLayout(start int32) bool {
	e := newEngine(l.modes[0].engine.code, []int32{start})
	return slices.ContainsFunc(l.separators(0), func(sep string) bool {
		st := e.start()
		for i := 0; i < len(sep) && st != none; i++ {
			st = e.step(st, sep[i])
		}
		return st != none
	})
}

// narrow sets the modes of s: the candidates for the token after s.
func (l *Lexer) narrow(c *contextual, s *expectation) {
	free := s.kinds(c.net, len(l.kinds), true)
	layout := s.whole
	for _, on := range free {
		layout = layout || on
	}
	s.near = l.among(c, s.kinds(c.net, len(l.kinds), false), layout)
	s.apart = l.among(c, free, true)
}

// among returns the mode in which only the given kinds compete, and layout if layout is set.
func (l *Lexer) among(c *contextual, kinds []bool, layout bool) *mode {
	all := l.modes[0]
	var key strings.Builder
	var in []int
	chars := l.char >= 0 && kinds[l.char] // a literal of one character may stand for a class
	for i, a := range all.actions {
		if kinds[a.kind] || a.hidden && layout || l.lines != nil && a.kind == l.lines.newline || chars && utf8.RuneCountInString(l.kinds[a.kind].Text) == 1 {
			in = append(in, i)
			key.WriteRune(rune(i))
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.modes[key.String()]; m != nil {
		return m
	}
	m := &mode{name: all.name}
	var starts []int32
	for _, i := range in {
		m.actions = append(m.actions, all.actions[i])
		starts = append(starts, all.engine.starts[i])
	}
	m.engine = newEngine(all.engine.code, starts)
	m.prioritize()
	if len(c.modes) >= maxContexts {
		clear(c.modes)
	}
	c.modes[key.String()] = m
	return m
}

// prioritize sets the priorities of the candidates in the engine of m. A literal has 0.
func (m *mode) prioritize() {
	prio := make([]int, len(m.actions))
	for i, a := range m.actions {
		if a.rule != nil {
			prio[i] = a.rule.Priority
		}
	}
	if slices.ContainsFunc(prio, func(p int) bool { return p != 0 }) {
		m.engine.prio = prio
	}
}

// place is the lexer's state between two tokens: the stack of modes, and in a grammar with
// ContextLexing the expected tokens.
type place struct {
	stack []int
	exp   *expectation // nil: every token competes
	apart bool         // layout was read last
}

// begin returns the place before the first token.
func (l *Lexer) begin() place {
	p := place{stack: []int{0}}
	if l.context != nil {
		p.exp = l.context.begin
	}
	return p
}

// mode returns the mode with the candidates for the next token.
func (l *Lexer) mode(p *place) *mode {
	switch {
	case p.exp == nil:
		return l.modes[p.stack[len(p.stack)-1]]
	case p.apart:
		return p.exp.apart
	}
	return p.exp.near
}

// pass moves p past a match.
func (l *Lexer) pass(p *place, a *action) (err error) {
	if len(a.ops) > 0 {
		if p.stack, err = a.enter(p.stack); err != nil {
			return err
		}
	}
	if p.exp == nil || a.more {
		return nil
	}
	p.apart = a.hidden
	if a.hidden {
		return nil
	}
	next := l.context.net.after(p.exp, a.kind)
	if next == nil && l.IsChar(a.kind) { // a literal that stands for a class
		next = l.context.net.after(p.exp, l.char)
	}
	if next != nil {
		l.narrow(l.context, next)
	}
	p.exp = next
	return nil
}
