package campaign

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/guide"
)

// shape is a part of the form of a sentence and how its run ended: an alternative with
// the one that it stands in.
type shape struct {
	end          guide.Label
	outer, inner int // -1: it stands in none
}

// newShapes notes the shapes of a sentence and reports whether one is new.
func (c *Campaign) newShapes(t *derive.Tree, end guide.Label) (fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	type open struct{ alt, end int }
	around := []open{{-1, len(t.Nodes())}}
	for i := range t.Nodes() {
		n := &t.Nodes()[i]
		if n.Expr.Op != grammar.Choice || n.Name {
			continue
		}
		for around[len(around)-1].end <= i {
			around = around[:len(around)-1]
		}
		s := shape{end, around[len(around)-1].alt, n.Expr.FirstAlt + n.Val}
		around = append(around, open{s.inner, n.End})
		if !c.shapes[s] {
			c.shapes[s], fresh = true, true
		}
	}
	return fresh
}

// collects reports whether texts are kept though no guide goes on from them. A process of several
// keeps none: what is in the queue goes to all of them.
func (c *Campaign) collects() bool { return c.o.Guide == noGuide && c.o.Coordinator == nil }

// collect puts a text into the queue where no guide does: one for each label, and one for each
// shape of those sentences of which the tree is known.
func (w *worker) collect(in *input, r *Ran, fresh bool) error {
	if !w.c.collects() || r.late() {
		return nil
	}
	if in.tree != nil {
		fresh = w.c.newShapes(in.tree, w.last.label) || fresh
	}
	if !fresh {
		return nil
	}
	w.examples.Add(1)
	return w.c.folder.AddText(in.text)
}
