package reduce

import (
	"context"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
)

// island is a part of a text that has a tree of its own, of any grammar.
type island struct {
	from int // its first byte
	tree *derive.Tree
}

// Bounds of the parts of a text that are parsed to find islands.
const (
	leastIsland = 4   // bytes
	mostParses  = 300 // for one text
)

// islandsPass edits the trees of the parts of a text that has no tree as a whole.
func islandsPass(s *search) error { return s.editIslands(0) }

// editIslands tries the edits that are expected to save worth bytes, all if that is 0.
func (s *search) editIslands(worth float64) error {
	for s.best.tree == nil && (s.o.Islands != nil || s.o.Parse != nil) {
		var es []edit
		for _, is := range s.islands(s.best.text) {
			es = append(es, s.islandEdits(is)...)
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		again, err := s.tryLikely(es, worth, s.textBuilder())
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// islands returns the islands of a text.
func (s *search) islands(text []byte) (found []island) {
	if s.o.Islands != nil {
		for from, t := range s.o.Islands(s.ctx, text) {
			found = append(found, island{from, t})
		}
		slices.SortFunc(found, func(a, b island) int { return a.from - b.from })
		return found
	}
	f := findIslands(s.ctx, text, s.o.Parse, s.parsedParts)
	s.parsedParts = f.known
	return f.found
}

// Parts returns the trees of parts of a text that is no sentence: runs of its blocks, and
// brackets, that parse accepts. The parts do not overlap. It calls parse 300 times at most.
func Parts(ctx context.Context, text []byte, parse func(context.Context, []byte) (*derive.Tree, error)) (parts []*derive.Tree) {
	for _, is := range findIslands(ctx, text, parse, nil).found {
		parts = append(parts, is.tree)
	}
	return parts
}

// islandEdits returns the edits of persesPass in an island, as edits of the text.
func (s *search) islandEdits(is island) []edit {
	g := is.tree.Grammar
	if s.islandMinimal[g] == nil {
		s.islandMinimal[g] = newMinimalDeriver(g.Facts(nil, grammar.Structure), true)
	}
	v := newTreeView(is.tree, is.tree.AppendText(nil), s.islandMinimal[g])
	es := v.nodeEdits()
	es = append(es, v.jointEditsOf(es)...)
	es = append(es, useEdit.mark(v.definitionEdits())...)
	for i := range es {
		cuts := make([]cut, len(es[i].cuts))
		for k, c := range es[i].cuts {
			cuts[k] = cut{from: c.from + is.from, to: c.to + is.from, with: c.with}
		}
		es[i].cuts = dropEmpty(cuts)
		keep := slices.Clone(es[i].keep)
		for k := range keep {
			keep[k][0] += is.from
			keep[k][1] += is.from
		}
		es[i].keep = keep
	}
	return slices.DeleteFunc(es, func(e edit) bool { return len(e.cuts) == 0 })
}

// islandFinder looks for the parts of a text that are sentences of the grammar: runs of
// blocks, then brackets.
type islandFinder struct {
	ctx   context.Context
	parse func(context.Context, []byte) (*derive.Tree, error)
	old   map[string]*derive.Tree // parts that were parsed for an earlier text; nil: none
	l     *lexedText
	ls    []line
	bs    []block
	left  int                     // parses
	known map[string]*derive.Tree // of parts; nil: none
	found []island
	ends  []int // of found
}

// findIslands finds the islands of a text.
func findIslands(ctx context.Context, text []byte, parse func(context.Context, []byte) (*derive.Tree, error), old map[string]*derive.Tree) *islandFinder {
	f := &islandFinder{ctx: ctx, parse: parse, old: old, l: lexText(text), left: mostParses, known: map[string]*derive.Tree{}}
	f.ls = linesOf(f.l)
	f.bs = findBlocks(f.l, f.ls)
	f.lines(0, len(f.ls))
	f.inBrackets()
	return f
}

// lines finds islands in the lines from … to-1, a run of blocks: the run, its halves, and so on,
// then the inside of a block.
func (f *islandFinder) lines(from, to int) {
	if from >= to || f.isIsland(f.ls[from].from, f.ls[to-1].to) {
		return
	}
	var starts []int
	for k := from; k < to; k = f.bs[k].last + 1 {
		starts = append(starts, k)
	}
	if n := len(starts); n > 1 {
		f.lines(from, starts[n/2])
		f.lines(starts[n/2], to)
		return
	}
	if b := f.bs[from]; b.body < b.end {
		f.lines(b.body, min(b.end, to))
	}
}

// inBrackets finds islands in brackets outside of the islands.
func (f *islandFinder) inBrackets() {
	blocks, k, inside := len(f.found), 0, 0
	for _, g := range findBrackets(f.l) {
		at := f.l.tokens[g.open].from
		for k < blocks && f.ends[k] <= at {
			k++
		}
		if at >= inside && (k == blocks || at < f.found[k].from) && f.isIsland(g.open, g.shut+1) {
			inside = f.l.tokens[g.shut].to
		}
	}
}

// isIsland makes the tokens a … b-1 an island if they are a sentence.
func (f *islandFinder) isIsland(a, b int) bool {
	from, to := f.l.tokens[a].from, f.l.tokens[b-1].to
	if to-from < leastIsland || to-from == len(f.l.text) {
		return false
	}
	part := string(f.l.text[from:to])
	t, known := f.old[part]
	if !known {
		f.left--
		if f.left < 0 || f.ctx.Err() != nil {
			return false
		}
		var err error
		if t, err = f.parse(f.ctx, []byte(part)); err != nil || t.Text() != part {
			t = nil
		}
	}
	f.known[part] = t
	if t != nil {
		f.found, f.ends = append(f.found, island{from, t}), append(f.ends, to)
	}
	return t != nil
}
