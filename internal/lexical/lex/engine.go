package lex

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/random"
)

// maxCached bounds the states that an engine keeps. Beyond that, it discards all states
// and starts over. A state takes about 2 kB.
const maxCached = 8192

// maxThreads bounds the threads of a state. Only recursive rules with extreme ambiguity
// come near; the least preferred threads are then dropped.
const maxThreads = 1 << 14

// engine runs all rules of one mode over bytes in parallel. It is a lazily built
// deterministic automaton: a state is built when a text first needs it. Rules that no
// text uses cost nothing, and a byte with a known transition costs one load. It is safe
// for concurrent use.
type engine struct {
	code   []instr
	starts []int32 // of the candidates, best first
	prio   []int   // by candidate: its priority; nil where all are equal

	begin atomic.Pointer[state]
	mu    sync.Mutex
	known map[string]*state
	calls map[frameKey]*frame
	count uint64
	mark  threadSet // scratch
	key   []byte    // scratch
}

// state is a state of the deterministic automaton. next is filled in as texts need it.
type state struct {
	next    [256]atomic.Pointer[state]
	accept  int32 // the candidate of a match that ends here, or -1
	atEnd   int32 // the candidate that matches if the text ends here, or -1
	threads []thread
}

// none is the dead state.
var none = &state{accept: -1, atEnd: -1}

// thread is one position in the program, on behalf of candidate alt. part is the prefix
// of a character read so far, and whether a non-greedy decision was passed.
type thread struct {
	at   int32
	alt  int32
	part part
	up   *frame // the return address of the call in progress; nil outside of calls
}

// maxNesting bounds the depth of recursive rules: a more deeply nested comment is no match.
const maxNesting = 200

// threadSet is a hash set of threads. It is emptied in constant time and reuses its memory.
type threadSet struct {
	slots []markedThread // a power of two in number, at most half of them in use
	round uint32
	n     int
}

type markedThread struct {
	thread
	round uint32 // the round that added it; it is in the set during that round only
}

// begin empties the set.
func (s *threadSet) begin() {
	s.round++
	if s.round == 0 {
		clear(s.slots)
		s.round = 1
	}
	s.n = 0
}

// add adds a thread, and reports whether it is new.
func (s *threadSet) add(t thread) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	h := uint64(t.at)<<32 | uint64(uint32(t.alt))
	if t.up != nil {
		h += t.up.id * random.Gamma
	}
	mask := uint64(len(s.slots) - 1)
	for i := random.Mix(h + uint64(t.part)<<16); ; i++ {
		switch e := &s.slots[i&mask]; {
		case e.round != s.round:
			*e = markedThread{t, s.round}
			s.n++
			return true
		case e.thread == t:
			return false
		}
	}
}

func (s *threadSet) grow() {
	old := s.slots
	s.slots, s.n = make([]markedThread, max(64, 2*len(old))), 0
	for i := range old {
		if old[i].round == s.round {
			s.add(old[i].thread)
		}
	}
}

// frame is the return address of a call. Equal frames are shared.
type frame struct {
	up    *frame
	next  int32
	depth int32
	id    uint64
}

type frameKey struct {
	up   *frame
	next int32
}

// part is the packed prefix of a character: the bits so far, the number of missing bytes,
// the length of the character, and whether any remainder matches. It also holds the flag
// of a passed non-greedy decision.
type part uint32

const (
	partAny  part = 1 << 29
	partLazy part = 1 << 30
)

func newPart(bits uint32, missing, length int) part {
	return part(bits | uint32(missing)<<21 | uint32(length)<<24)
}

func (p part) bits() uint32 { return uint32(p) & (1<<21 - 1) }
func (p part) missing() int { return int(p>>21) & 7 }
func (p part) length() int  { return int(p>>24) & 7 }

func newEngine(code []instr, starts []int32) *engine {
	return &engine{code: code, starts: starts}
}

