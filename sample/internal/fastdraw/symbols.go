package fastdraw

import (
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// With names in play, the compiled program writes symbols in their place. The number of a name
// among the possible ones can be drawn in advance and stored in tables of finished texts, but
// its text depends on the sentence so far. A second pass over a finished sentence inserts the
// names. Without names there are no symbols and no second pass.

// A symbol is a byte that never occurs in UTF-8, for its sort; a name has one or two more
// bytes, for its number. Sorts beyond the first few have two bytes of their own after
// longMark. Sort 0 stands before a byte of a literal that would be read as a mark.
const (
	firstMark = 0xf5
	longMark  = 0xff
)

// symbolSort is the meaning of a symbol. The zero value is the byte that follows.
type symbolSort struct {
	act   core.Effect
	el    core.Action
	fresh bool
	first int
	size  int // bytes of the name if the program distinguishes lengths, else 0
	index int // number of bytes of the name's number
}

// symbolKey identifies a sort.
type symbolKey struct {
	act     core.Effect
	kind    int
	ns      int
	classes uint64 // the other components of a name
	fresh   bool
	size    int
	first   int // of a name that may hide others: its first choice
}

// symbols are the symbols of a program. They are immutable.
type symbols struct {
	names *scope.Names
	codes map[symbolKey]int
	sorts []symbolSort
	sized bool
}

// newSymbols returns the symbols of a program, or nil if there are no names.
func newSymbols(p *core.Program) *symbols {
	names := scope.NamesOf(p)
	if names == nil {
		return nil
	}
	s := &symbols{names: names, codes: map[symbolKey]int{}, sorts: make([]symbolSort, 1), sized: p.Unit == grammar.Bytes && !p.ByDepth()}
	for i := range p.Nodes {
		node := &p.Nodes[i]
		if node.Effect == core.NoEffect {
			continue
		}
		k := s.key(node)
		code, ok := s.codes[k]
		if !ok {
			code = len(s.sorts)
			s.codes[k] = code
			s.sorts = append(s.sorts, s.sort(k))
		}
		if sort := &s.sorts[code]; sort.act == core.OwnLeaf && node.Ways[0].N > 1<<8 {
			sort.index = 2
		}
	}
	return s
}

// sort returns the meaning of the symbols of a key.
func (s *symbols) sort(k symbolKey) symbolSort {
	sort := symbolSort{act: k.act, el: core.Action{Kind: k.kind, Component: k.ns, Classes: k.classes}, fresh: k.fresh, size: k.size, first: k.first}
	if k.act == core.OwnLeaf {
		sort.index = 1
	}
	return sort
}

func (s *symbols) key(node *core.Node) symbolKey {
	k := symbolKey{act: node.Effect, ns: node.Component}
	if node.Effect == core.OwnLeaf {
		el := s.names.At(node.Expr)
		k.kind, k.classes, k.fresh = el.Kind, el.Classes, node.Fresh
		if k.kind == scope.Shadow {
			k.first = node.First
			return k
		}
		if s.sized {
			k.size = node.Ways[0].Size
		}
	}
	return k
}

// append appends the symbol of way i of a leaf that acts.
func (s *symbols) append(dst []byte, node *core.Node, i int) []byte {
	code := s.codes[s.key(node)]
	if code <= longMark-firstMark {
		dst = append(dst, byte(firstMark+code-1))
	} else {
		dst = append(dst, longMark, byte(code>>8), byte(code))
	}
	switch s.sorts[code].index {
	case 0:
		return dst
	case 1:
		return append(dst, byte(i))
	}
	return append(dst, byte(i>>8), byte(i))
}

// literal appends the text of a literal.
func (s *symbols) literal(dst []byte, text string) []byte {
	if s == nil {
		return append(dst, text...)
	}
	for i := range len(text) {
		if text[i] >= firstMark {
			dst = append(dst, longMark, 0, 0)
		}
		dst = append(dst, text[i])
	}
	return dst
}

// writer writes the texts of leaves.
type writer struct {
	symbols *symbols
	mark    func(*grammar.Expr) (mark string, alone bool) // after the text of a terminal or instead of it; nil: nothing
}

// append appends the mark of a terminal whose text is dst[start:].
func (w *writer) append(dst []byte, start int, e *grammar.Expr) []byte {
	if w.mark == nil {
		return dst
	}
	mark, alone := w.mark(e)
	if alone {
		dst = dst[:start]
	}
	return append(dst, mark...)
}

// leaf appends the text of one way of a leaf that is not a token, and records it in m unless m
// is nil.
func (w *writer) leaf(dst []byte, m *Recording, p *core.Program, n *core.Node, size, way int) []byte {
	m.leaf(p, n, size, way)
	start := len(dst)
	switch {
	case n.Expr == nil:
		return dst
	case n.Effect != core.NoEffect:
		return w.symbols.append(dst, n, way)
	case n.Expr.Op == grammar.Lit:
		dst = w.symbols.literal(dst, n.Expr.Text)
	default:
		dst = rawbyte.Append(dst, n.Expr.Member(p.Member(n.Expr, size, way)))
	}
	return w.append(dst, start, n.Expr)
}
