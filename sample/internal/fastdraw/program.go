package fastdraw

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/sample/internal/randombits"
)

// Options are those of [New].
type Options struct {
	Most   int // the greatest step to draw
	Limits Limits

	// Memory bounds the compiled parts, in bytes and approximately; 0 or more than 256 MiB
	// means 256 MiB. When they take more, all are dropped, and parts are compiled again when
	// next drawn.
	Memory int64

	// Mark returns bytes to write after the text of a terminal: a token, or a literal or class
	// outside tokens. It also reports whether the bytes replace the text. nil: none.
	Mark func(*grammar.Expr) (mark string, alone bool)

	// Places gives, by node, the kind of place that a derivation through the node has, from 1;
	// 0: none. Leaves are no places. nil: places are not counted.
	Places []int32
}

const mostMemory = 256 << 20

// Program is a counted program for drawing. A seed gives the same derivations regardless of
// the parts compiled so far. It is safe for concurrent use; each goroutine takes a [Runner].
type Program struct {
	o     Options
	space *space
	reach []bool // by node: it may have places; nil: places are not counted
	now   atomic.Pointer[compiled]

	mu    sync.Mutex
	texts map[*core.Texts]*space // of tokens drawn so far
	nodes int                    // of all spaces
}

// New returns a program for the counted program p with its numbers.
func New(p *core.Program, n Numbers, o Options) *Program {
	if o.Memory == 0 || o.Memory > mostMemory {
		o.Memory = mostMemory
	}
	w := &writer{symbols: newSymbols(p), mark: o.Mark}
	f := &Program{o: o, texts: map[*core.Texts]*space{}}
	f.space = f.newSpace(p, n, min(o.Most, o.Limits.Size), w)
	f.reach = f.reaches(p)
	f.now.Store(newCompiled(f))
	return f
}

// inside returns the space of a token's texts.
func (f *Program) inside(t *core.Texts) *space {
	f.mu.Lock()
	defer f.mu.Unlock()
	sp := f.texts[t]
	if sp == nil {
		table := t.Table()
		_, most := table.Steps()
		sp = f.newSpace(table.Program(), tableNumbers{table}, most, &writer{symbols: f.space.w.symbols})
		f.texts[t] = sp
	}
	return sp
}

// slot is a place in the compiled program where a draw is made. It is compiled on demand, see
// [compiled.compile].
type slot struct {
	state atomic.Pointer[state]
	item  item      // the set to draw from
	token *tokenKey // or the text of a token
	mark  string    // after that text
}

// tokenKey is the set from which the text of a token is drawn.
type tokenKey struct {
	texts  *core.Texts
	want   grammar.Want
	length int // if the bound determines it, else -1
}

// compiled is the compiled part of a program.
type compiled struct {
	p      *Program
	limits Limits
	used   atomic.Int64                             // bytes, approximately
	rows   []atomic.Pointer[[]atomic.Pointer[slot]] // by node outside tokens, then by step

	mu     sync.Mutex
	slots  map[item]*slot // without an entry in rows
	tokens map[tokenKey]*slot
	tables map[string]*table
	lits   map[string]*table // fixed texts
	key    []byte

	ops      []op // scratch
	opTables [][opTexts]*table
	group    []item

	sequences *state      // the ops of all sequences
	listed    []*Sequence // by outcome of that state

	cells atomic.Pointer[[]byte] // finished texts of the tables
	seed  maphash.Seed
	same  map[uint64]uint32 // the cells of tables by a hash of their texts
}

func newCompiled(p *Program) *compiled {
	c := &compiled{p: p, limits: p.o.Limits, rows: make([]atomic.Pointer[[]atomic.Pointer[slot]], len(p.space.prog.Nodes)),
		slots: map[item]*slot{}, tokens: map[tokenKey]*slot{}, tables: map[string]*table{}, lits: map[string]*table{}, seed: maphash.MakeSeed(), same: map[uint64]uint32{}}
	c.sequences = newSequences(c)
	return c
}

// add records allocated memory, and starts anew if it is too much. Busy runners keep their
// parts until their sentence is complete.
func (c *compiled) add(bytes int64) {
	if c.used.Add(bytes) > c.p.o.Memory && c.p.now.Load() == c {
		c.p.now.CompareAndSwap(c, newCompiled(c.p))
	}
}

