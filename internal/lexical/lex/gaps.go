package lex

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Gaps is a memoizing [Joiner]: it lays out texts at the cost of a table look-up for each
// byte. Between two tokens, the joiner's state is a joint. The separators that may stand
// before the next token depend on the joint and on a few automata run over the token's
// text: one for each match in progress and one for the token. The states of these automata
// together are a node. Nodes have a transition for each class of bytes. The text of a
// literal is known, so the layouts before it are stored with the joint.
//
// Some tokens go through a joiner each time: chains of `more` rules, and all tokens under
// context lexing or with significant indentation. A Gaps is for one goroutine.
//
//	g.Begin(choose)
//	dst, n, err := g.Add(dst, marked) // repeat while there are more tokens
//	dst, err = g.End(dst)
type Gaps struct {
	Slow int // tokens that were laid out by a joiner

	j      *Joiner
	simple bool // joints can be remembered
	bytes  *byteClasses
	texts  []string // by kind: the text of a literal, else ""
	joints []gapJoint
	nodes  []gapNode
	next   []int32 // by node and class of bytes: the next node; 0 if not built (nothing leads to node 0)
	known  map[string]int32
	states map[*state]uint64 // the numbers of states in keys
	memory int               // of all these tables, in bytes, approximately
	key    []byte
	seps   []gapSeparator // scratch

	now     int32 // the joint after the text so far
	last    int   // the length of the last token
	refused refusal
}

// refusal is a token that could not follow a joint.
type refusal struct {
	now        int32
	kind       int
	text, last []byte
	err        *JoinError // or the joiner's own error
}

// ErrRefused is the error for a text that cannot be laid out. [Gaps.Refused] returns the reason.
var ErrRefused = errors.New("the text has no layout in which it is read as its tokens")

// gapJoint is a remembered joint, with the layouts known to follow it.
type gapJoint struct {
	joint
	begun bool
	start int32        // the node before the next token, or notMade
	lits  []*gapResult // by kind: the layouts before a literal, each followed by its text
	ends  []string     // the layouts that may end the text; nil if not computed
}

const notMade = -1

// gapNode is a position within the text of a token, for all separators before it that
// still fit.
type gapNode struct {
	mode  *mode
	state *state // of the token
	seps  []gapSeparator
	found []gapResult
}

// gapSeparator is a separator, with the joint of the matches begun before the token.
type gapSeparator struct {
	text string
	joint
}

// gapResult is the layouts that may stand before a token of a kind that ends at a node,
// and the joints after the token. For a literal, each layout includes the literal's text.
type gapResult struct {
	kind  int
	seps  []string
	after []int32
}

// maxGapMemory bounds the memory of a Gaps between two texts, in bytes, approximately.
const maxGapMemory = 32 << 20

// Approximate sizes of the remembered parts, in bytes. A state includes its transitions.
const (
	gapNodeSize      = 400
	gapJointSize     = 250
	gapSeparatorSize = 200
	stateSize        = 2400
)

// firstMark is the first of the bytes that begin a mark: none of them occurs in UTF-8.
const firstMark = 0xf5

// Gaps returns a Gaps with empty tables. It returns nil if marks could not be told from
// texts, or if syntax rules contain parts of tokens.
func (l *Lexer) Gaps(p Policy) *Gaps {
	if len(l.kinds) >= (0x100-firstMark)<<8 || slices.ContainsFunc(l.grammar.Rules, func(r *grammar.Rule) bool {
		return hasMarks(r.Body) || r.Kind == grammar.Syntax && hasUnmarked(r.Body)
	}) {
		return nil
	}
	g := &Gaps{j: l.Joiner(p, nil), simple: l.context == nil && l.lines == nil, bytes: newByteClasses(l.modes), texts: make([]string, len(l.kinds))}
	for text, k := range l.byText {
		g.texts[k] = text
	}
	for _, m := range l.modes {
		g.simple = g.simple && m.leave == nil
	}
	g.forget()
	return g
}

// hasUnmarked reports whether e refers to a part of a token: a fragment or an inline rule.
func hasUnmarked(e *grammar.Expr) bool {
	return e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind.Lexical() && (e.Rule.Kind == grammar.Fragment || e.Rule.Inline) ||
		slices.ContainsFunc(e.Children, hasUnmarked)
}

func hasMarks(e *grammar.Expr) bool {
	return e.Op == grammar.Lit && strings.ContainsFunc(strings.ToValidUTF8(e.Text, "\uFFFF"), func(r rune) bool { return r == 0xffff }) ||
		slices.ContainsFunc(e.Children, hasMarks)
}

// Mark returns the mark of a terminal for [Gaps.Add]. The mark stands behind the
// terminal's text, or in place of the text if alone is true.
func (l *Lexer) Mark(e *grammar.Expr) (mark string, alone bool) {
	k := l.KindOf(e)
	return string([]byte{byte(firstMark + (k+1)>>8), byte(k + 1)}), k >= 0 && e.Op == grammar.Lit
}

func (g *Gaps) forget() {
	g.memory = 0
	g.joints, g.nodes, g.next = nil, []gapNode{{}}, make([]int32, g.bytes.n)
	g.known, g.states = map[string]int32{}, map[*state]uint64{}
	if g.simple {
		g.joint(joint{place: g.j.l.begin()}, false)
	}
}

// Append lays out a whole text and appends it to dst: see [Gaps.Begin] and [Gaps.Add].
func (g *Gaps) Append(dst, marked []byte, choose func(n int) int) ([]byte, error) {
	g.Begin(choose)
	dst, _, err := g.Add(dst, marked)
	if err != nil {
		return dst, err
	}
	return g.End(dst)
}

