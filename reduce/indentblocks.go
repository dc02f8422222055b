package reduce

import "strings"

// line is a line of the text that is not blank, by tokens.
type line struct {
	from, to int
	indent   int
}

func linesOf(l *lexedText) []line {
	var ls []line
	for i := range l.tokens {
		if l.newline(i) {
			start := l.tokens[i].from
			for start > 0 && l.text[start-1] != '\n' && isSpace(l.text[start-1]) {
				start--
			}
			ls = append(ls, line{from: i, indent: l.tokens[i].from - start})
		}
		ls[len(ls)-1].to = i + 1
	}
	return ls
}

// block is a line with the deeper lines below it and the line that closes it.
type block struct {
	first, last int // lines
	body, end   int // the deeper lines: body … end-1
}

// findBlocks returns the blocks of the text by indentation.
func findBlocks(l *lexedText, ls []line) []block {
	var bs []block
	for i, ln := range ls {
		j := i + 1
		for j < len(ls) && ls[j].indent > ln.indent {
			j++
		}
		b := block{i, j - 1, i + 1, j}
		if j > i+1 && j < len(ls) && ls[j].indent == ln.indent && l.closes(ls[j].from) {
			b.last = j
		}
		bs = append(bs, b)
	}
	return bs
}

// closes reports whether a line that begins with token i closes the block above.
func (l *lexedText) closes(i int) bool {
	switch l.str(i) {
	case "end", "}", ")", "]", "fi", "done", "esac", "END", "until":
		return true
	}
	return l.is(i, '<') && i+1 < len(l.tokens) && l.is(i+1, '/')
}

// blockEdits returns the edits of blocks: delete runs of siblings or a body, unwrap a body,
// replace a block by an inner one.
func blockEdits(l *lexedText, ls []line, bs []block) []edit {
	var es []edit
	for i := 0; i < len(bs); i++ {
		b := bs[i]
		if i == 0 || bs[i-1].end > i || ls[i-1].indent != ls[i].indent { // first of its siblings, or nearly
			var sib []block
			for k := i; k < len(bs) && bs[k].first < len(ls) && ls[k].indent == ls[i].indent; k = bs[k].last + 1 {
				sib = append(sib, bs[k])
			}
			es = append(es, listEdit.mark(chunkEdits(len(sib), func(a, z int) (edit, bool) {
				return newEdit(l.del(ls[sib[a].first].from, ls[sib[z-1].last].to)), true
			}))...)
		}
		es = append(es, newEdit(l.del(ls[i].from, ls[b.last].to)))
		if b.end <= b.body {
			continue
		}
		es = append(es, newEdit(l.del(ls[b.body].from, ls[b.end-1].to)))
		es = append(es, unwrap(l, ls, b))
		for k := b.body; k < b.end; k = bs[k].last + 1 {
			es = append(es, dedent(l, ls, b, bs[k]))
		}
	}
	return es
}

// unwrap deletes the first and the closing line of a block.
func unwrap(l *lexedText, ls []line, b block) edit {
	return dedent(l, ls, b, block{first: b.body, last: b.end - 1})
}

// dedent replaces block b by the lines of inner, with the indentation of b.
func dedent(l *lexedText, ls []line, b, inner block) edit {
	from, to := ls[inner.first].from, ls[inner.last].to
	less := ls[inner.first].indent - ls[b.first].indent
	cuts := []cut{{from: l.tokens[ls[b.first].from].from, to: l.tokens[from].from}, {from: l.tokens[to-1].to, to: l.tokens[ls[b.last].to-1].to}}
	for k := inner.first + 1; k <= inner.last; k++ {
		at := l.tokens[ls[k].from].from
		cuts = append(cuts, cut{from: at - min(less, ls[k].indent), to: at})
	}
	e := newEdit(dropEmpty(cuts)...)
	e.keep = [][2]int{{l.tokens[from].from, l.tokens[to-1].to}}
	return e
}

// reindent returns the edit that indents every line by one space for each level. It keeps the
// nesting of lines.
func reindent(l *lexedText) []edit {
	var cuts []cut
	var levels []int
	for _, ln := range linesOf(l) {
		for len(levels) > 0 && levels[len(levels)-1] >= ln.indent {
			levels = levels[:len(levels)-1]
		}
		if at := l.tokens[ln.from].from; ln.indent > len(levels) {
			cuts = append(cuts, cut{from: at - ln.indent, to: at, with: strings.Repeat(" ", len(levels))})
		}
		levels = append(levels, ln.indent)
	}
	if cuts == nil {
		return nil
	}
	return []edit{newEdit(cuts...)}
}
