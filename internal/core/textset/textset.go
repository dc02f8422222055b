// Package textset counts the distinct texts of ambiguous grammars without their trees.
//
//	s := textset.New(table, 1_000_000) // nil: the texts of parts do not make up those of the whole
//	n, err := s.Count(ctx, 9, 9)       // the distinct texts of size 9
//
// The texts of each node of a program are made from those of its children, each once for every
// size or depth. A text with a million trees costs a few steps.
package textset

import (
	"context"
	"errors"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// DefaultMost is a limit of the texts made, some seconds of work.
const DefaultMost = 3_000_000

// ErrMany is the error that more texts of parts are needed than allowed.
var ErrMany = errors.New("too many texts of parts")

// Sets holds the distinct texts of the nodes of a program at the steps that were asked for. It is
// for one goroutine.
type Sets struct {
	t     *core.Table
	p     *core.Program
	left  int // the texts that may still be made
	bytes float64
	known map[part][]string
	stack []part
}

// part is a node at a depth or of a size.
type part struct {
	id   core.NodeID
	step int
}

// textBytes is the approximate memory of a text, besides its bytes.
const textBytes = 32

// New returns the sets of the program of a table of measure exact. At most limit texts are made,
// those of parts included. It returns nil if the texts of a sequence are not made by joining those
// of its elements: names are in play, or fields are computed. The grammar must have no layout.
func New(t *core.Table, limit int) *Sets {
	p := t.Program()
	if p.Automaton != nil || p.Grammar.Binary || slices.ContainsFunc(p.Nodes, func(n core.Node) bool { return n.IsToken() }) {
		return nil
	}
	return &Sets{t: t, p: p, left: limit, known: map[part][]string{}}
}

// Count returns the number of distinct texts of the sizes from least to most, or of the depth
// least = most. The table must have these steps. Errors: [ErrMany], a [core.MemoryError], the
// context's.
func (s *Sets) Count(ctx context.Context, least, most int) (int, error) {
	if least == most {
		texts, err := s.texts(ctx, part{s.p.Root, least})
		return len(texts), err
	}
	all := map[string]struct{}{}
	for step := least; step <= most; step++ {
		texts, err := s.texts(ctx, part{s.p.Root, step})
		if err != nil {
			return 0, err
		}
		for _, text := range texts {
			all[text] = struct{}{}
		}
	}
	return len(all), nil
}

// texts returns the texts of a part, once those of the parts below it are known.
func (s *Sets) texts(ctx context.Context, of part) ([]string, error) {
	s.stack = append(s.stack[:0], of)
	for len(s.stack) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		top := s.stack[len(s.stack)-1]
		if _, known := s.known[top]; known || s.wait(top) {
			if known {
				s.stack = s.stack[:len(s.stack)-1]
			}
			continue
		}
		texts, err := s.make(ctx, top)
		if err != nil {
			return nil, err
		}
		s.known[top] = texts
		s.stack = s.stack[:len(s.stack)-1]
	}
	return s.known[of], nil
}

// wait puts the unknown parts below a part on the stack, and reports whether there are some.
func (s *Sets) wait(of part) bool {
	before := len(s.stack)
	add := func(k part) {
		if _, known := s.known[k]; !known && s.t.Count(k.id, k.step).Sign() > 0 {
			s.stack = append(s.stack, k)
		}
	}
	n := &s.p.Nodes[of.id]
	switch n.Op {
	case core.Union:
		for _, child := range n.Children {
			add(part{child, of.step})
		}
	case core.Call:
		add(part{n.Children[0], s.p.Back(n, of.step)})
	case core.Prod:
		s.divide(n, of.step, func(x, y part) bool { add(x); add(y); return true })
	}
	return len(s.stack) > before
}

// divide calls do with the parts of the two sides of a product, for each division of a size, until
// it returns false.
func (s *Sets) divide(n *core.Node, step int, do func(x, y part) bool) {
	if s.p.ByDepth() {
		do(part{n.Children[0], step}, part{n.Children[1], step})
		return
	}
	for i := 0; i <= step; i++ {
		x, y := part{n.Children[0], i}, part{n.Children[1], step - i}
		if s.t.Count(x.id, x.step).Sign() > 0 && s.t.Count(y.id, y.step).Sign() > 0 && !do(x, y) {
			return
		}
	}
}

// make makes the texts of a part from those of the parts below it.
func (s *Sets) make(ctx context.Context, of part) (texts []string, err error) {
	n := &s.p.Nodes[of.id]
	switch n.Op {
	case core.Leaf:
		return s.leaf(n, of.step)
	case core.Call:
		return s.known[part{n.Children[0], s.p.Back(n, of.step)}], nil
	case core.Union:
		if len(n.Children) == 1 {
			return s.known[part{n.Children[0], of.step}], nil
		}
		d := distinct{s: s, seen: map[string]struct{}{}}
		for _, child := range n.Children {
			for _, text := range s.known[part{child, of.step}] {
				if err := d.add("", text); err != nil {
					return nil, err
				}
			}
		}
		return d.texts, nil
	}
	d := distinct{s: s, seen: map[string]struct{}{}}
	s.divide(n, of.step, func(x, y part) bool {
		for _, first := range s.known[x] {
			if err = ctx.Err(); err != nil {
				return false
			}
			for _, rest := range s.known[y] {
				if err = d.add(first, rest); err != nil {
					return false
				}
			}
		}
		return true
	})
	return d.texts, err
}

// leaf returns the texts of a terminal.
func (s *Sets) leaf(n *core.Node, size int) (texts []string, err error) {
	if n.Expr == nil {
		return []string{""}, nil
	}
	for _, w := range n.Ways {
		if !s.p.ByDepth() && w.Size != size {
			continue
		}
		for i := range w.N {
			node := derive.Node{Expr: n.Expr}
			if n.Expr.Op == grammar.Class {
				node.Val = int(n.Expr.Gen.At(s.p.Member(n.Expr, w.Size, i)))
			}
			texts = append(texts, string(node.AppendText(nil)))
		}
	}
	return texts, s.take(len(texts), textBytes*float64(len(texts)))
}

// take charges texts that were made, and their memory.
func (s *Sets) take(n int, bytes float64) error {
	s.left -= n
	if s.left < 0 {
		return ErrMany
	}
	s.bytes += bytes
	return s.p.Budget.Ask("the texts of parts", s.bytes)
}

// distinct collects texts without repeats.
type distinct struct {
	s       *Sets
	seen    map[string]struct{}
	scratch []byte
	texts   []string
}

// add adds the text of two parts.
func (d *distinct) add(first, rest string) error {
	d.scratch = append(append(d.scratch[:0], first...), rest...)
	if _, known := d.seen[string(d.scratch)]; known {
		return d.s.take(1, 0)
	}
	text := rest
	bytes := float64(textBytes)
	if first != "" {
		text = string(d.scratch)
		bytes += float64(len(text))
	}
	d.seen[text] = struct{}{}
	d.texts = append(d.texts, text)
	return d.s.take(1, bytes)
}
