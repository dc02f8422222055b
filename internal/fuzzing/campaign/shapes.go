package campaign

import (
	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/fuzzing/guide"
)

// shape combines the end of a run with a part of the sentence's form: an alternative and its
// parent alternative.
type shape struct {
	end          guide.Label
	outer, inner int // -1: no parent
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

// collects reports whether texts are kept without a guide. A process of a divided campaign keeps
// none: the queue goes to all processes.
func (c *Campaign) collects() bool { return c.o.Guide == noGuide && c.o.Coordinator == nil }

// collect puts texts into the queue where no guide does: one for each label, and one for each
// shape of the sentences whose tree is known.
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
