package parse

import (
	"math/bits"
	"unicode/utf8"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// The ways of a node are ordered by their choice sequences without building these. Each
// settled node has a digest of the sequence of its canonical tree. So a comparison skips the
// common parts of two sequences: its time depends on the depth of the first difference.
//
// The sequences here also have a 1 for each element of a repetition up to the minimum, and a 0
// at the end of one with the maximum. Two derivations of one node have these at the same
// places up to their first difference, so the order is unchanged. The insides of tokens are
// left out: they are canonical.

// digest is a sequence's length, its hash, and the power of the base for the length.
type digest struct {
	n         int
	hash, pow uint64
}

// The hash is a polynomial in a fixed base modulo the prime 2^61-1.
const (
	hashPrime = 1<<61 - 1
	hashBase  = 0x0d1f_5ac3_9e24_7b31
)

func mulMod(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	s := lo&hashPrime + (lo>>61 | hi<<3)
	s = s&hashPrime + s>>61
	if s >= hashPrime {
		s -= hashPrime
	}
	return s
}

var emptyDigest = digest{pow: 1}

func (d digest) then(e digest) digest {
	h := mulMod(d.hash, e.pow) + e.hash
	if h >= hashPrime {
		h -= hashPrime
	}
	return digest{d.n + e.n, h, mulMod(d.pow, e.pow)}
}

func digestOf(choice int) digest { return digest{1, uint64(choice) + 1, hashBase} }

// piece is a part of a choice sequence: a choice, or the sequence of a node or of an empty
// nonterminal.
type piece struct {
	kind  pieceKind
	value int32 // the choice, or the number of the node or empty nonterminal
}

type pieceKind uint8

const (
	pieceEnd pieceKind = iota
	pieceChoice
	pieceNode
	pieceEmpty
)

// sequence walks the choice sequence of a way of a node.
type sequence struct {
	f     *Forest
	stack []sequenceFrame
}

type sequenceFrame struct {
	steps    []step
	children []int32
}

func (s *sequence) begin(f *Forest, id int32) {
	s.f, s.stack = f, append(s.stack[:0], sequenceFrame{f.t.prods[f.nodes[id].prod].steps, f.childrenOf(id)})
}

// next removes and returns the next piece.
func (s *sequence) next() piece {
	for len(s.stack) > 0 {
		fr := &s.stack[len(s.stack)-1]
		if len(fr.steps) == 0 {
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		st := &fr.steps[0]
		children := fr.children
		fr.steps = fr.steps[1:]
		if len(fr.steps) == 0 {
			s.stack = s.stack[:len(s.stack)-1] // so that chains of last children do not nest
		}
		if p := s.f.piece(st, children); p.kind != pieceEnd {
			return p
		}
	}
	return piece{}
}

// piece returns the part of the sequence that a step makes, or pieceEnd for none.
func (f *Forest) piece(s *step, children []int32) piece {
	switch s.op {
	case opOpen:
		if s.expr.Op == grammar.Choice {
			return piece{pieceChoice, s.arg}
		}
	case opElem:
		return piece{pieceChoice, f.ending(s.expr) ^ 1}
	case opClose:
		if s.expr.Op == grammar.Rep {
			return piece{pieceChoice, f.ending(s.expr)}
		}
	case opClass:
		r, _ := utf8.DecodeRuneInString(f.text[f.offset(^children[s.arg]):])
		return piece{pieceChoice, int32(s.expr.MemberIndex(r))}
	case opChild:
		return piece{pieceNode, children[s.arg]}
	case opEmpty:
		return piece{pieceEmpty, s.arg}
	}
	return piece{}
}

// ending is 0 where the end of a repetition goes before another element, else 1.
func (f *Forest) ending(e *grammar.Expr) int32 {
	if f.p.greedy && !f.p.plain && !e.Lazy {
		return 1
	}
	return 0
}

// open replaces the next piece, a node or an empty nonterminal, by its own pieces.
func (s *sequence) open(p piece) {
	t := s.f.t
	if p.kind == pieceEmpty {
		s.stack = append(s.stack, sequenceFrame{steps: t.prods[t.empties[p.value][0]].steps})
		return
	}
	s.stack = append(s.stack, sequenceFrame{t.prods[s.f.nodes[p.value].prod].steps, s.f.childrenOf(p.value)})
}

// digest returns the digest of a piece whose nodes are settled.
func (f *Forest) digest(p piece) digest {
	switch p.kind {
	case pieceNode:
		return f.digests[p.value]
	case pieceEmpty:
		return f.emptyDigest(p.value)
	}
	return digestOf(int(p.value))
}

// emptyDigest returns the digest of the first derivation of an empty nonterminal.
func (f *Forest) emptyDigest(id int32) digest {
	if f.emptyDigests == nil {
		f.emptyDigests = make([]digest, len(f.t.empties))
	}
	if f.emptyDigests[id].pow == 0 { // nested as deep as the grammar
		f.emptyDigests[id] = f.digestSteps(f.t.prods[f.t.empties[id][0]].steps, nil)
	}
	return f.emptyDigests[id]
}

// digestSteps returns the digest of a production's sequence.
func (f *Forest) digestSteps(steps []step, children []int32) digest {
	d := emptyDigest
	for i := range steps {
		if p := f.piece(&steps[i], children); p.kind != pieceEnd {
			d = d.then(f.digest(p))
		}
	}
	return d
}

// before reports whether the sequence of way a of a node comes before that of way b.
func (f *Forest) before(a, b int32) bool {
	x, y := &f.compared[0], &f.compared[1]
	x.begin(f, a)
	y.begin(f, b)
	p, q := x.next(), y.next()
	for {
		switch {
		case p.kind == pieceEnd || q.kind == pieceEnd:
			// Where one sequence is a prefix of the other, it ends a repetition there and the
			// other continues.
			if p.kind == q.kind {
				return false
			}
			e := f.t.nonterms[f.t.prods[f.nodes[a].prod].lhs].expr
			return (p.kind == pieceEnd) == (e == nil || f.ending(e) == 0)
		case p == q:
			p, q = x.next(), y.next()
			continue
		case p.kind == pieceChoice && q.kind == pieceChoice:
			return p.value < q.value
		}
		switch d, e := f.digest(p), f.digest(q); {
		case d == e:
			p, q = x.next(), y.next()
		case d.n == 0:
			p = x.next()
		case e.n == 0:
			q = y.next()
		case d.n > e.n || q.kind == pieceChoice:
			x.open(p)
			p = x.next()
		default:
			y.open(q)
			q = y.next()
		}
	}
}
