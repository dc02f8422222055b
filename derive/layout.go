package derive

import (
	"errors"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/lex"
)

// LayoutPolicy determines the separators between tokens. The zero value is Tight.
type LayoutPolicy = lex.Policy

// The policies.
const (
	Tight  = lex.Tight  // the least separator, and only where tokens would otherwise be read differently
	Spaced = lex.Spaced // the first separator, wherever one is allowed
	Random = lex.Random // any allowed separator, or none where none is needed
)

// Layout puts separators between the tokens of a derivation: where the lexer would otherwise
// read them differently, and where the policy asks for them. It is for one grammar, and safe
// for concurrent use. A nil Layout puts none.
//
// The text before a token depends on the tokens up to it. With [Random] it is a choice of kind
// [Gap] if several texts are possible; other policies have no choices. These choices follow
// all others of the sequence, in the order of the gaps. So the choices of the derivation do
// not depend on the layout, and From and To of nodes count only them. A sequence that ends
// with them is the sentence in its least layout.
type Layout struct {
	lexer   *lex.Lexer
	policy  LayoutPolicy
	lenient bool
	wishes  []string // by node; nil: none
}

// NewLayout returns the layout for the sentences of a frozen grammar. It returns nil if the
// text of every derivation is that of its leaves: if texts are read without a lexer, or if the
// policy is [Tight] and no two neighbours need a separator. It fails if the token rules are
// too large to compile.
func NewLayout(g *grammar.Grammar, p LayoutPolicy) (*Layout, error) {
	if !lex.UsesLexer(g) {
		return nil, nil
	}
	l, err := lex.New(g)
	if err != nil {
		return nil, err
	}
	if p == Tight && l.NeverJoins() {
		return nil, nil
	}
	return &Layout{lexer: l, policy: p}, nil
}

// Gaps returns a cache of gaps that lays out texts without trees. mark returns the marks that
// it expects after the texts of terminals or, alone, in their place. Gaps returns nil if there
// can be no such cache.
func (l *Layout) Gaps() (_ *lex.Gaps, mark func(*grammar.Expr) (mark string, alone bool)) {
	if l == nil {
		return nil, nil
	}
	gaps := l.lexer.Gaps(l.policy)
	if gaps == nil {
		return nil, nil
	}
	return gaps, l.lexer.Mark
}

// Lenient returns a layout that never fails, for enumerations. A token that cannot be laid out
// is separated as well as the grammar allows, and the lexer reads the text differently.
func (l *Layout) Lenient() *Layout {
	if l == nil {
		return nil
	}
	return &Layout{lexer: l.lexer, policy: l.policy, lenient: true}
}

// Tree returns a copy of the tree with this layout. Random layout asks ch; other policies do
// not use it. The choices are those of the derivation, then those of the layout. Where ch is nil and
// the tree has layout, that stays wherever the lexer reads the tokens so, and the rest is the least;
// with significant indentation all of it is. Tree fails with a [*lex.JoinError] if the tokens cannot
// be laid out, and with the errors of ch.
func (l *Layout) Tree(t *Tree, ch Chooser) (*Tree, error) {
	c := Tree{Grammar: t.Grammar, nodes: t.Nodes(), choices: t.Choices()}
	if len(c.nodes) > 0 {
		c.choices = c.choices[:c.nodes[0].To:c.nodes[0].To]
	}
	if l == nil {
		return &c, nil
	}
	if ch == nil && t.Gaps() != nil {
		l = &Layout{lexer: l.lexer, policy: Tight, lenient: l.lenient, wishes: t.Gaps()}
	}
	m := Machine{g: t.Grammar, tree: &c, ch: ch, leastFrom: unlimited}
	return &c, m.layOut(l)
}

// layOut adds the gaps to the complete tree.
func (m *Machine) layOut(l *Layout) error {
	t := m.tree
	var failed error
	at := m.g.Root // the terminal after the gap
	j := l.lexer.Joiner(l.policy, func(n int) int {
		m.decision(Gap, at, n, n, 0, 0, grammar.Any)
		v, err := m.choose(0)
		if err != nil {
			failed = errors.Join(failed, err)
		}
		return v
	})
	var gaps []string
	wish := func(node int) {
		if l.wishes != nil {
			j.Wish(l.wishes[node])
		}
	}
	put := func(node int, text string) {
		if text == "" {
			return
		}
		if gaps == nil {
			gaps = make([]string, len(t.Nodes())+1)
		}
		gaps[node] = text
	}
	var text []byte
	for i := 0; i < len(t.Nodes()); {
		end, terminal := t.terminal(i)
		if !terminal {
			i++
			continue
		}
		at, text = t.Nodes()[i].Expr, text[:0]
		for k := i; k < end; k++ {
			text = t.Nodes()[k].AppendText(text)
		}
		leaf := t.firstLeaf(i)
		wish(leaf)
		gap, err := l.next(j, &t.Nodes()[i], string(text))
		if err != nil && l.lenient {
			gap, err = j.Force(string(text)), nil
		}
		if err = errors.Join(failed, err); err != nil {
			return refusedAt(i, err)
		}
		put(leaf, gap)
		i = end
	}
	at = m.g.Root
	wish(len(t.Nodes()))
	gap, err := j.End()
	if err != nil && !l.lenient {
		return refusedAt(len(t.Nodes()), errors.Join(failed, err))
	}
	put(len(t.Nodes()), gap)
	t.gaps = gaps
	return failed
}

// refusedAt adds to an error the node that could not be laid out.
func refusedAt(node int, err error) error {
	if e := new(lex.JoinError); errors.As(err, &e) {
		e.Node = node
	}
	return err
}

// next returns the text before a terminal.
func (l *Layout) next(j *lex.Joiner, n *Node, text string) (string, error) {
	kind := l.lexer.KindOf(n.Expr)
	if !n.Name || kind >= 0 {
		return j.Next(kind, text)
	}
	// A name in place of a syntax rule: its tokens as they are.
	tokens, err := l.lexer.Tokens(text)
	if err != nil || len(tokens) == 0 {
		return j.Next(kind, text)
	}
	gap := ""
	for i, t := range tokens {
		piece := text[t.Start:t.End]
		if i == 0 {
			gap, err = j.Next(t.Kind, piece)
		} else {
			err = j.Glue(t.Kind, piece)
		}
		if err != nil {
			return "", err
		}
	}
	return gap, nil
}

// terminal returns the end of the terminal at node i, in the sense of the syntax rules; it
// returns false for an inner node.
func (t *Tree) terminal(i int) (end int, ok bool) {
	n := &t.Nodes()[i]
	switch {
	case n.Name, n.Expr.Op == grammar.Lit, n.Expr.Op == grammar.Class:
		return i + 1, true
	case n.Expr.Op == grammar.Ref && n.Expr.Rule.Kind == grammar.Token:
		return n.End, true
	}
	return 0, false
}

// firstLeaf returns the first leaf from node i on.
func (t *Tree) firstLeaf(i int) int {
	for ; i < len(t.Nodes())-1; i++ {
		if n := &t.Nodes()[i]; n.Name || n.Expr.Op == grammar.Lit || n.Expr.Op == grammar.Class {
			break
		}
	}
	return i
}
