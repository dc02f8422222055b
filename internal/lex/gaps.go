package lex

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Gaps lays out texts as [Joiner] does, at a table look-up for each byte: it remembers
// what the joiner found out. Between two tokens the joiner's state is a joint. From a
// joint, the separators that may stand before the next token depend on that token's text
// by the states of a few automata alone, one for each match under way and one for the
// token. These states together are a node, and nodes have a transition for each class of
// bytes. Of literals the text is known, and so is the layout between a joint and one.
//
// Tokens that are chains of `more` rules, and all under context lexing and where indentation
// has a meaning, go through a joiner each time. A Gaps is for one goroutine.
//
//	g.Begin(choose)
//	dst, n, err := g.Add(dst, marked) // as often as there is more
//	dst, err = g.End(dst)
type Gaps struct {
	Slow int // tokens that were laid out by a joiner

	j      *Joiner
	simple bool // joints can be remembered
	bytes  *byteClasses
	texts  []string // by kind: that of a literal, which is known from the kind
	joints []gapJoint
	nodes  []gapNode
	next   []int32 // by node and class of bytes: the next node; 0 is not made, since nothing leads to node 0
	known  map[string]int32
	states map[*state]uint64 // numbers of states, in keys
	memory int               // of all these, in bytes
	key    []byte
	seps   []gapSeparator // scratch

	now     int32 // the joint behind the text so far
	last    int   // the length of the last token
	refused refusal
}

// refusal is a token that could not stand behind a joint.
type refusal struct {
	now        int32
	kind       int
	text, last []byte
	err        *JoinError // or the joiner's own error
}

// ErrRefused says that a text cannot be laid out. [Gaps.Refused] says why.
var ErrRefused = errors.New("the text has no layout in which it is read as its tokens")

// gapJoint is a joint that is remembered.
type gapJoint struct {
	joint
	begun bool
	start int32        // the node before the next token; or notMade
	lits  []*gapResult // by kind: those of a literal next, with its text
	ends  []string     // the layouts that may stand at the end of the text; nil: not made
}

const notMade = -1

// gapNode is a place within the text of a token, for all separators before it that fit so
// far.
type gapNode struct {
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
// and the joints behind it. Of a literal the text is with each layout.
type gapResult struct {
	kind  int
	seps  []string
	after []int32
}

// maxGapMemory bounds the memory of a Gaps between two texts, in bytes and approximately.
const maxGapMemory = 32 << 20

// Sizes of the parts that are remembered, a state with its transitions by byte.
const (
	gapNodeSize      = 400
	gapJointSize     = 250
	gapSeparatorSize = 200
	stateSize        = 2400
)

// Bytes from firstMark on occur in no UTF-8: a mark begins with one.
const firstMark = 0xf5

// Gaps returns an empty memory of gaps; nil where marks could not be told from texts, or
// syntax rules have parts of tokens.
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

// hasUnmarked reports whether a part of a token stands below e.
func hasUnmarked(e *grammar.Expr) bool {
	return e.Op == grammar.Ref && e.Rule != nil && e.Rule.Kind.Lexical() && (e.Rule.Kind == grammar.Fragment || e.Rule.Inline) ||
		slices.ContainsFunc(e.Children, hasUnmarked)
}

func hasMarks(e *grammar.Expr) bool {
	return e.Op == grammar.Lit && strings.ContainsFunc(strings.ToValidUTF8(e.Text, "\uFFFF"), func(r rune) bool { return r == 0xffff }) ||
		slices.ContainsFunc(e.Children, hasMarks)
}

// Mark returns the bytes that stand behind the text of a terminal, as [Gaps.Add] reads
// them; with alone, in its place.
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

// Append appends a text to dst, laid out, see [Gaps.Begin] and [Gaps.Add].
func (g *Gaps) Append(dst, marked []byte, choose func(n int) int) ([]byte, error) {
	g.Begin(choose)
	dst, _, err := g.Add(dst, marked)
	if err != nil {
		return dst, err
	}
	return g.End(dst)
}

// Begin begins a text. choose is asked as the joiner asks.
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

// Add appends tokens to dst, laid out. In marked each terminal has its mark behind it, but
// literals have their mark alone. It reads n bytes: a terminal without a mark at the
// end is left for the next call. The error is [ErrRefused].
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

// End ends a text: it appends the layout at its end. The error is [ErrRefused].
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

// literal returns the layouts before a literal behind the joint now, with its text.
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

// refuse notes that a token cannot stand behind dst.
func (g *Gaps) refuse(dst []byte, kind int, text []byte) error {
	f := &g.refused
	f.now, f.kind, f.err = g.now, kind, nil
	f.text, f.last = append(f.text[:0], text...), append(f.last[:0], dst[len(dst)-g.last:]...)
	return ErrRefused
}

// told notes an error of the joiner.
func (g *Gaps) told(err error) error {
	if err == nil {
		return nil
	}
	if errors.As(err, &g.refused.err) {
		return ErrRefused
	}
	return err
}

// Refused returns the reason of the last [ErrRefused], before the next text.
func (g *Gaps) Refused() *JoinError {
	f := &g.refused
	if f.err != nil {
		return f.err
	}
	g.j.now, g.j.last = g.joints[f.now].joint, string(f.last)
	return g.j.refuse(f.kind, string(f.text), g.j.wanted(f.kind, string(f.text)))
}

// slowly is Add through a joiner.
func (g *Gaps) slowly(dst, marked []byte) (_ []byte, n int, err error) {
	for n < len(marked) {
		at := n + slices.IndexFunc(marked[n:], func(b byte) bool { return b >= firstMark })
		if at < n || at+2 > len(marked) {
			break
		}
		text, kind := string(marked[n:at]), markedKind(marked[at:])
		if n = at + 2; text == "" && kind >= 0 {
			text = g.texts[kind]
		}
		gap, err := g.j.Next(kind, text)
		if err != nil {
			return dst, n, g.told(err)
		}
		if dst = append(dst, gap...); !g.j.l.isTurn(kind) {
			dst = append(dst, text...)
		}
		g.Slow++
	}
	return dst, n, nil
}