// Sizes of the parts in bytes, approximately, with their places in maps.
const (
	slotSize  = 300
	tableSize = 250
	stateSize = 250 + 8<<bucketBits
)

// entry returns the slot of a part of the grammar's program.
func (c *compiled) entry(id core.NodeID, step int) *slot {
	it := item{c.p.space, id, step}
	if at := c.place(it); at != nil {
		if sl := at.Load(); sl != nil {
			return sl
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slot(it)
}

// place returns the entry for the slot of an item; nil: it is in c.slots.
func (c *compiled) place(it item) *atomic.Pointer[slot] {
	if it.sp != c.p.space || it.step >= it.sp.steps {
		return nil
	}
	at := &c.rows[it.id]
	row := at.Load()
	if row == nil {
		made := make([]atomic.Pointer[slot], it.sp.steps)
		if at.CompareAndSwap(nil, &made) {
			c.add(int64(8 * len(made)))
		}
		row = at.Load()
	}
	return &(*row)[it.step]
}

// slot returns the slot of an item; c.mu is held.
func (c *compiled) slot(it item) *slot {
	var sl *slot
	at := c.place(it)
	if at != nil {
		sl = at.Load()
	} else {
		sl = c.slots[it]
	}
	if sl != nil {
		return sl
	}
	if node := &it.sp.prog.Nodes[it.id]; node.IsToken() {
		sl = c.token(node, it.step)
	} else {
		sl = &slot{item: it}
		c.add(slotSize)
	}
	if at != nil {
		at.Store(sl)
	} else {
		c.slots[it] = sl
	}
	return sl
}

// token returns the slot for the text of a token; size is that of the leaf. c.mu is held.
func (c *compiled) token(node *core.Node, size int) *slot {
	p := c.p.space.prog
	key := tokenKey{p.Token(node.Expr.Rule), node.Want, -1}
	if p.Unit == grammar.Bytes && !p.ByDepth() {
		key.length = size
	}
	sl := c.tokens[key]
	if sl == nil {
		sl = &slot{token: &key, mark: string(c.p.space.w.append(nil, 0, node.Expr))}
		c.tokens[key] = sl
		c.add(slotSize)
	}
	return sl
}

// table returns the table of the texts of items, which must fit in one; c.mu is held.
func (c *compiled) table(items []item) *table {
	key := c.key[:0]
	for _, it := range items {
		key = binary.AppendUvarint(key, uint64(it.sp.first+int(it.id)))
		key = binary.AppendUvarint(key, uint64(it.step))
	}
	c.key = key
	t := c.tables[string(key)]
	if t == nil {
		n, _ := c.limits.group(items)
		t = &table{items: slices.Clone(items), n: n}
		c.tables[string(key)] = t
		c.add(tableSize)
	}
	return t
}

// literal returns the table of one text; c.mu is held.
func (c *compiled) literal(text string) *table {
	t := c.lits[text]
	if t == nil {
		t = &table{text: text, n: 1}
		c.lits[text] = t
		c.add(tableSize)
	}
	return t
}

// Runner draws derivations of a program's nodes. It is for one goroutine.
type Runner struct {
	Bits randombits.Stream

	// Watch, if not nil, is called periodically with the text so far, and may end the draw
	// with an error. Texts must not have names.
	Watch   func(text []byte) error
	watchAt int // the length at which the text is next checked

	// Counts, if not nil, has by kind the number of places that were drawn. It needs
	// Options.Places.
	Counts []int32

	p           *Program
	c           *compiled
	names       *naming
	outcomes    outcomes
	stack       []ret  // the end is at the bottom; the rest is above
	queue       []ret  // the returns of the sequences, which come above the end
	look        uint64 // the number of draws at which the context is looked at
	traced      bool
	trace       []visit
	levels      []int
	queueLevels []int
	writing     writing
	filling     filling
	scratch     []byte
	sized       sizedDraw
	parts       core.Expansion[nested]
	cells       []byte // those of c known to this runner

	node core.NodeID            // of the last sentence
	row  []atomic.Pointer[slot] // its slots, by step
}

// Runner returns a new runner.
func (p *Program) Runner() *Runner {
	return &Runner{p: p, c: p.now.Load(), names: newNaming(p.space.w.symbols), stack: make([]ret, 16)}
}

// Begin begins a sentence after dst, and returns the buffer that its parts are appended to.
func (r *Runner) Begin(dst []byte) []byte {
	if c := r.p.now.Load(); c != r.c {
		r.c, r.cells, r.row = c, nil, nil
	}
	r.watchAt = watchFirst
	if r.names == nil {
		return dst
	}
	return r.names.raw[:0]
}

// End ends a sentence: it inserts names into its parts, unless there was an error.
func (r *Runner) End(dst, parts []byte, err error) ([]byte, error) {
	if r.names == nil {
		return parts, err
	}
	return r.names.text(dst, parts, err)
}

// Sentence appends a sentence: a derivation of a node at a step. It is [Runner.Begin],
// [Runner.Node] and [Runner.End] in one call, which matters where sentences are short.
func (r *Runner) Sentence(ctx context.Context, dst []byte, m *Recording, id core.NodeID, step int) ([]byte, error) {
	parts := r.Begin(dst)
	if m != nil || step >= r.p.space.steps {
		parts, err := r.Node(ctx, parts, m, id, step, 0)
		return r.End(dst, parts, err)
	}
	var sl *slot
	if id == r.node && step < len(r.row) {
		sl = r.row[step].Load()
	}
	if sl == nil {
		sl = r.c.entry(id, step)
		r.node, r.row = id, *r.c.rows[id].Load()
	}
	r.traced = false
	parts, err := r.text(ctx, parts, sl)
	if r.names == nil {
		return parts, err
	}
	return r.names.text(dst, parts, err)
}

// Node appends a derivation of a node at a step, level rules deep, and records it in m unless
// m is nil.
func (r *Runner) Node(ctx context.Context, dst []byte, m *Recording, id core.NodeID, step, level int) ([]byte, error) {
	if p := r.p.space.prog; step > r.p.o.Limits.Size && !p.ByDepth() {
		r.sized = sizedDraw{r: r, ctx: ctx, m: m, dst: dst}
		err := r.parts.Run(p, id, nested{step, level}, &r.sized)
		return r.sized.dst, err
	}
	return r.atSlot(ctx, dst, m, r.c.entry(id, step), level)
}

// Leaf appends one of the ways of a leaf that have the size, each equally likely, as Node
// does.
func (r *Runner) Leaf(ctx context.Context, dst []byte, m *Recording, id core.NodeID, size int) ([]byte, error) {
	node := &r.p.space.prog.Nodes[id]
	if node.IsToken() {
		return r.atSlot(ctx, dst, m, r.c.entry(id, size), 0)
	}
	way := 0
	for _, w := range node.Ways {
		if w.Size == size && w.N > 1 {
			way = r.Bits.Intn(w.N)
		}
	}
	return r.p.space.w.leaf(dst, m, r.p.space.prog, node, size, way), nil
}

func (r *Runner) atSlot(ctx context.Context, dst []byte, m *Recording, sl *slot, level int) ([]byte, error) {
	r.traced, r.trace = m != nil || r.Counts != nil, r.trace[:0]
	dst, err := r.text(ctx, dst, sl)
	if r.Counts != nil && err == nil {
		r.count()
	}
	if m != nil && err == nil {
		err = r.record(m, level)
	}
	return dst, err
}

// Sizes is a distribution over sizes.
type Sizes struct {
	sizes []int
	outcomes
	shares []branch
}

// Sizes returns a distribution over sizes of the root: uniform over the sizes, or, byCount,
// over the derivations.
func (p *Program) Sizes(sizes []int, byCount bool) *Sizes {
	z := &Sizes{sizes: sizes}
	z.sp = p.space
	for _, n := range sizes {
		o := outcome{from: int32(len(z.pieces))}
		if byCount {
			z.pieces = append(z.pieces, piece{id: p.space.prog.Root, step: int32(n)})
		} else {
			o.weight = one
		}
		o.to = int32(len(z.pieces))
		z.list = append(z.list, o)
	}
	z.shares = z.share(p.o.Most)
	return z
}

// Draw draws a size.
func (z *Sizes) Draw(s *randombits.Stream, most int) (int, error) {
	if len(z.sizes) == 1 {
		return z.sizes[0], nil
	}
	u := s.Next()
	at, settled := pick(z.shares, u)
	if !settled {
		var err error
		if at, err = z.settle(s, u, most); err != nil {
			return 0, err
		}
	}
	return z.sizes[at], nil
}
