package sample

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/rawbyte"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// walkRun makes walks of a program on one goroutine.
type walkRun struct {
	p     *walkProgram
	str   *randombits.Stream
	stack []walkFrame

	text        []byte // of the walk, after the text already there
	choices     []int  // recorded where record is set
	record      bool
	size, depth int

	watch func(text []byte) error // see attempt.watch; nil: none

	allowed []int // scratch
}

// watchStep is the number of bytes after which a watched walk shows its text again.
const watchStep = 8

// walkFrame is an expression that has begun.
type walkFrame struct {
	node, next int32
	depth      int32
	mark       int // bytes of the text when it began
}

// walkState is a walk's account of its size.
type walkState struct {
	slack int64
	bytes int // of the text, without marks
	nodes int // of its tree
}

// walk makes a walk. It fails as a [derive.Machine] does.
func (r *walkRun) walk(ctx context.Context) error {
	p := r.p
	s := walkState{slack: math.MaxInt64 / 2}
	if p.maxSize > 0 {
		s.slack = int64(p.maxSize - p.least)
	}
	begun, deepest := s.slack, int32(0)
	left := int32(grammar.Never - 1)
	if p.maxDepth > 0 {
		left = min(left, int32(p.maxDepth))
	}
	watchAt := math.MaxInt
	if r.watch != nil {
		watchAt = watchStep
	}
	stack, depth, edge := r.stack[:0], int32(0), &p.root
	r.choices = r.choices[:0]
	for draws := 1; ; draws++ {
		if draws&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(r.text) >= watchAt {
			if err := r.watch(r.text); err != nil {
				return err
			}
			watchAt = len(r.text) + watchStep
		}
		depth += edge.level
		deepest = max(deepest, depth)
		s.nodes += edge.nodes
		n := &p.nodes[edge.to]
		switch n.op {
		case walkText:
			r.text = append(r.text, n.text...)
			s.bytes += int(n.bytes)
			deepest = max(deepest, depth+n.deep)
		case walkClass:
			r.member(n, &s)
		case walkChoice:
			alt, err := r.alternative(n, &s, left-depth)
			if err != nil {
				return err
			}
			edge = &n.edges[alt]
			s.slack -= int64(edge.cost)
			continue
		default:
			stack = append(stack, walkFrame{edge.to, 0, depth, s.bytes})
		}
		if s.nodes > p.maxNodes {
			r.stack = stack
			return fmt.Errorf("%w: more than %d nodes", derive.ErrTooLarge, p.maxNodes)
		}
		for edge = nil; edge == nil; {
			last := len(stack) - 1
			if last < 0 {
				r.stack = stack
				r.size, r.depth = p.least+int(begun-s.slack), int(deepest)
				return nil
			}
			f := &stack[last]
			n := &p.nodes[f.node]
			depth = f.depth
			switch {
			case n.op == walkRep:
				var err error
				if edge, err = r.another(n, f, &s, left-depth); err != nil {
					return err
				}
				if edge == nil {
					stack = stack[:last]
				}
			case n.nonEmpty:
				if edge = n.element(f, &s, int(left-depth)); edge == nil {
					stack = stack[:last]
				}
			default:
				edge = &n.edges[f.next]
				if f.next++; int(f.next) == len(n.edges) {
					stack = stack[:last]
				}
			}
		}
	}
}

// draw draws one of n values.
func (r *walkRun) draw(n int) int {
	u := r.str.Next()
	i, lo := bits.Mul64(u, uint64(n))
	if lo > -uint64(n) {
		i = uint64(r.str.Pick(u, n))
	}
	return int(i)
}

// note records the choice of a value if choices are recorded.
func (r *walkRun) note(i int, n *walkNode) {
	if !r.record {
		return
	}
	if values := n.values; values != nil {
		i = values[i]
	}
	r.choices = append(r.choices, i)
}

// member draws the character of a class.
func (r *walkRun) member(n *walkNode, s *walkState) {
	i := r.draw(int(n.members))
	r.note(i, n)
	size := 1
	if n.ascii != "" {
		r.text = append(r.text, n.ascii[i])
	} else {
		c := n.gen.At(i)
		r.text = rawbyte.Append(r.text, c)
		size = rawbyte.Len(c)
	}
	s.bytes += size
	if n.least >= 0 {
		s.slack -= int64(size) - int64(n.least)
	}
	r.text = append(r.text, n.text...)
}

// alternative draws one of the edges of a choice that can finish within the remaining levels
// of depth and the slack, or the smallest one if none can.
func (r *walkRun) alternative(n *walkNode, s *walkState, left int32) (int, error) {
	if left >= n.allDepth && s.slack >= int64(n.allSize) {
		if n.total > 0 {
			return r.byWeight(n, nil, n.total), nil
		}
		i := r.draw(len(n.edges))
		r.note(i, n)
		return i, nil
	}
	r.allowed = r.allowed[:0]
	smallest, total := -1, 0
	for i := range n.edges {
		switch e := &n.edges[i]; {
		case e.depth > left:
		case int64(e.size) <= s.slack:
			r.allowed = append(r.allowed, i)
		case smallest < 0 || e.size < n.edges[smallest].size:
			smallest = i
		}
	}
	if len(r.allowed) == 0 && smallest >= 0 {
		r.allowed = append(r.allowed, smallest)
	}
	if len(r.allowed) == 0 {
		return 0, fmt.Errorf("%v: no alternative of rule can be taken here", n.pos)
	}
	for _, i := range r.allowed {
		if n.weights != nil {
			total += n.weights[i]
		}
	}
	if total > 0 {
		return r.byWeight(n, r.allowed, total), nil
	}
	i := r.allowed[r.draw(len(r.allowed))]
	r.note(i, n)
	return i, nil
}

// byWeight draws one of the allowed edges of a choice by weight; nil allows all.
func (r *walkRun) byWeight(n *walkNode, allowed []int, total int) int {
	at, i := r.str.Intn(total), 0
	for k := 0; ; k++ {
		if i = k; allowed != nil {
			i = allowed[k]
		}
		if at -= n.weights[i]; at < 0 {
			break
		}
	}
	r.note(i, n)
	return i
}

// another decides whether a repetition gets one more element, and returns the edge to it.
func (r *walkRun) another(n *walkNode, f *walkFrame, s *walkState, left int32) (*walkEdge, error) {
	next := int(f.next)
	owed := n.nonEmpty && s.bytes == f.mark
	k := 0
	if next >= n.min {
		k = 1
	}
	if owed && next == n.last-1 {
		k = 2
	}
	e := &n.edges[k]
	f.next++
	switch {
	case next < n.min:
		return e, nil
	case next == n.max:
		return nil, nil
	}
	more := next < n.last && e.depth <= left && (owed || int64(e.size) <= s.slack)
	switch {
	case more && !owed:
		more = r.str.Next()>>63 == 1
	case more || !owed:
		r.str.Next() // one value
	default:
		return nil, fmt.Errorf("%v: the repetition can neither stop nor go on", n.pos)
	}
	if !more {
		if r.record {
			r.choices = append(r.choices, 0)
		}
		return nil, nil
	}
	if r.record {
		r.choices = append(r.choices, 1)
	}
	s.slack -= int64(e.cost)
	return e, nil
}

// element returns the edge to the next element of a sequence that must not be empty; nil
// at its end.
func (n *walkNode) element(f *walkFrame, s *walkState, left int) *walkEdge {
	i := int(f.next)
	if i == len(n.later) {
		return nil
	}
	f.next++
	if s.bytes == f.mark && n.later[i] > left {
		return &n.edges[2*i+1]
	}
	return &n.edges[2*i]
}
