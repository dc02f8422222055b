package reduce

import "slices"

// structurePass works on what a text shows of its structure without a grammar:
// brackets, tags, blocks by indentation, statements and lists by their
// separators, words that are used in several places.
func structurePass(s *search) error { return s.structure(0) }

// structure asks at most so many rounds of edits, all with 0.
func (s *search) structure(most int) error {
	for {
		again, err := s.rounds(schedule(structureEdits(s.best.text), len(s.best.text), most), s.textBuilder())
		if err != nil || !again {
			return err
		}
	}
}

// structureEdits lists all edits of the text's structure.
func structureEdits(text []byte) []edit {
	l := layoutFor(text)
	gs := groups(l)
	ls := linesOf(l)
	bs := blocks(l, ls)
	all := lists(l, gs)
	es := groupEdits(l, gs)
	es = append(es, blockEdits(l, ls, bs)...)
	for _, list := range all {
		es = append(es, listEdit.of(chunkEdits(len(list.from)-1, func(a, b int) (edit, bool) { return list.delEdit(l, a, b) }))...)
	}
	return append(es, useEdit.of(usesEdits(l, ls, bs, all))...)
}

// mostUses bounds how often a word may occur to be taken out with all its uses.
const mostUses = 40

// usesEdits returns, for every word, the edits that take out all places where
// it stands: the lines (with their blocks), or the least elements of lists.
func usesEdits(l *layout, ls []line, bs []block, all []elements) []edit {
	uses := map[string][]int{}
	for i, t := range l.ts {
		if t.kind == word || t.kind == quoted {
			w := l.str(i)
			uses[w] = append(uses[w], i)
		}
	}
	least := leastElements(l, all)
	lineOf := make([]int, len(l.ts))
	for k, ln := range ls {
		for i := ln.from; i < ln.to; i++ {
			lineOf[i] = k
		}
	}
	var words []string
	for w, at := range uses {
		if len(at) > 1 && len(at) <= mostUses {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	var es []edit
	for _, w := range words {
		var lines, elems []edit
		for _, i := range uses[w] {
			b := bs[lineOf[i]]
			lines = append(lines, newEdit(l.del(ls[b.first].from, ls[b.last].to)))
			if least[i].cuts != nil {
				elems = append(elems, least[i])
			}
		}
		for _, parts := range [][]edit{lines, elems} {
			if cuts, ok := merge(parts); ok && len(cuts) > 1 {
				es = append(es, newEdit(slices.Clone(cuts)...))
			}
		}
	}
	return es
}

// leastElements returns, for every token, the edit that takes out the smallest
// element it stands in.
func leastElements(l *layout, all []elements) []edit {
	least := make([]edit, len(l.ts))
	size := make([]int, len(l.ts))
	for _, list := range all {
		for k := range len(list.from) - 1 {
			n := list.from[k+1] - list.from[k]
			for i := list.from[k]; i < list.from[k+1]; i++ {
				if size[i] == 0 || n < size[i] {
					size[i] = n
					least[i], _ = list.delEdit(l, k, k+1)
				}
			}
		}
	}
	return least
}
