package context

import (
	"bytes"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
)

// NameError says that a text has a name in a forbidden place.
type NameError struct {
	Name      string
	Namespace string
	Offset    int // bytes of text before the name
	Line, Col int // of the name in the text, from 1; the column counts bytes

	kind int // of the element
}

// undefined is the kind of a use without a definition.
const undefined = -1

func (e *NameError) Error() string {
	what := fmt.Sprintf("%q is used before it is defined", e.Name)
	switch e.kind {
	case undefined:
		what = fmt.Sprintf("%q is used and not defined in its scope", e.Name)
	case scope.Fresh, scope.Shadow:
		what = fmt.Sprintf("%q is defined again", e.Name)
	case scope.Same:
		what = fmt.Sprintf("%q is not the text that it has to repeat", e.Name)
	case scope.Define:
		what = fmt.Sprintf("%q is not among the names of the pool", e.Name)
	}
	return fmt.Sprintf("%d:%d: %s (namespace %s)", e.Line, e.Col, what, e.Namespace)
}

// Convert replaces the derivations of names in a parsed tree by names, and returns the tree
// that a machine with these annotations makes. The error is a [NameError] if a name is in a
// forbidden place. In mode canonical, a new name must also be the first of those not in play.
// A nil Names returns the tree itself. It takes time linear in the tree, plus time linear in
// the names in play for each name.
func (n *Names) Convert(t *derive.Tree) (*derive.Tree, error) {
	if n == nil {
		return t, nil
	}
	c := &converting{names: n.names(), from: t, env: n.names().NewEnv()}
	if t.Gaps() != nil {
		c.gaps = []string{}
	}
	if err := c.run(); err != nil {
		return nil, err
	}
	if t.Gaps() != nil {
		c.gaps = append(c.gaps, t.Gaps()[len(t.Nodes())])
	}
	return derive.NewTree(t.Grammar, c.nodes, c.choices, c.gaps), nil
}

// Check returns the first name of a tree in a forbidden place, as a [NameError], or nil if
// there is none. Names beyond the pools are allowed, and any number that are used before they are
// defined, where @forward allows that.
func (n *Names) Check(t *derive.Tree) error {
	if n == nil {
		return nil
	}
	c := &converting{names: n.names(), from: t, env: n.names().NewEnv(), anyName: true}
	return c.run()
}

type converting struct {
	names   *scope.Names
	from    *derive.Tree
	env     *scope.Env
	anyName bool

	at      int // the next node of from
	text    int // bytes of text before it
	copied  int // choices of from copied so far
	nodes   []derive.Node
	choices []int
	gaps    []string
	stack   []convertTask
}

// convertTask is an expression to follow, or the end of a node or of wraps.
type convertTask struct {
	e     *grammar.Expr
	close int  // the end of node close-1 …
	old   int  // … which was this one
	wraps bool // the end of an element's wraps, which began at text
	text  int
}

func (c *converting) run() error {
	c.stack = append(c.stack, convertTask{e: c.from.Grammar.Root})
	for len(c.stack) > 0 {
		t := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		switch {
		case t.close > 0:
			n := &c.nodes[t.close-1]
			c.take(c.from.Nodes()[t.old].To)
			n.End, n.To = len(c.nodes), len(c.choices)
		case t.wraps:
			el := c.names.At(t.e)
			if missing := c.env.Leave(el, func() string { return c.between(t.text, c.text) }); missing != nil {
				c.at = missing.At
				return c.nameError(&core.Action{Kind: undefined, Component: missing.Component}, missing.Name)
			}
		default:
			if err := c.expr(t.e); err != nil {
				return err
			}
		}
	}
	c.take(len(c.from.Choices()))
	return nil
}

// take copies choices up to index to.
func (c *converting) take(to int) {
	if to > c.copied {
		c.choices = append(c.choices, c.from.Choices()[c.copied:to]...)
		c.copied = to
	}
}

// between returns the text of the new nodes from byte from to byte to, without layout.
func (c *converting) between(from, to int) string {
	var b []byte
	for i := len(c.nodes) - 1; i >= 0 && len(b) < to-from; i-- {
		b = append(c.nodes[i].AppendText(nil), b...)
	}
	return string(b)
}

func (c *converting) expr(e *grammar.Expr) error {
	el := c.names.At(e)
	if el != nil {
		c.stack = append(c.stack, convertTask{e: e, wraps: true, text: c.text})
		c.env.Enter(el)
		if el.Kind != scope.None {
			return c.name(e, el)
		}
	}
	if e.Op == grammar.Seq {
		for i := len(e.Children) - 1; i >= 0; i-- {
			c.stack = append(c.stack, convertTask{e: e.Children[i]})
		}
		return nil
	}
	old := &c.from.Nodes()[c.at]
	c.take(old.From)
	node := *old
	node.From = len(c.choices)
	if c.gaps != nil {
		c.gaps = append(c.gaps, c.from.Gaps()[c.at])
	}
	c.at++
	c.nodes = append(c.nodes, node)
	c.text += len(node.AppendText(nil))
	c.stack = append(c.stack, convertTask{close: len(c.nodes), old: c.at - 1})
	switch e.Op {
	case grammar.Choice:
		c.stack = append(c.stack, convertTask{e: e.Children[node.Val]})
	case grammar.Rep:
		for range node.Val {
			c.stack = append(c.stack, convertTask{e: e.Children[0]})
		}
	case grammar.Ref:
		if e.Rule.Kind != grammar.Skip || e.Rule.Inline {
			c.stack = append(c.stack, convertTask{e: e.Rule.Body})
		}
	}
	return nil
}

// name replaces the derivation of e by a name.
func (c *converting) name(e *grammar.Expr, el *core.Action) error {
	first := &c.from.Nodes()[c.at]
	end, to := first.End, first.To
	if e.Op == grammar.Seq {
		for range e.Children[1:] {
			end, to = c.from.Nodes()[end].End, c.from.Nodes()[end].To
		}
	}
	var b []byte
	gap := ""
	for i := c.at; i < end; i++ {
		if c.gaps != nil && len(b) == 0 {
			gap += c.from.Gaps()[i]
		}
		b = c.from.Nodes()[i].AppendText(b)
	}
	c.take(first.From)
	node := derive.Node{Expr: e, Name: true, Text: string(b), From: len(c.choices)}
	v, ok := 0, false
	c.env.At = c.at
	if c.anyName {
		ok = c.env.FindAny(el, node.Text)
	} else {
		v, ok = c.env.Find(el, node.Text)
	}
	if !ok {
		return c.nameError(el, node.Text)
	}
	node.Val = v
	if el.Kind != scope.Same {
		c.choices = append(c.choices, v)
	}
	if c.gaps != nil {
		c.gaps = append(c.gaps, gap)
	}
	c.at, c.copied = end, to
	c.text += len(b)
	node.End, node.To = len(c.nodes)+1, len(c.choices)
	c.nodes = append(c.nodes, node)
	return nil
}

func (c *converting) nameError(el *core.Action, text string) error {
	e := &NameError{Name: text, Namespace: c.names.Namespaces()[el.Component].Name, kind: el.Kind}
	var b []byte // the text before the name
	for i := range c.at + 1 {
		if c.from.Gaps() != nil {
			b = append(b, c.from.Gaps()[i]...)
		}
		if i < c.at {
			b = c.from.Nodes()[i].AppendText(b)
		}
	}
	e.Offset, e.Line, e.Col = len(b), 1+bytes.Count(b, []byte("\n")), len(b)-bytes.LastIndexByte(b, '\n')
	return e
}
