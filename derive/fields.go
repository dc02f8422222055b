package derive

import (
	"slices"
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/field"
	"github.com/gramfuzz/gramfuzz/internal/base/rawbyte"
)

// placing follows a derivation by its choices, writes its text, and finds the positions of its
// parts and fields.
type placing struct {
	field.Layout
	stack   []placed
	text    []byte
	choices []int  // the remaining choices
	names   []Node // the remaining nodes with names
	chosen  int    // choices so far
}

// placed is an expression whose text is being written, in a scope.
type placed struct {
	e     *grammar.Expr
	scope int32
	i     int32 // number of children begun
	part  int   // its number in the layout, from 1; 0: none
}

var placings = sync.Pool{New: func() any { return new(placing) }}

// appendFields appends the text of the tree with its fields computed.
func (t *Tree) appendFields(b []byte) []byte {
	p := placings.Get().(*placing)
	start := len(b)
	p.text = b[start:start:cap(b)]
	p.place(t, false)
	p.Fill(p.text)
	b = append(b, p.text...) // in place already, unless the capacity was too small
	p.done()
	return b
}

// done returns p to the pool, without references to the tree.
func (p *placing) done() {
	p.text, p.choices, p.names = nil, nil, nil
	placings.Put(p)
}

// Fields returns the positions of the computed fields in the text, in order, and those of
// padding as fields called pad.
func (t *Tree) Fields() []field.At {
	var p placing
	p.place(t, false)
	return p.Layout.Fields()
}

// counted returns the number of bytes that the tree counts: those of the text that follows
// from its choices, with compressed parts counted before compression.
func (t *Tree) counted() int {
	p := placings.Get().(*placing)
	defer p.done()
	p.place(t, true)
	return len(p.text)
}

// place writes the text with placeholders for the fields, and finds all positions in it; plain
// leaves compressed parts uncompressed.
func (p *placing) place(t *Tree, plain bool) {
	p.Reset()
	p.Plain = plain
	if !plain {
		p.Raw = t.Raw
	}
	p.choices, p.chosen, p.names = t.Choices(), 0, nil
	for _, n := range t.Nodes() {
		if n.Name {
			p.names = append(p.names, n)
		}
	}
	p.push(t.Grammar.Root, 0)
	for len(p.stack) > 0 {
		top := &p.stack[len(p.stack)-1]
		e, i := top.e, int(top.i)
		var next *grammar.Expr
		switch e.Op {
		case grammar.Seq:
			if i < len(e.Children) {
				next = e.Children[i]
			}
		case grammar.Rep:
			if k := e.Children[0]; i == 0 && k.Plain && k.Op == grammar.Lit && len(p.names) == 0 {
				i = e.Min // no choice precedes the mandatory elements
				p.text = appendTimes(p.text, k.Text, i)
				top.i = int32(i)
			}
			if i < e.Min || i != e.Max && p.choice() == 1 {
				next = e.Children[0]
			}
		case grammar.Choice:
			if i == 0 {
				next = e.Children[p.choice()]
			}
		case grammar.Ref:
			if i == 0 {
				next = e.Rule.Body
			}
		}
		if next == nil {
			p.pop()
			continue
		}
		top.i++
		scope := top.scope
		if e.Op != grammar.Seq && !next.Plain {
			scope = p.Open(scope, e.Op == grammar.Ref)
		}
		p.push(next, scope)
	}
}

// choice returns the next choice.
func (p *placing) choice() int {
	v := p.choices[p.chosen]
	p.chosen++
	return v
}

// push begins an expression, and writes it at once if it has no children.
func (p *placing) push(e *grammar.Expr, scope int32) {
	x := placed{e: e, scope: scope}
	if e.Part != 0 || e.Resize != nil {
		x.part = 1 + p.Begin(e.Part, scope, len(p.text))
	}
	switch {
	case len(p.names) > 0 && p.names[0].Expr == e && p.names[0].From == p.chosen:
		p.text = append(p.text, p.names[0].Text...)
		p.chosen, p.names = p.names[0].To, p.names[1:]
	case e.Field != nil:
		p.text = p.Add(e.Field, scope, p.text)
	case e.Op == grammar.Lit:
		p.text = append(p.text, e.Text...)
	case e.Op == grammar.Class:
		p.text = rawbyte.Append(p.text, e.Member(p.choice()))
	default:
		p.stack = append(p.stack, x)
		return
	}
	p.end(&x)
}

// pop ends the expression on top of the stack.
func (p *placing) pop() {
	last := len(p.stack) - 1
	x := &p.stack[last]
	p.stack = p.stack[:last]
	p.end(x)
}

// end ends a part.
func (p *placing) end(x *placed) {
	if x.part > 0 {
		p.text = p.End(x.part-1, int(x.i), p.text, x.e.Resize)
	}
}

// appendTimes appends a text n times.
func appendTimes(b []byte, text string, n int) []byte {
	from, size := len(b), n*len(text)
	b = slices.Grow(b, size)[:from+size]
	done := copy(b[from:], text[:min(size, len(text))])
	for done < size {
		done += copy(b[from+done:], b[from:from+done])
	}
	return b
}
