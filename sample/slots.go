package sample

import (
	"encoding/binary"
	"hash/maphash"
	"math/big"
	"sync"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// space is a counted program: a set of derivations for every node and step.
type space struct {
	prog *core.Program
	nums numbers
	pure []bool   // by node: no token below whose text is drawn by itself
	syms *symbols // of names; nil: there are none
}

// numbers are the sizes of the sets of derivations of a space.
type numbers interface {
	// small returns the exact number where it is at most limit, and whether it is.
	small(id core.NodeID, step, limit int) (int, bool)
	// has reports whether there is a derivation.
	has(id core.NodeID, step int) bool
	// exact returns the exact number, making whatever tables that takes.
	exact(id core.NodeID, step int) (*big.Int, error)
}

// byDepth reports whether the space's steps are levels of depth.
func (sp *space) byDepth() bool { return sp.prog.ByDepth() }

// item is a set of derivations to draw one of.
type item struct {
	sp   *space
	id   core.NodeID
	step int
}

// slot is a place in the compiled program at which a draw is made. It is compiled at
// its first use.
type slot struct {
	state atomic.Pointer[state]
	table *table    // where its texts can stand finished; see tableOf
	items []item    // one, or several whose texts stand finished in one table
	token *tokenKey // or the text of a token

	detail  atomic.Pointer[detail]
	records atomic.Pointer[records] // for the recording loop, when it comes by
}

// tokenKey is the set that the text of a token is drawn from.
type tokenKey struct {
	texts  *core.Texts
	want   grammar.Want
	length int // where the bound says it, else -1
}

// slots is the compiled program: slots by their items or tokens.
type slots struct {
	mu     sync.Mutex
	byKey  map[string]*slot
	tokens map[tokenKey]*slot
	spaces map[*space]uint64
	texts  map[*core.Texts]*space
	limits limits
	work   []piece                // scratch of the compilation
	cells  atomic.Pointer[[]byte] // finished texts of the tables
	seed   maphash.Seed
	same   map[uint64]uint32 // the cells of tables by a hash of their texts
	lits   map[string]*table // texts that are certain
	syms   *symbols
}

// limits says how large the parts of the compiled program may grow. They weigh
// fewer draws against the processor's caches, and change no probability.
type limits struct {
	outcomes int // of one slot
	texts    int // of one table of finished texts
	bytes    int // of one such table
}

var defaultLimits = limits{outcomes: 64, texts: 1 << 12, bytes: 1 << 17}

// briefLimits are those of Options.Brief.
var briefLimits = limits{outcomes: 2, texts: 8, bytes: 1 << 8}

func newSlots(l limits, syms *symbols) *slots {
	return &slots{seed: maphash.MakeSeed(), same: map[uint64]uint32{}, lits: map[string]*table{}, syms: syms, byKey: map[string]*slot{}, tokens: map[tokenKey]*slot{}, spaces: map[*space]uint64{}, texts: map[*core.Texts]*space{}, limits: l}
}

// slot returns the slot of a group of items.
func (s *slots) slot(items []item) *slot {
	key := make([]byte, 0, 24*len(items))
	for _, it := range items {
		key = binary.AppendUvarint(key, s.spaceID(it.sp))
		key = binary.AppendUvarint(key, uint64(it.id))
		key = binary.AppendUvarint(key, uint64(it.step))
	}
	if sl := s.byKey[string(key)]; sl != nil {
		return sl
	}
	sl := &slot{items: items}
	it := items[0]
	if node := &it.sp.prog.Nodes[it.id]; len(items) == 1 && node.IsToken() {
		sl = s.tokenSlot(it.sp.prog, node, it.step)
	}
	s.byKey[string(key)] = sl
	return sl
}

// tableOf returns the table of the texts of a slot's items, which fit in one.
func (s *slots) tableOf(sl *slot) *table {
	if sl.table == nil {
		n, _ := s.limits.group(sl.items)
		sl.table = newTable(sl.items, n, s.limits)
	}
	return sl.table
}

// literal returns the table of one text.
func (s *slots) literal(text string) *table {
	t := s.lits[text]
	if t == nil {
		t = &table{text: text, n: 1, most: max(s.limits.bytes, len(text))}
		s.lits[text] = t
	}
	return t
}

// tokenSlot returns the slot of the text of a token; size is that of the leaf.
func (s *slots) tokenSlot(p *core.Program, node *core.Node, size int) *slot {
	key := tokenKey{p.Token(node.Expr.Rule), node.Want, -1}
	if p.Unit == grammar.Bytes && !p.ByDepth() {
		key.length = size
	}
	sl := s.tokens[key]
	if sl == nil {
		sl = &slot{token: &key}
		s.tokens[key] = sl
	}
	return sl
}

func (s *slots) spaceID(sp *space) uint64 {
	id, ok := s.spaces[sp]
	if !ok {
		id = uint64(len(s.spaces))
		s.spaces[sp] = id
	}
	return id
}

// textSpace returns the space of the texts of a token.
func (s *slots) textSpace(t *core.Texts) *space {
	sp := s.texts[t]
	if sp == nil {
		sp = newSpace(t.Program, tableNumbers{t.Table}, s.syms)
		s.texts[t] = sp
	}
	return sp
}

func newSpace(p *core.Program, n numbers, syms *symbols) *space {
	sp := &space{syms: syms, prog: p, nums: n, pure: make([]bool, len(p.Nodes))}
	for i := range sp.pure {
		sp.pure[i] = true
	}
	for changed := true; changed; {
		changed = false
		for id := len(p.Nodes) - 1; id >= 0; id-- {
			pure := !p.Nodes[id].IsToken()
			for _, k := range p.Nodes[id].Children {
				pure = pure && sp.pure[k]
			}
			if sp.pure[id] && !pure {
				sp.pure[id], changed = false, true
			}
		}
	}
	return sp
}

// small returns the number of texts of an item, if they can stand in a table.
func (l limits) small(it item) (int, bool) {
	if !it.sp.pure[it.id] {
		return 0, false
	}
	return it.sp.nums.small(it.id, it.step, l.texts)
}

// tableNumbers are the numbers of an exact table.
type tableNumbers struct{ t *core.Table }

func (n tableNumbers) small(id core.NodeID, step, limit int) (int, bool) {
	c := n.t.Count(id, step)
	if c.BitLen() > 31 || int(c.Int64()) > limit {
		return 0, false
	}
	return int(c.Int64()), true
}

func (n tableNumbers) has(id core.NodeID, step int) bool { return n.t.Count(id, step).Sign() > 0 }

func (n tableNumbers) exact(id core.NodeID, step int) (*big.Int, error) {
	return n.t.Count(id, step), nil
}
