package reduce

import "slices"

// brackets is a pair of brackets or tags in a text, by token index. Either may have
// several tokens.
type brackets struct {
	open, shut int // the first and the last token
	in, out    int // the inside: tokens in … out-1
	kind       string
	parent     int // index of the pair around it, -1 for none
	depth      int
}

// findBrackets pairs brackets, and the tags of XML. It leaves out brackets without
// a partner. Outer pairs come before inner ones.
func findBrackets(l *lexedText) []brackets {
	var gs []brackets
	type opened struct {
		g    brackets
		shut string
	}
	var stack []opened
	closing := func(i, end int, kind string) {
		for k := len(stack) - 1; k >= 0; k-- {
			if stack[k].shut == kind {
				g := stack[k].g
				g.out, g.shut = i, end-1
				gs = append(gs, g)
				stack = stack[:k]
				return
			}
		}
	}
	for i := range l.tokens {
		if name, end, ok := l.tag(i); ok {
			if name[0] == '/' {
				closing(i, end, name)
			} else {
				stack = append(stack, opened{brackets{open: i, in: end, kind: "<"}, "/" + name})
			}
			continue
		}
		for k, open := range "([{" {
			if l.is(i, byte(open)) {
				stack = append(stack, opened{brackets{open: i, in: i + 1, kind: string(open)}, ")]}"[k : k+1]})
			}
			if l.is(i, ")]}"[k]) {
				closing(i, i+1, ")]}"[k:k+1])
			}
		}
	}
	slices.SortFunc(gs, func(a, b brackets) int { return a.open - b.open })
	var around []int
	for i := range gs {
		for len(around) > 0 && gs[around[len(around)-1]].shut < gs[i].open {
			around = around[:len(around)-1]
		}
		gs[i].parent, gs[i].depth = -1, len(around)
		if len(around) > 0 {
			gs[i].parent = around[len(around)-1]
		}
		around = append(around, i)
	}
	return gs
}

// tag returns the name of the tag that begins at token i ("/name" if it is a closing tag) and the
// token after it. Self-closing tags are none.
func (l *lexedText) tag(i int) (name string, end int, ok bool) {
	if !l.is(i, '<') || i+2 >= len(l.tokens) || l.tokens[i+1].from != l.tokens[i].to {
		return "", 0, false
	}
	at := i + 1
	if l.is(at, '/') {
		name, at = "/", at+1
	}
	if at >= len(l.tokens) || l.tokens[at].kind != word {
		return "", 0, false
	}
	name += l.str(at)
	for at++; at < len(l.tokens) && !l.is(at, '<'); at++ {
		if l.is(at, '>') {
			return name, at + 1, !l.is(at-1, '/')
		}
	}
	return "", 0, false
}

// bracketEdits returns the edits of brackets: delete a pair, with or without the words before it;
// empty it; delete only the brackets; replace it by an inner pair of the same kind, also from
// several levels below.
func bracketEdits(l *lexedText, gs []brackets) []edit {
	var es []edit
	for i, g := range gs {
		head := g.open
		for head > 0 && l.tokens[head-1].kind == word && !l.newline(head) {
			head--
		}
		es = append(es, newEdit(l.del(g.open, g.shut+1)))
		if head < g.open {
			es = append(es, newEdit(l.del(g.open-1, g.shut+1)), newEdit(l.del(head, g.shut+1)))
		}
		if g.in < g.out {
			es = append(es, newEdit(cut{from: l.tokens[g.in-1].to, to: l.tokens[g.out].from}))
			es = append(es, newEdit(l.del(g.open, g.in), l.del(g.out, g.shut+1)))
			if head < g.open {
				es = append(es, newEdit(l.del(g.open-1, g.in), l.del(g.out, g.shut+1)))
			}
		}
		for _, k := range ancestors(gs, i, g.kind) {
			es = append(es, hoist(l.tokens[gs[k].open].from, l.tokens[g.open].from, l.tokens[g.shut].to, l.tokens[gs[k].shut].to))
		}
	}
	return append(es, jointEdit.mark(objectToArrayEdits(l, gs))...)
}

// ancestors returns pairs of the kind around pair i: the first one, and those 2, 4,
// 8 … levels above where that number divides the level.
func ancestors(gs []brackets, i int, kind string) []int {
	var up []int
	level, step := 0, 1
	for k := gs[i].parent; k >= 0; k = gs[k].parent {
		if gs[k].kind != kind {
			continue
		}
		level++
		if level == step {
			up = append(up, k)
			step *= 2
			if gs[i].depth%step != 0 {
				break
			}
		}
	}
	return up
}

// hoist replaces bytes outer … outerTo-1 by from … to-1.
func hoist(outer, from, to, outerTo int) edit {
	e := newEdit(cut{from: outer, to: from}, cut{from: to, to: outerTo})
	e.keep = [][2]int{{from, to}}
	e.kind = hoistEdit
	e.cuts = dropEmpty(e.cuts)
	return e
}

func dropEmpty(cuts []cut) []cut {
	out := cuts[:0]
	for _, c := range cuts {
		if c.from < c.to || c.with != "" || c.cfrom < c.cto || len(c.cwith) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// objectToArrayEdits replaces braces around "key: rest" by square brackets around
// the rest, many pairs at once: so deep nesting keeps its depth.
func objectToArrayEdits(l *lexedText, gs []brackets) []edit {
	var swap []edit
	for _, g := range gs {
		if g.kind != "{" || g.in+2 >= g.out || !l.is(g.in+1, ':') {
			continue
		}
		swap = append(swap, newEdit(
			cut{from: l.tokens[g.open].from, to: l.tokens[g.in+2].from, with: "["},
			cut{from: l.tokens[g.out].from, to: l.tokens[g.out].to, with: "]"}))
	}
	return chunkEdits(len(swap), func(a, b int) (edit, bool) {
		var cuts []cut
		for _, e := range swap[a:b] {
			cuts = append(cuts, e.cuts...)
		}
		return newEdit(cuts...), true
	})
}
