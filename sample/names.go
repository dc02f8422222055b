package sample

import (
	"bytes"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/count"
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Where names are in play, the compiled program writes symbols in their place:
// which of the possible names it is can be drawn ahead and stand in tables of
// finished texts, but what it is called depends on the sentence so far. A second
// pass over a finished sentence puts the names in. Without names no text has
// symbols and there is no second pass.

// namedLimits are those where names are in play: each state of the names has
// places of its own, so each is met less often, and more of them should fit in
// the processor's caches.
var namedLimits = limits{outcomes: 16, texts: 1 << 8, bytes: 1 << 12}

// symbolMark begins a symbol, and stands before its own kind in literals; no
// character has this byte in UTF-8.
const symbolMark = 0xff

// symbolLen is the length of a symbol: the mark, its sort in two bytes, and in
// two more which of the names of that sort it is.
const symbolLen = 5

// symbolSort is what a symbol means; the zero value is the byte symbolMark itself.
type symbolSort struct {
	act   count.Act
	el    gctx.Element
	fresh bool
	size  int // bytes of the name where the program tells lengths apart, else 0
}

// symbolKey tells sorts apart.
type symbolKey struct {
	act   count.Act
	kind  gctx.Kind
	ns    int
	fresh bool
	size  int
}

// symbols are those of a program. They are immutable.
type symbols struct {
	names *gctx.Names
	codes map[symbolKey]int
	sorts []symbolSort
	sized bool
}

// newSymbols returns the symbols of a program; nil where there are no names.
func newSymbols(p *count.Program) *symbols {
	if p.Names == nil {
		return nil
	}
	s := &symbols{names: p.Names, codes: map[symbolKey]int{}, sorts: make([]symbolSort, 1), sized: p.Unit == grammar.Bytes && !p.ByDepth()}
	for i := range p.Nodes {
		node := &p.Nodes[i]
		if node.Act == count.NoAct {
			continue
		}
		k := s.key(node)
		if _, ok := s.codes[k]; !ok {
			s.codes[k] = len(s.sorts)
			s.sorts = append(s.sorts, symbolSort{k.act, gctx.Element{Kind: k.kind, NS: k.ns}, k.fresh, k.size})
		}
	}
	return s
}

func (s *symbols) key(node *count.Node) symbolKey {
	k := symbolKey{act: node.Act, ns: node.NS}
	if node.Act == count.ActName {
		k.kind, k.fresh = s.names.At(node.Expr).Kind, node.Fresh
		if s.sized {
			k.size = node.Ways[0].Size
		}
	}
	return k
}

// append appends the symbol of way i of a leaf that acts.
func (s *symbols) append(dst []byte, node *count.Node, i int) []byte {
	code := s.codes[s.key(node)]
	return append(dst, symbolMark, byte(code>>8), byte(code), byte(i>>8), byte(i))
}

// literal appends the text of a literal.
func (s *symbols) literal(dst []byte, text string) []byte {
	if s == nil {
		return append(dst, text...)
	}
	for i := range len(text) {
		if text[i] == symbolMark {
			dst = append(dst, symbolMark, 0, 0, 0, 0)
		} else {
			dst = append(dst, text[i])
		}
	}
	return dst
}

// leafChoices appends what way i of a leaf that acts records.
func leafChoices(choices []int, names *gctx.Names, node *count.Node, i int) []int {
	if node.Act != count.ActName || names.At(node.Expr).Kind == gctx.Same {
		return choices
	}
	return append(choices, node.First+i)
}

// naming is the second pass over sentences; it belongs to one goroutine.
type naming struct {
	symbols *symbols
	live    *gctx.Live
	raw     []byte
	held    []int // where texts to be bound begin
}

func newNaming(s *symbols) *naming {
	if s == nil {
		return nil
	}
	return &naming{symbols: s, live: s.names.NewLive()}
}

// text makes a sentence by make, which appends it with symbols to a buffer, and
// appends it with its names to dst. A nil naming adds nothing.
func (n *naming) text(dst []byte, make func(dst []byte) ([]byte, error)) ([]byte, error) {
	if n == nil {
		return make(dst)
	}
	raw, err := make(n.raw[:0])
	n.raw = raw
	if err != nil {
		return dst, err
	}
	n.live.Reset()
	n.held = n.held[:0]
	for {
		at := bytes.IndexByte(raw, symbolMark)
		if at < 0 {
			return append(dst, raw...), nil
		}
		dst = append(dst, raw[:at]...)
		dst = n.symbol(dst, raw[at+1:])
		raw = raw[at+symbolLen:]
	}
}

func (n *naming) symbol(dst, code []byte) []byte {
	s := &n.symbols.sorts[int(code[0])<<8|int(code[1])]
	switch s.act {
	case count.ActName:
		i := int(code[2])<<8 | int(code[3])
		return append(dst, n.live.TakeOfLength(&s.el, s.fresh, s.size, i)...)
	case count.ActCommit:
		n.live.Commit(s.el.NS)
	case count.ActBegin:
		n.live.Begin()
	case count.ActEnd:
		n.live.End(s.el.NS)
	case count.ActHold:
		n.held = append(n.held, len(dst))
	case count.ActBind:
		last := len(n.held) - 1
		n.live.Bind(s.el.NS, string(dst[n.held[last]:]))
		n.held = n.held[:last]
	default:
		return append(dst, symbolMark)
	}
	return dst
}

// machine returns a machine that keeps the names.
func (s *Sampler) machine(o derive.Options) (*derive.Machine, error) {
	o.Facts = s.facts
	return gctx.Machine(s.g, s.names, o)
}

// mustMachine is machine where one was made already.
func (s *Sampler) mustMachine(o derive.Options) *derive.Machine {
	m, err := s.machine(o)
	if err != nil {
		panic(err)
	}
	return m
}
