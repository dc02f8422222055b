package parse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// reading is the search for the trees of one text. It keeps the choices made so far, the rest
// of the sentence as a list of tasks, and the decisions with untried values.
type reading struct {
	*binaryGrammar
	ctx   context.Context
	whole string // the text
	text  string // the text being read: that of an encoded part, while inside it
	in    *layer // the encoded part; nil: none
	free  bool   // lengths and counts bound nothing

	strict bool // a field whose text is no value of its encoding ends a way

	at, limit int // the text is read up to at; the innermost part with a known end ends at limit
	next      *task
	choices   []int
	log       []*readScope // scopes that were told something, latest last
	moved     []movedChoices
	raw       []string // as in derive.Tree
	untried   []decision
	steps     int
	asked     int // steps at the last look at the context
	machine   *derive.Machine
	done      bool

	far      int    // the furthest place of a failure
	farIn    int    // the encoded part it is in begins there
	farText  string // the text it is in
	expected []expectation
}

// expectation is an expression that could stand where the search got stuck. The text is too
// short there for the expression's least bytes.
type expectation struct {
	e     *grammar.Expr // nil: the end of a part or of the text
	least int           // 0: the text is long enough
}

// maxSteps bounds the number of steps for one text.
const maxSteps = 100_000_000

type taskKind uint8

const (
	readExpr taskKind = iota
	readMore          // a repetition with i elements
	endPart           // the end of part e, which began at begin
	notEmpty          // the element that began at begin must not be empty
	fillUp            // the padding of part e, which began at begin
	endCoded          // the end of the text of encoded part e
	endMoved          // the end of e, which stands elsewhere and owns the choices from begin on
)

// task is one step of the rest of a text, linked to the next.
type task struct {
	kind  taskKind
	bound bool  // endPart: the part ends at the limit
	begun bool  // readExpr: the part has begun, or the expression that stands elsewhere is here
	i     int32 // readMore
	n     int32 // readMore: the number of elements; -1: unknown
	begin int
	hole  int // of an expression that stands elsewhere: its place among the choices
	outer int // endPart with bound: the enclosing limit
	least int // bytes still to come before the limit
	coded *layer
	e     *grammar.Expr
	scope *readScope
	next  *task
}

// decision is a choice with untried values.
type decision struct {
	t          *task
	at, limit  int
	choices    int
	in         *layer
	log, moved int
	raw        int
	value, end int // the next value to try, and the one after the last
}

// otherwise records that a decision still has the untried values from value up to end,
// exclusive.
func (r *reading) otherwise(t *task, value, end int) {
	r.untried = append(r.untried, decision{t: t, at: r.at, limit: r.limit, choices: len(r.choices), in: r.in, log: len(r.log), moved: len(r.moved), raw: len(r.raw), value: value, end: end})
}

// newReading starts the search for the trees of a text.
func (b *binaryGrammar) newReading(ctx context.Context, text string, free bool) *reading {
	r := &reading{binaryGrammar: b, ctx: ctx, text: text, free: free, whole: text, limit: len(text), machine: derive.NewMachine(b.g, derive.Options{Facts: b.facts})}
	r.push(&task{e: b.g.Root, scope: &readScope{}})
	return r
}

// push puts a task in front of the others.
func (r *reading) push(t *task) {
	t.next = r.next
	if r.next != nil && !(t.kind == endPart && t.bound) && t.kind != endCoded {
		t.least = r.next.least
	}
	switch t.kind {
	case readExpr:
		if elsewhere(t.e) && t.begun {
			t.least += r.least[t.e.Children[0].ID]
		} else {
			t.least += r.least[t.e.ID]
		}
	case readMore:
		t.least += max(0, t.e.Min-int(t.i)) * r.least[t.e.Children[0].ID]
	}
	r.next = t
}

// tree returns the next tree of the text; nil after the last.
func (r *reading) tree() (*derive.Tree, error) {
	for !r.done {
		r.steps++
		if r.steps >= r.asked+0x1000 {
			r.asked = r.steps
			if err := r.ctx.Err(); err != nil {
				return nil, err
			}
			if r.steps > maxSteps {
				return nil, fmt.Errorf("%w: reading the text takes more than %d steps; lengths before their parts leave less to try", ErrMemory, maxSteps)
			}
		}
		if r.next == nil {
			if r.at == len(r.whole) {
				choices, raw := r.inOrder()
				t, err := r.machine.Run(r.ctx, derive.Strict(choices))
				if err == nil {
					t.Raw = raw
				}
				r.again()
				return t, err
			}
			r.fail(nil)
			continue
		}
		r.step()
	}
	return nil, nil
}

// fail records that e cannot stand here and backtracks to the last decision.
func (r *reading) fail(e *grammar.Expr) { r.failing(expectation{e: e}) }

