package derive

import (
	"sync"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/field"
)

// placing goes along a tree and finds where its parts and fields lie. It follows the
// expressions, since sequences and the elements of repetitions have no nodes.
type placing struct {
	field.Layout
	stack []placed
	text  []byte
}

// placed is an expression that is still to be placed, in a scope.
type placed struct {
	e       *grammar.Expr
	scope   int32
	i       int32 // Seq, Rep: elements that are done
	n       int32 // Rep: elements in all
	endPart int   // no expression, but the end of part endPart-1; of e, where that adds bytes
}

var placings = sync.Pool{New: func() any { return new(placing) }}

// appendFields appends the text of the tree, its fields computed.
func (t *Tree) appendFields(b []byte) []byte {
	p := placings.Get().(*placing)
	start := len(b)
	p.text = b[start:start:cap(b)]
	p.place(t)
	p.Fill(p.text)
	b = append(b, p.text...) // which stand there already, unless there was no room
	p.text = nil
	placings.Put(p)
	return b
}

// Fields returns where the computed fields of the text lie, in their order, and the bytes that
// parts are filled up with, as fields called pad.
func (t *Tree) Fields() []field.At {
	var p placing
	p.place(t)
	return p.Layout.Fields()
}

// place appends the text with the fields' fillers, and finds all places in it.
func (p *placing) place(t *Tree) {
	p.Reset()
	nodes := t.Nodes()
	at := 0
	p.stack = append(p.stack[:0], placed{e: nodes[0].Expr})
	for len(p.stack) > 0 {
		top := &p.stack[len(p.stack)-1]
		e := top.e
		if top.endPart > 0 {
			p.end(top.endPart-1, e)
			p.stack = p.stack[:len(p.stack)-1]
			continue
		}
		begins := top.i == 0
		if begins && (e.Part != 0 || e.Resize != nil) { // the end of the part stands below the expression
			elements := 0
			if e.Op == grammar.Rep {
				elements = nodes[at].Val
			}
			x := *top
			*top = placed{e: e, endPart: 1 + p.Begin(e.Part, x.scope, len(p.text), elements)}
			p.stack = append(p.stack, x)
			top = &p.stack[len(p.stack)-1]
		}
		switch e.Op {
		case grammar.Seq:
			if int(top.i) == len(e.Children) {
				p.stack = p.stack[:len(p.stack)-1]
				continue
			}
			k := placed{e: e.Children[top.i], scope: top.scope}
			top.i++
			p.stack = append(p.stack, k)
		case grammar.Rep:
			if begins {
				top.n = int32(nodes[at].Val)
				at++
			}
			if top.i == top.n {
				p.stack = p.stack[:len(p.stack)-1]
				continue
			}
			top.i++
			p.stack = append(p.stack, placed{e: e.Children[0], scope: p.Open(top.scope, false)})
		case grammar.Choice:
			k := placed{e: e.Children[nodes[at].Val], scope: p.Open(top.scope, false)}
			at++
			*top = k
		case grammar.Ref:
			k := placed{e: e.Rule.Body, scope: p.Open(top.scope, true)}
			at++
			*top = k
		default:
			if e.Field != nil {
				p.text = p.Add(e.Field, top.scope, p.text)
			} else {
				p.text = nodes[at].AppendText(p.text)
			}
			at++
			p.stack = p.stack[:len(p.stack)-1]
		}
	}
}

// end ends a part, which is e.
func (p *placing) end(part int, e *grammar.Expr) {
	if r := e.Resize; r != nil && r.Pad > 1 {
		p.text = p.Pad(part, p.text, r)
	}
	if e.Part != 0 {
		p.text = p.End(part, p.text)
	}
}
