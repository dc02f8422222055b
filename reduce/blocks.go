package reduce

// elements are runs of tokens that stand side by side in one place: statements,
// items, lines. Element i is from[i] … from[i+1]-1, its separator included.
type elements struct {
	from   []int
	joined bool // separators stand between elements, not at their ends
}

// delEdit is the edit that takes out the elements from a up to but without b.
func (es *elements) delEdit(l *layout, a, b int) (edit, bool) {
	from, to := es.from[a], es.from[b]
	if es.joined && b == len(es.from)-1 && a > 0 {
		from-- // the separator before, since there is none behind
	}
	return newEdit(l.del(from, to)), true
}

// split divides the inside of a group, or the whole text, at the separator sep
// (0: at line ends). It returns fewer than two elements where there are none.
func split(l *layout, inside []int, sep byte) elements {
	es := elements{joined: sep == ',' || sep == '|'}
	if len(inside) == 0 {
		return es
	}
	es.from = append(es.from, inside[0])
	for k, i := range inside {
		if k+1 == len(inside) {
			break
		}
		next := inside[k+1]
		ends := l.is(i, sep)
		switch sep {
		case 0:
			ends = l.newline(next)
		case ';': // a block ends a statement, too
			ends = ends || next > i+1 && l.is(next-1, '}') && !l.is(next, ';') && !l.is(next, ',') && !l.is(next, ')')
		}
		if ends {
			es.from = append(es.from, next)
		}
	}
	return es
}

// separators part elements, in about every language. 0 is the end of a line.
var separators = []byte{0, ';', ',', '|', '&', '+', '-', '*', '/'}

// lists returns the lists of the text: what every separator makes of the inside
// of every group and of the outermost level.
func lists(l *layout, gs []group) []elements {
	inside := make([][]int, len(gs)+1) // tokens by the group they are in; groups inside stand for themselves
	at := -1
	next := 0
	for i := range l.ts {
		for at >= 0 && i >= gs[at].out {
			if i > gs[at].shut {
				at = gs[at].parent
				continue
			}
			break
		}
		if next < len(gs) && gs[next].open == i {
			inside[at+1] = append(inside[at+1], i)
			at = next
			next++
			continue
		}
		if at < 0 || i >= gs[at].in && i < gs[at].out {
			inside[at+1] = append(inside[at+1], i)
		}
	}
	var all []elements
	for k, in := range inside {
		if len(in) == 0 {
			continue
		}
		end := len(l.ts)
		if k > 0 {
			end = gs[k-1].out
		}
		for _, sep := range separators {
			es := split(l, in, sep)
			if len(es.from) > 1 {
				es.from = append(es.from, end)
				all = append(all, es)
			}
		}
	}
	return all
}

// line is one line of the text that is not blank, by tokens.
type line struct {
	from, to int
	indent   int
}

func linesOf(l *layout) []line {
	var ls []line
	for i := range l.ts {
		if l.newline(i) {
			start := l.ts[i].from
			for start > 0 && l.text[start-1] != '\n' && isSpace(l.text[start-1]) {
				start--
			}
			ls = append(ls, line{from: i, indent: l.ts[i].from - start})
		}
		ls[len(ls)-1].to = i + 1
	}
	return ls
}

// block is a line with the deeper lines below it, and the line that closes them.
type block struct {
	first, last int // lines
	body, end   int // the deeper lines: body … end-1
}

// blocks finds the blocks of the text by indentation.
func blocks(l *layout, ls []line) []block {
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

// closes reports whether a line that begins with token i belongs to the block
// above it.
func (l *layout) closes(i int) bool {
	switch l.str(i) {
	case "end", "}", ")", "]", "fi", "done", "esac", "END", "until":
		return true
	}
	return l.is(i, '<') && i+1 < len(l.ts) && l.is(i+1, '/')
}

// blockEdits returns what can be done with blocks: take out runs of siblings,
// take the body out of its block, put a block in the place of one round it.
func blockEdits(l *layout, ls []line, bs []block) []edit {
	var es []edit
	for i := 0; i < len(bs); i++ {
		b := bs[i]
		if i == 0 || bs[i-1].end > i || ls[i-1].indent != ls[i].indent { // first of its siblings, or nearly
			var sib []block
			for k := i; k < len(bs) && bs[k].first < len(ls) && ls[k].indent == ls[i].indent; k = bs[k].last + 1 {
				sib = append(sib, bs[k])
			}
			es = append(es, listEdit.of(chunkEdits(len(sib), func(a, z int) (edit, bool) {
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

// unwrap takes off the first and the closing line of a block.
func unwrap(l *layout, ls []line, b block) edit {
	return dedent(l, ls, b, block{first: b.body, last: b.end - 1})
}

// dedent puts the lines of inner in the place of the block b, with its indent.
func dedent(l *layout, ls []line, b, inner block) edit {
	from, to := ls[inner.first].from, ls[inner.last].to
	less := ls[inner.first].indent - ls[b.first].indent
	cuts := []cut{{from: l.ts[ls[b.first].from].from, to: l.ts[from].from}, {from: l.ts[to-1].to, to: l.ts[ls[b.last].to-1].to}}
	for k := inner.first + 1; k <= inner.last; k++ {
		at := l.ts[ls[k].from].from
		cuts = append(cuts, cut{from: at - min(less, ls[k].indent), to: at})
	}
	e := newEdit(dropEmpty(cuts)...)
	e.keep = [][2]int{{l.ts[from].from, l.ts[to-1].to}}
	return e
}