func (r *reading) failing(x expectation) {
	at, in := r.at, -1
	for l := r.in; l != nil; l = l.up {
		at, in = l.at, r.at
	}
	if at > r.far || at == r.far && in > r.farIn || r.expected == nil {
		r.far, r.farIn, r.farText, r.expected = at, in, r.text, r.expected[:0]
	}
	if at == r.far && in == r.farIn && len(r.expected) < 64 {
		r.expected = append(r.expected, x)
	}
	r.again()
}

// again backtracks to the last decision.
func (r *reading) again() {
	if len(r.untried) == 0 {
		r.done = true
		return
	}
	d := &r.untried[len(r.untried)-1]
	r.next, r.at, r.limit = d.t, d.at, d.limit
	r.choices, r.moved, r.raw = r.choices[:d.choices], r.moved[:d.moved], r.raw[:d.raw]
	r.enter(d.in)
	for len(r.log) > d.log {
		s := r.log[len(r.log)-1]
		s.facts = s.facts[:len(s.facts)-1]
		r.log = r.log[:len(r.log)-1]
	}
	v := d.value
	d.value++
	if d.value == d.end {
		r.untried = r.untried[:len(r.untried)-1]
	}
	if r.next.kind == readExpr && r.next.e.Field != nil {
		r.widths(r.next, v)
		return
	}
	r.take(r.next, v)
}

// widths reads a field of variable width, taking the shortest untried width.
func (r *reading) widths(t *task, from int) {
	f, rest := t.e.Field, r.text[r.at:r.limit]
	var ns []int
	if f.Kind == field.Copy {
		ns = r.copied(t, len(rest)-f.Width())
	} else {
		ns = f.Encoding.Widths(rest[min(len(f.Lead), len(rest)):])
	}
	if from >= len(ns) {
		r.next = t
		r.fail(t.e)
		return
	}
	width := len(f.Lead) + ns[from] + len(f.Trail)
	if from == 0 && len(ns) > 1 {
		r.otherwise(t, 1, len(ns))
	}
	if width > len(rest) {
		r.next = t
		r.fail(t.e)
		return
	}
	r.field(t, rest[:width])
}

// step performs the next task.
func (r *reading) step() {
	t := r.next
	if r.at+t.least > r.limit {
		r.failing(expectation{t.e, t.least})
		return
	}
	switch {
	case t.kind == endPart:
		r.end(t)
	case t.kind == fillUp:
		r.fillUp(t)
	case t.kind == endCoded:
		r.endCoded(t)
	case t.kind == endMoved:
		r.moved = append(r.moved, movedChoices{t.hole, t.begin, len(r.choices)})
		r.next = t.next
	case t.kind == notEmpty:
		r.next = t.next
		if r.at == t.begin {
			r.again()
		}
	case t.kind == readMore:
		r.more(t)
	case elsewhere(t.e):
		r.elsewhere(t)
	case t.e.Part != 0 && !t.begun:
		r.begin(t)
	case t.e.Op == grammar.Choice:
		r.decide(t, 0, len(t.e.Children))
	case t.e.Op == grammar.Rep:
		n := -1
		if c, ok := t.scope.get(t.e.Part, partCount); ok && t.e.Part != 0 && !r.free {
			n = c
		}
		r.next = t.next
		r.push(&task{kind: readMore, e: t.e, scope: t.scope, n: int32(n)})
	case t.e.Op == grammar.Seq:
		r.next = t.next
		if t.e.Resize.Encodes() && !r.decode(t) {
			return
		}
		if t.e.Resize != nil && t.e.Resize.Pad > 1 {
			r.push(&task{kind: fillUp, e: t.e, begin: r.at})
		}
		for i := len(t.e.Children) - 1; i >= 0; i-- {
			r.push(&task{e: t.e.Children[i], scope: t.scope})
		}
	case t.e.Op == grammar.Ref && t.e.Rule == nil:
		r.fail(t.e)
	case t.e.Op == grammar.Ref:
		r.next = t.next
		r.push(&task{e: t.e.Rule.Body, scope: &readScope{up: t.scope}})
	default:
		r.terminal(t)
	}
}

// begin begins a part. The part ends where its length says.
func (r *reading) begin(t *task) {
	r.next = t.next
	end := &task{kind: endPart, e: t.e, scope: t.scope, begin: r.at}
	if size, ok := t.scope.get(t.e.Part, partSize); ok {
		if r.at+size > r.limit {
			r.fail(t.e)
			return
		}
		end.bound, end.outer = true, r.limit
		r.limit = r.at + size
	}
	r.tell(t.scope, t.e.Part, partBegan, r.at)
	r.push(end)
	r.push(&task{e: t.e, scope: t.scope, begun: true})
	for _, f := range slices.Backward(t.scope.facts) {
		if f.what == partHas && f.part == t.e.Part {
			r.push(&task{e: f.e, scope: f.of, begun: true, hole: f.v})
		}
	}
}

// end ends a part.
func (r *reading) end(t *task) {
	size, known := t.scope.get(t.e.Part, partSize)
	if known && r.at != t.begin+size {
		r.fail(nil)
		return
	}
	if t.bound {
		r.limit = t.outer
	}
	r.tell(t.scope, t.e.Part, partEnded, r.at)
	r.next = t.next
}

