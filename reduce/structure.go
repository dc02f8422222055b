package reduce

import "slices"

// structurePass edits structure that is visible without a grammar: brackets, tags, blocks by
// indentation, statements and lists by their separators, and words used in several places.
func structurePass(s *search) error { return s.structure(0) }

// structure tries the edits that are expected to save worth bytes, all if that is 0.
func (s *search) structure(worth float64) error {
	for {
		again, err := s.tryLikely(structureEdits(s.best.text, s.late), worth, s.textBuilder())
		if err != nil || !again {
			return err
		}
	}
}

// structureEdits lists all edits of the text's structure, unlikely ones only if late is set.
func structureEdits(text []byte, late bool) []edit {
	l := lexText(text)
	gs := findBrackets(l)
	ls := linesOf(l)
	bs := findBlocks(l, ls)
	all := findLists(l, gs)
	es := append(recordEdits(text), bracketEdits(l, gs)...)
	es = append(es, blockEdits(l, ls, bs)...)
	for _, list := range all {
		n, del := len(list.from)-1, func(a, b int) (edit, bool) { return list.delEdit(l, a, b) }
		es = append(es, listEdit.mark(chunkEdits(n, del))...)
		if late { // the other pairs of neighbours
			es = append(es, listEdit.mark(chunksOf(n-1, 2, del))...)
		}
	}
	es = append(es, togetherEdits(l, gs, ls, bs, all, late)...)
	return append(es, useEdit.mark(wordUseEdits(l, ls, bs, all))...)
}

// maxUses bounds the uses of a word that are deleted together.
const maxUses = 40

// wordUseEdits returns, for every word, the edits that delete all its uses: the
// lines with their blocks, or the smallest elements of lists.
func wordUseEdits(l *lexedText, ls []line, bs []block, all []elements) []edit {
	uses, words := l.uses()
	least := smallestElements(l, all)
	lineOf := make([]int, len(l.tokens))
	for k, ln := range ls {
		for i := ln.from; i < ln.to; i++ {
			lineOf[i] = k
		}
	}
	var es []edit
	for _, w := range words {
		if len(uses[w]) < 2 || len(uses[w]) > maxUses {
			continue
		}
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

// smallestElements returns, for every token, the edit that deletes the smallest
// element around it.
func smallestElements(l *lexedText, all []elements) []edit {
	least := make([]edit, len(l.tokens))
	size := make([]int, len(l.tokens))
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