// Begin begins a text. choose is used as in [Lexer.Joiner].
func (g *Gaps) Begin(choose func(n int) int) {
	g.now, g.last = 0, 0
	if !g.simple {
		g.j = g.j.l.Joiner(g.j.policy, choose)
		return
	}
	g.j.choose = choose
	if g.memory > maxGapMemory {
		g.forget()
	}
}

// Add lays out tokens and appends them to dst. In marked, each terminal is followed by its
// mark; a literal is its mark alone. Add reads n bytes and leaves a terminal whose mark is
// missing at the end for the next call. The error is [ErrRefused].
func (g *Gaps) Add(dst, marked []byte) (_ []byte, n int, err error) {
	if !g.simple {
		return g.slowly(dst, marked)
	}
	for n < len(marked) {
		begin, at := n, n
		var r *gapResult
		var kind int
		if marked[at] >= firstMark {
			if at+2 > len(marked) {
				break
			}
			kind = markedKind(marked[at:])
			n = at + 2
			if kind < 0 || g.texts[kind] == "" { // the terminal's text is empty
				continue
			}
			if lits := g.joints[g.now].lits; lits != nil {
				r = lits[kind]
			}
			if r == nil {
				r = g.literal(kind)
			}
			if len(r.seps) > 0 {
				i := g.j.pick(len(r.seps))
				dst, g.now, g.last = append(dst, r.seps[i]...), r.after[i], len(g.texts[kind])
				continue
			}
			return dst, n, g.refuse(dst, kind, []byte(g.texts[kind]))
		}
		node := g.joints[g.now].start
		if node == notMade {
			node = g.startOf(g.now)
		}
		for ; at < len(marked) && marked[at] < firstMark; at++ {
			class := g.bytes.of[marked[at]]
			next := g.next[int(node)*g.bytes.n+int(class)]
			if next == 0 {
				next = g.step(node, class)
			}
			node = next
		}
		if at+2 > len(marked) {
			break
		}
		text := marked[begin:at]
		kind = markedKind(marked[at:])
		n = at + 2
		if kind != g.j.l.char || utf8.RuneCount(text) == 1 {
			r = g.result(node, kind)
		}
		if r == nil {
			g.Slow++
			r = g.slowResult(g.now, kind, string(text))
		}
		if len(r.seps) == 0 {
			return dst, n, g.refuse(dst, kind, text)
		}
		i := g.j.pick(len(r.seps))
		dst = append(append(dst, r.seps[i]...), text...)
		g.now, g.last = r.after[i], len(text)
	}
	return dst, n, nil
}

// markedKind returns the kind of a mark.
func markedKind(mark []byte) int { return int(mark[0]-firstMark)<<8 + int(mark[1]) - 1 }

// End ends a text: it appends the final layout. The error is [ErrRefused].
func (g *Gaps) End(dst []byte) ([]byte, error) {
	if !g.simple {
		gap, err := g.j.End()
		return append(dst, gap...), g.told(err)
	}
	ends := &g.joints[g.now].ends
	if *ends == nil {
		g.j.now, g.j.last = g.joints[g.now].joint, string(dst[len(dst)-g.last:])
		var err error
		if *ends, err = g.j.ends(); err != nil {
			return dst, g.told(err)
		}
	}
	return append(dst, (*ends)[g.j.pick(len(*ends))]...), nil
}

// literal returns the layouts before a literal at the joint now, each with the literal's text.
func (g *Gaps) literal(kind int) *gapResult {
	g.Slow++
	text := g.texts[kind]
	r := g.slowResult(g.now, kind, text)
	for i := range r.seps {
		r.seps[i] += text
	}
	s := &g.joints[g.now]
	if s.lits == nil {
		s.lits = make([]*gapResult, len(g.j.l.kinds))
		g.memory += 8 * len(s.lits)
	}
	s.lits[kind] = r
	g.memory += gapSeparatorSize
	return r
}

// refuse records that a token cannot follow dst, and returns [ErrRefused].
func (g *Gaps) refuse(dst []byte, kind int, text []byte) error {
	f := &g.refused
	f.now, f.kind, f.err = g.now, kind, nil
	f.text, f.last = append(f.text[:0], text...), append(f.last[:0], dst[len(dst)-g.last:]...)
	return ErrRefused
}

// told records an error of the joiner, and returns [ErrRefused] for a [JoinError].
func (g *Gaps) told(err error) error {
	if err == nil {
		return nil
	}
	if errors.As(err, &g.refused.err) {
		return ErrRefused
	}
	return err
}

// Refused returns the reason of the last [ErrRefused]. It is valid until the next text begins.
func (g *Gaps) Refused() *JoinError {
	f := &g.refused
	if f.err != nil {
		return f.err
	}
	g.j.now, g.j.last = g.joints[f.now].joint, string(f.last)
	return g.j.refuse(f.kind, string(f.text), g.j.wanted(f.kind, string(f.text)))
}

// slowly is Add by means of the joiner.
func (g *Gaps) slowly(dst, marked []byte) (_ []byte, n int, err error) {
	for n < len(marked) {
		at := n + slices.IndexFunc(marked[n:], func(b byte) bool { return b >= firstMark })
		if at < n || at+2 > len(marked) {
			break
		}
		text, kind := string(marked[n:at]), markedKind(marked[at:])
		n = at + 2
		if text == "" && kind >= 0 {
			text = g.texts[kind]
		}
		gap, err := g.j.Next(kind, text)
		if err != nil {
			return dst, n, g.told(err)
		}
		dst = append(dst, gap...)
		if !g.j.l.isTurn(kind) {
			dst = append(dst, text...)
		}
		g.Slow++
	}
	return dst, n, nil
}