// fillUp reads the padding of a part.
func (r *reading) fillUp(t *task) {
	size := r.at - t.begin
	fill := strings.Repeat(t.e.Resize.Fill, t.e.Resize.Forward(size)-size)
	if !strings.HasPrefix(r.text[r.at:r.limit], fill) {
		r.fail(t.e)
		return
	}
	r.at += len(fill)
	r.next = t.next
}

// more continues a repetition or ends it.
func (r *reading) more(t *task) {
	e := t.e
	switch i := int(t.i); {
	case i < e.Min:
		r.element(t)
	case i == e.Max:
		r.next = t.next
	case t.n >= 0 && i == int(t.n):
		r.take(t, 0)
	case t.n >= 0:
		r.take(t, 1)
	default:
		r.decide(t, 0, 2)
	}
}

// element reads an element of a repetition.
func (r *reading) element(t *task) {
	e := t.e
	r.next = t.next
	r.push(&task{kind: readMore, e: e, scope: t.scope, i: t.i + 1, n: t.n})
	if int(t.i) >= e.Min && r.facts.ElementWant(e) == grammar.NonEmpty {
		r.push(&task{kind: notEmpty, e: e, begin: r.at})
	}
	r.push(&task{e: e.Children[0], scope: &readScope{up: t.scope}})
}

// decide tries the values of a decision, beginning with from.
func (r *reading) decide(t *task, from, to int) {
	var fits []int // two are enough: most decisions have one value left
	for v := from; v < to && len(fits) < 2; v++ {
		if r.mayBegin(t, v) {
			fits = append(fits, v)
		}
	}
	switch len(fits) {
	case 0:
		r.fail(t.e)
		return
	case 2:
		r.otherwise(t, fits[1], to)
	}
	r.take(t, fits[0])
}

// mayBegin reports whether the text here may continue with value v of a decision.
func (r *reading) mayBegin(t *task, v int) bool {
	e := t.e.Children[0]
	if t.kind == readExpr {
		e = t.e.Children[v]
	} else if v == 0 { // the end of a repetition
		return true
	}
	if r.facts.Nullable(e) && (t.kind == readExpr || r.facts.ElementWant(t.e) == grammar.Any) {
		return true
	}
	return r.at < r.limit && r.first[e.ID].has(r.text[r.at])
}

// take makes a decision.
func (r *reading) take(t *task, v int) {
	if !r.mayBegin(t, v) {
		r.next = t
		r.fail(t.e)
		return
	}
	r.choices = append(r.choices, v)
	switch {
	case t.kind == readExpr:
		r.next = t.next
		r.push(&task{e: t.e.Children[v], scope: &readScope{up: t.scope}})
	case v == 0:
		r.next = t.next
	default:
		r.element(t)
	}
}

// terminal reads a literal, a field or a character.
func (r *reading) terminal(t *task) {
	e := t.e
	rest := r.text[r.at:r.limit]
	switch {
	case e.Field != nil && e.Field.Encoding.Variable():
		r.widths(t, 0)
		return
	case e.Field != nil:
		r.field(t, rest[:len(e.Text)])
		return
	case e.Op == grammar.Lit:
		if rest[:len(e.Text)] != e.Text {
			r.fail(e)
			return
		}
		r.at += len(e.Text)
	default:
		c, size := rawbyte.Decode(rest, isBytes(e))
		v := e.MemberIndex(c)
		if c < 0 || v < 0 {
			r.fail(e)
			return
		}
		r.choices = append(r.choices, v)
		r.at += size
	}
	r.next = t.next
}

// field reads a computed field. Its length or count bounds the part that it describes.
func (r *reading) field(t *task, text string) {
	f := t.e.Field
	what := map[field.Kind]factKind{field.Length: partSize, field.Count: partCount}
	if f.Encoding.Variable() {
		what[field.Copy] = partSize
	}
	if kind, ok := what[f.Kind]; ok && !r.free && len(f.Parts) == 1 {
		size, ok := f.Size(text)
		if !ok {
			r.fail(t.e)
			return
		}
		s, part := t.scope.above(f.Parts[0].Up), f.Parts[0].Part
		began, _ := s.get(part, partBegan)
		if ended, ok := s.get(part, partEnded); ok && kind == partSize && ended != began+size {
			r.fail(t.e)
			return
		}
		r.tell(s, part, kind, size)
	}
	if r.strict && f.Encoding.Digits() != "" && strings.Trim(text[len(f.Lead):len(text)-len(f.Trail)], "0123456789abcdefABCDEF") != "" {
		r.fail(t.e)
		return
	}
	if f.Encoding.Groups() {
		number := text[len(f.Lead) : len(text)-len(f.Trail)]
		if !f.Encoding.Foreign(number) {
			number = ""
		}
		r.keep(number)
	}
	r.at += len(text)
	r.next = t.next
}
