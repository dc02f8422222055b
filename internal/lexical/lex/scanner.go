package lex

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Token is a piece of a text. Offsets count bytes.
type Token struct {
	Kind       int // index into [Lexer.Kinds]
	Start, End int
	Hidden     bool // layout: not for the parser
}

// Error is the error for a text that cannot be cut into tokens, with its position.
type Error struct {
	Offset    int // in bytes: the beginning of the piece that no rule matches
	At        int // in bytes: the first byte that fits no rule begun at Offset
	Line, Col int // of At, from 1; Col counts characters
	Found     string
	Expected  []string // the kinds of tokens in progress at At, at most 8; none if At is Offset
	Reason    string   // set if the error is not about the text's next character
}

// Error formats the error as "line:col: what; what was expected".
func (e *Error) Error() string {
	switch {
	case e.Reason != "":
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Reason)
	case e.Expected == nil:
		return fmt.Sprintf("%d:%d: unexpected %s; no token begins with it", e.Line, e.Col, e.Found)
	}
	return fmt.Sprintf("%d:%d: unexpected %s; expected %s", e.Line, e.Col, e.Found, strings.Join(e.Expected, " or "))
}

// Scanner cuts one text into tokens. It is for one goroutine.
type Scanner struct {
	lexer *Lexer
	src   string
	pos   int
	place place
	memo  memo
	lines *lineScanner // nil: indentation is not significant
}

// Scan returns a scanner at the beginning of src, in the default mode.
func (l *Lexer) Scan(src string) *Scanner {
	s := &Scanner{lexer: l, src: src, place: l.begin()}
	if l.lines != nil {
		s.lines = &lineScanner{lines: l.lines, blocks: []int{0}}
	}
	return s
}

// Next returns the next token, including hidden ones. ok is false at the end of the text.
// After an error (an *[Error]), the scanner stays in place. The time is linear in the
// text, with a factor of at most a few hundred if tokens look far ahead in vain. Recursive
// rules are followed 200 levels deep.
//
// If a text ends inside a chain of `more` rules, there is no token for the rest. As in
// ANTLR, this is not an error.
//
// Tokens that begin and end blocks have no text. The blanks before the first token of a
// line belong to no token.
func (s *Scanner) Next() (t Token, ok bool, err error) {
	if s.lines != nil {
		return s.lines.next(s)
	}
	return s.next()
}

func (s *Scanner) next() (t Token, ok bool, err error) {
	t.Start = s.pos
	pos, at := s.pos, s.place
	moved := false // at differs from s.place: rare, so s.place is copied only then
	for pos < len(s.src) {
		m := s.lexer.mode(&at)
		alt, end, _ := m.engine.longest(s.src, pos, &s.memo)
		if alt < 0 && at.exp != nil {
			at.exp, moved = nil, true // read any token: the parser will report what it expected instead
			continue
		}
		if alt < 0 && s.lexer.left(m, &at) {
			moved = true
			continue
		}
		if alt < 0 {
			_, _, last := m.engine.longest(s.src, pos, nil)
			return t, false, s.fail(m, pos, last)
		}
		a := &m.actions[alt]
		moved = moved || len(a.ops) > 0 || at.exp != nil
		if err = s.lexer.pass(&at, a); err != nil {
			e := s.at(pos)
			e.Reason = err.Error()
			return t, false, e
		}
		pos = end
		if a.more {
			continue
		}
		t.Kind, t.End, t.Hidden = a.kind, pos, a.hidden
		s.pos = pos
		if moved {
			s.place = at
		}
		return t, true, nil
	}
	s.pos, s.place = pos, at
	return t, false, nil
}

// chunk is the distance, in bytes, between the positions at which a scan notes its state
// for the memo.
const chunk = 256

// memo is the states, at multiples of chunk, from which no further match ends. So a text
// full of unterminated comments is not read to its end from each of them (after Reps:
// Maximal-munch tokenization in linear time, 1998). It belongs to one text.
type memo struct {
	hopeless map[int][]*state
	trail    []*state // at the multiples of chunk passed since the match began
}

// longest finds the longest match of at least one byte from pos. It returns the candidate
// of the match, or -1; its end; and the position up to which it read. The last is exact
// only without a memo.
func (g *engine) longest(src string, pos int, m *memo) (alt int32, end, last int) {
	st := g.start()
	alt, end = -1, pos
	i, from := pos, pos/chunk+1
	if m != nil {
		m.trail = m.trail[:0]
	}
	for i < len(src) {
		stop := min(len(src), (i/chunk+1)*chunk)
		for ; i < stop; i++ {
			next := st.next[src[i]].Load()
			if next == nil {
				next = g.step(st, src[i])
			}
			if next == none {
				m.note(from, end)
				return alt, end, i
			}
			st = next
			if st.accept >= 0 {
				alt, end = st.accept, i+1
			}
		}
		if m != nil && i == stop && i%chunk == 0 {
			if slices.Contains(m.hopeless[i/chunk], st) {
				break
			}
			m.trail = append(m.trail, st)
		}
	}
	if i == len(src) && st.atEnd >= 0 && i > pos {
		alt, end = st.atEnd, i
	}
	m.note(from, end)
	return alt, end, i
}

// note records the states of the trail that led to no match: those at least a chunk past
// the end of the match. The first state of the trail is at from*chunk.
func (m *memo) note(from, end int) {
	if m == nil {
		return
	}
	for k, st := range m.trail {
		if at := from + k; at*chunk >= end+chunk {
			if m.hopeless == nil {
				m.hopeless = make(map[int][]*state)
			}
			m.hopeless[at] = append(m.hopeless[at], st)
		}
	}
}

// Tokens cuts all of src. On error it returns the tokens before it.
func (l *Lexer) Tokens(src string) ([]Token, error) {
	s := l.Scan(src)
	out := make([]Token, 0, len(src)/4+1)
	for {
		t, ok, err := s.Next()
		if !ok {
			return out, err
		}
		out = append(out, t)
	}
}

// at returns an error for the place of the byte at offset.
func (s *Scanner) at(offset int) *Error {
	before := s.src[:offset]
	line := 1 + strings.Count(before, "\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return &Error{Offset: offset, At: offset, Line: line, Col: utf8.RuneCountInString(before) + 1}
}

// fail returns the error that no rule of m matches at pos, after reading up to last.
func (s *Scanner) fail(m *mode, pos, last int) *Error {
	e := s.at(last)
	e.Offset = pos
	switch r, n := utf8.DecodeRuneInString(s.src[last:]); {
	case n == 0:
		e.Found = "end of text"
	case r == utf8.RuneError && n == 1:
		e.Found = fmt.Sprintf("byte %#02x", s.src[last])
	default:
		e.Found = fmt.Sprintf("%q", string(r))
	}
	if last == pos {
		return e
	}
	st := m.engine.start()
	for _, b := range []byte(s.src[pos:last]) {
		st = m.engine.step(st, b)
	}
	for _, t := range st.threads {
		name := s.lexer.kinds[m.actions[t.alt].kind].Name
		switch {
		case slices.Contains(e.Expected, name):
		case len(e.Expected) < 8:
			e.Expected = append(e.Expected, name)
		}
	}
	return e
}