// start returns the state before the first byte.
func (g *engine) start() *state {
	if s := g.begin.Load(); s != nil {
		return s
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.restart()
}

// restart discards every state and makes the start state anew.
func (g *engine) restart() *state {
	g.known, g.calls = make(map[string]*state), make(map[frameKey]*frame)
	g.mark.begin()
	var out []thread
	for alt, at := range g.starts {
		out, _ = g.follow(out, thread{at: at, alt: int32(alt)}, false, 0)
	}
	s := g.intern(out)
	g.begin.Store(s)
	return s
}

// step returns the state after byte b, never nil.
func (g *engine) step(s *state, b byte) *state {
	if n := s.next[b].Load(); n != nil {
		return n
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) > maxCached {
		g.restart()
	}
	g.mark.begin()
	var out []thread
	done := int32(-1) // the candidate that has reached its end: see nfa.ordered
	for _, t := range s.threads {
		if len(out) > maxThreads {
			break
		}
		if t.alt == done && t.part&partLazy != 0 {
			continue
		}
		n, whole, ok := g.read(t, b)
		switch {
		case !ok:
		case !whole:
			out = append(out, n)
		default:
			var reached bool
			out, reached = g.follow(out, n, t.alt == done, 0)
			if reached {
				done = t.alt
			}
		}
	}
	n := g.intern(out)
	s.next[b].Store(n)
	return n
}

// read advances t by the byte b. whole says that the instruction is complete.
func (g *engine) read(t thread, b byte) (n thread, whole, ok bool) {
	in := &g.code[t.at]
	n = thread{at: in.next, alt: t.alt, part: t.part & partLazy, up: t.up}
	switch in.op {
	case opByte:
		return n, true, in.b == b
	case opSet:
	default:
		return n, false, false
	}
	p := t.part &^ partLazy
	switch {
	case p == 0 && b < utf8.RuneSelf:
		return n, true, in.set.Has(rune(b))
	case p == 0:
		p, ok = lead(b)
	default:
		ok = b&0xC0 == 0x80
		p = newPart(p.bits()<<6|uint32(b&0x3F), p.missing()-1, p.length()) | p&partAny
		if p&partAny != 0 {
			p = newPart(0, p.missing(), 0) | partAny // the same for all prefixes, so that they share a state
		}
	}
	if !ok {
		return n, false, false
	}
	if p&partAny == 0 {
		p, ok = narrow(p, *in.set)
	}
	if !ok || p.missing() == 0 {
		return n, true, ok
	}
	n.at, n.part = t.at, p|t.part&partLazy
	return n, false, true
}

// lead reads the first byte of a character of several bytes.
func lead(b byte) (part, bool) {
	switch {
	case b >= 0xC2 && b <= 0xDF:
		return newPart(uint32(b&0x1F), 1, 2), true
	case b >= 0xE0 && b <= 0xEF:
		return newPart(uint32(b&0x0F), 2, 3), true
	case b >= 0xF0 && b <= 0xF4:
		return newPart(uint32(b&0x07), 3, 4), true
	}
	return 0, false
}

// narrow reports whether a character with the prefix p can be in set. If all characters
// with that prefix are, it returns a part that accepts any remainder.
func narrow(p part, set grammar.Set) (part, bool) {
	shift := 6 * p.missing()
	lo := rune(p.bits() << shift)
	hi := lo | (1<<shift - 1)
	least := [...]rune{0, 0, 0x80, 0x800, 0x10000}[p.length()]
	from, to := max(lo, least), min(hi, utf8.MaxRune)
	switch n := members(set, from, to); {
	case n == 0:
		return 0, false
	case n == int(hi-lo)+1 && p.missing() > 0:
		return newPart(0, p.missing(), 0) | partAny, true
	}
	return p, true
}

// members counts the members of s from lo to hi.
func members(s grammar.Set, lo, hi rune) int {
	if lo > hi {
		return 0
	}
	return rank(s, hi+1) - rank(s, lo)
}

// rank counts the members of s below r.
func rank(s grammar.Set, r rune) int {
	rs := s.Ranges()
	lo, hi := 0, len(rs)
	for lo < hi {
		if mid := (lo + hi) / 2; rs[mid].Hi < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	switch {
	case lo == len(rs):
		return s.Len()
	case rs[lo].Lo >= r:
		return s.Index(rs[lo].Lo)
	}
	return s.Index(rs[lo].Lo) + int(r-rs[lo].Lo)
}

// follow adds the threads that t reaches without reading, best first. done says whether
// the candidate has already reached its end; the result says whether it has by now. calls
// counts the calls on the way, to bound left-recursive rules.
func (g *engine) follow(out []thread, t thread, done bool, calls int) ([]thread, bool) {
	in := &g.code[t.at]
	if in.lazy {
		t.part |= partLazy
	}
	if !g.mark.add(t) {
		return out, done
	}
	switch in.op {
	case opFork:
		for _, to := range in.to {
			out, done = g.follow(out, thread{to, t.alt, t.part, t.up}, done, calls)
		}
	case opCall:
		if calls > len(g.code) || g.mark.n > 4*maxThreads || t.up != nil && t.up.depth >= maxNesting {
			return out, done
		}
		return g.follow(out, thread{in.to[0], t.alt, t.part, g.frame(t.up, in.next)}, done, calls+1)
	case opReturn:
		if t.up == nil {
			return append(out, t), true
		}
		return g.follow(out, thread{t.up.next, t.alt, t.part, t.up.up}, done, calls)
	default:
		if !done || t.part&partLazy == 0 {
			out = append(out, t)
		}
	}
	return out, done
}

func (g *engine) frame(up *frame, next int32) *frame {
	k := frameKey{up, next}
	f := g.calls[k]
	if f == nil {
		g.count++
		f = &frame{up: up, next: next, id: g.count}
		if up != nil {
			f.depth = up.depth + 1
		}
		g.calls[k] = f
	}
	return f
}

// preferred drops the threads of candidates with a lower priority than one that matches
// here.
func (g *engine) preferred(threads []thread) []thread {
	if g.prio == nil {
		return threads
	}
	best, matches := 0, false
	for _, t := range threads {
		if g.code[t.at].op == opReturn && t.up == nil && (!matches || g.prio[t.alt] > best) {
			best, matches = g.prio[t.alt], true
		}
	}
	if !matches {
		return threads
	}
	return slices.DeleteFunc(threads, func(t thread) bool { return g.prio[t.alt] < best })
}

// intern returns the state with these threads.
func (g *engine) intern(threads []thread) *state {
	if len(threads) == 0 {
		return none
	}
	threads = g.preferred(threads)
	g.key = g.key[:0]
	for _, t := range threads {
		g.key = binary.AppendUvarint(g.key, uint64(t.at))
		g.key = binary.AppendUvarint(g.key, uint64(t.alt))
		g.key = binary.AppendUvarint(g.key, uint64(t.part))
		id := uint64(0)
		if t.up != nil {
			id = t.up.id
		}
		g.key = binary.AppendUvarint(g.key, id)
	}
	if s := g.known[string(g.key)]; s != nil {
		return s
	}
	s := &state{accept: -1, atEnd: -1, threads: threads}
	for _, t := range threads {
		if g.code[t.at].op == opReturn && t.up == nil && (s.accept < 0 || t.alt < s.accept) {
			s.accept = t.alt
		}
		if in := &g.code[t.at]; in.op == opEnd && s.atEnd < 0 {
			g.mark.begin()
			if _, reached := g.follow(nil, thread{in.next, t.alt, t.part, t.up}, false, 0); reached {
				s.atEnd = t.alt
			}
		}
	}
	g.known[string(g.key)] = s
	return s
}
