package reduce

import (
	"bytes"
	"context"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/treeedit"
)

// treeBuilder makes candidates of the present best tree. Of a text from elsewhere, without hooks and
// names, it edits the text, and derives a tree of the last accepted candidate only. Otherwise it
// replays every candidate, and keeps what layout the lexer allows between the new neighbours.
func (s *search) treeBuilder(v *treeView) editBuilder {
	base := v.tree.Choices()
	var m merger
	return func(held []edit, e edit) (*candidate, error) {
		cuts, ok := m.with(held, e)
		if !ok {
			return nil, nil
		}
		choices := spliceChoices(base, cuts)
		if v.gap == nil {
			return s.replay(choices)
		}
		text, gap := v.splice(cuts)
		derived := func() (*derive.Tree, error) { return s.rebuildTree(choices, text, gap) }
		if s.o.Derive.Hooks == nil && s.names == nil && !s.keepSentences {
			return &candidate{text: text, derive: derived}, nil
		}
		t, err := derived()
		if err == nil && s.o.Derive.Layout != nil {
			t, err = s.o.Derive.Layout.Tree(t, nil)
		}
		if err != nil {
			return nil, s.ctx.Err()
		}
		return &candidate{text: t.AppendText(nil), tree: t}, nil
	}
}

// splice applies cuts to the text and to the marks of its layout.
func (v *treeView) splice(cuts []cut) (text []byte, gap []bool) {
	text, gap = make([]byte, 0, len(v.text)), make([]bool, 0, len(v.text))
	apart := func(next byte, gone []byte) {
		if n := len(text); n > 0 && joins(text[n-1], next) {
			text, gap = append(text, separatorFor(gone)), append(gap, true)
		}
	}
	at := 0
	for _, c := range cuts {
		text, gap = append(text, v.text[at:c.from]...), append(gap, v.gap[at:c.from]...)
		gone := v.text[c.from:c.to]
		if c.with != "" {
			if c.from < c.to || at < c.from {
				apart(c.with[0], nil)
			}
			for k := range len(c.with) {
				text, gap = append(text, c.with[k]), append(gap, c.gaps[k] == '1')
			}
		}
		at = c.to
		if at < len(v.text) && (len(gone) > 0 || c.with != "") {
			apart(v.text[at], gone)
		}
	}
	return append(text, v.text[at:]...), append(gap, v.gap[at:]...)
}

// rebuildTree replays choices and adds the layout of text to the tree, unless hooks made another
// tree of the choices.
func (s *search) rebuildTree(choices []int, text []byte, gap []bool) (*derive.Tree, error) {
	t, err := s.machine.Run(context.WithoutCancel(s.ctx), derive.Replay(choices))
	if err != nil {
		return nil, err
	}
	gaps := make([]string, len(t.Nodes())+1)
	at := 0
	var leaf []byte
	for i := range t.Nodes() {
		leaf = t.Nodes()[i].AppendText(leaf[:0])
		if len(leaf) == 0 {
			continue
		}
		from := at
		for at < len(text) && gap[at] {
			at++
		}
		gaps[i] = string(text[from:at])
		if !bytes.HasPrefix(text[at:], leaf) {
			return t, nil
		}
		at += len(leaf)
	}
	gaps[len(t.Nodes())] = string(text[at:])
	if slices.Contains(gap[at:], false) {
		return t, nil
	}
	return derive.NewTree(t.Grammar, t.Nodes(), t.Choices(), gaps), nil
}

// listEdits returns the edits that take runs of elements out of repetition i, down
// to one element.
func (v *treeView) listEdits(i int) []edit {
	n := &v.tree.Nodes()[i]
	e := n.Expr
	if e.Op != grammar.Rep || n.Val <= e.Min {
		return nil
	}
	var children []int
	v.tree.Children(i, func(k int) bool { children = append(children, k); return true })
	starts := treeedit.Starts(v.tree, i)
	if starts == nil {
		return nil
	}
	count := n.Val
	full := e.Max >= 0 && count == e.Max
	per := len(children) / count
	return chunkEdits(count, func(a, b int) (edit, bool) {
		if count-(b-a) < e.Min || a < e.Min && (e.Min > 1 || b == count) {
			return edit{}, false
		}
		first, last := starts[a], starts[b]
		c := v.del(v.from[first.Node], v.to[v.lastNode(last.Node, i)], first.Choice, last.Choice)
		var ed edit
		if a < e.Min { // the next element becomes required and loses its choice to go on
			c.cfrom, c.cto = v.tree.Nodes()[first.Node].From, v.tree.Nodes()[last.Node].From
			ed.keep = [][2]int{{v.from[last.Node], v.to[last.Node]}}
		}
		ed.cuts = []cut{c}
		if full {
			ed.cuts = append(ed.cuts, cut{from: v.to[i], to: v.to[i], cfrom: n.To, cto: n.To, cwith: []int{0}})
		}
		ed.gain = c.to - c.from
		ed.one = b == a+1
		if ed.one {
			ed.nodes = children[a*per : b*per]
		}
		return ed, true
	})
}

// lastNode returns the last node before node k that is not above node i.
func (v *treeView) lastNode(k, i int) int { return max(k-1, i) }
