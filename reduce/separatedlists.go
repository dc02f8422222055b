package reduce

// elements are adjacent runs of tokens at one level: statements, items, lines.
// Element i is tokens from[i] … from[i+1]-1, with its separator.
type elements struct {
	from   []int
	joined bool // separators are between elements, not at their ends
}

// delEdit returns the edit that deletes the elements a … b-1.
func (es *elements) delEdit(l *lexedText, a, b int) (edit, bool) {
	from, to := es.from[a], es.from[b]
	if es.joined && b == len(es.from)-1 && a > 0 {
		from-- // the separator before, since none follows
	}
	return newEdit(l.del(from, to)), true
}

// split divides the inside of brackets, or the whole text, at the separator sep, 0
// for line ends. Without a separator it returns fewer than two elements.
func split(l *lexedText, inside []int, sep byte) elements {
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
		case ';': // a block also ends a statement
			ends = ends || next > i+1 && l.is(next-1, '}') && !l.is(next, ';') && !l.is(next, ',') && !l.is(next, ')')
		}
		if ends {
			es.from = append(es.from, next)
		}
	}
	return es
}

// separators separate elements in almost every language. 0 is the end of a line, 0x1e the
// end of a file in the text of a folder.
var separators = []byte{0x1e, 0, ';', ',', '|', '&', '+', '-', '*', '/'}

// insides returns the tokens at the outermost level, and those inside of every pair of
// brackets; of inner brackets only the first token.
func insides(l *lexedText, gs []brackets) [][]int {
	inside := make([][]int, len(gs)+1)
	at := -1
	next := 0
	for i := range l.tokens {
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
	return inside
}

// findLists returns the lists of the text: the outermost level and the inside of
// every pair of brackets, divided at every separator.
func findLists(l *lexedText, gs []brackets) []elements {
	var all []elements
	for k, in := range insides(l, gs) {
		if len(in) == 0 {
			continue
		}
		end := len(l.tokens)
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
