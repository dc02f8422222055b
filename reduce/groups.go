package reduce

import "slices"

// group is a pair of brackets in a text, by token index.
type group struct {
	open, shut int // the tokens that bracket it
	in, out    int // its inside: tokens in … out-1; the brackets may be longer than one token
	kind       string
	parent     int // index of the group around it, -1 for none
	depth      int
}

// groups pairs brackets, and the tags of XML. Brackets without a partner are
// left alone. Outer groups come before inner ones.
func groups(l *layout) []group {
	var gs []group
	type opened struct {
		g    group
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
	for i := range l.ts {
		if name, end, ok := l.tag(i); ok {
			if name[0] == '/' {
				closing(i, end, name)
			} else {
				stack = append(stack, opened{group{open: i, in: end, kind: "<"}, "/" + name})
			}
			continue
		}
		for k, open := range "([{" {
			if l.is(i, byte(open)) {
				stack = append(stack, opened{group{open: i, in: i + 1, kind: string(open)}, ")]}"[k : k+1]})
			}
			if l.is(i, ")]}"[k]) {
				closing(i, i+1, ")]}"[k:k+1])
			}
		}
	}
	slices.SortFunc(gs, func(a, b group) int { return a.open - b.open })
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

// tag returns the name of the tag that begins at token i ("/name" where it
// closes) and the token after it. Tags that close themselves are none.
func (l *layout) tag(i int) (name string, end int, ok bool) {
	if !l.is(i, '<') || i+2 >= len(l.ts) || l.ts[i+1].from != l.ts[i].to {
		return "", 0, false
	}
	at := i + 1
	if l.is(at, '/') {
		name, at = "/", at+1
	}
	if at >= len(l.ts) || l.ts[at].kind != word {
		return "", 0, false
	}
	name += l.str(at)
	for at++; at < len(l.ts) && !l.is(at, '<'); at++ {
		if l.is(at, '>') {
			return name, at + 1, !l.is(at-1, '/')
		}
	}
	return "", 0, false
}

// groupEdits returns what can be done with brackets: take a group out, with or
// without the word before it; empty it; take the brackets off; put an inner
// group of the kind in its place, from several levels below at once.
func groupEdits(l *layout, gs []group) []edit {
	var es []edit
	for i, g := range gs {
		head := g.open
		for head > 0 && l.ts[head-1].kind == word && !l.newline(head) {
			head--
		}
		es = append(es, newEdit(l.del(g.open, g.shut+1)))
		if head < g.open {
			es = append(es, newEdit(l.del(g.open-1, g.shut+1)), newEdit(l.del(head, g.shut+1)))
		}
		if g.in < g.out {
			es = append(es, newEdit(cut{from: l.ts[g.in-1].to, to: l.ts[g.out].from}))
			es = append(es, newEdit(l.del(g.open, g.in), l.del(g.out, g.shut+1)))
			if head < g.open {
				es = append(es, newEdit(l.del(g.open-1, g.in), l.del(g.out, g.shut+1)))
			}
		}
		for _, k := range ancestors(gs, i, g.kind) {
			es = append(es, hoist(l.ts[gs[k].open].from, l.ts[g.open].from, l.ts[g.shut].to, l.ts[gs[k].shut].to))
		}
	}
	return append(es, jointEdit.of(sameKind(l, gs))...)
}

// ancestors returns groups of the kind around group i: the first one, and those
// 2, 4, 8 … levels above where that number divides the level.
func ancestors(gs []group, i int, kind string) []int {
	var up []int
	level, step := 0, 1
	for k := gs[i].parent; k >= 0; k = gs[k].parent {
		if gs[k].kind != kind {
			continue
		}
		if level++; level == step {
			up = append(up, k)
			if step *= 2; gs[i].depth%step != 0 {
				break
			}
		}
	}
	return up
}

// hoist puts the bytes from … to in the place of those from outer to outerTo.
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

// sameKind makes the groups that hold "key: rest" into groups of another kind
// that hold the rest, all at once or many: deep nests keep their depth.
func sameKind(l *layout, gs []group) []edit {
	var swap []edit
	for _, g := range gs {
		if g.kind != "{" || g.in+2 >= g.out || !l.is(g.in+1, ':') {
			continue
		}
		swap = append(swap, newEdit(
			cut{from: l.ts[g.open].from, to: l.ts[g.in+2].from, with: "["},
			cut{from: l.ts[g.out].from, to: l.ts[g.out].to, with: "]"}))
	}
	return chunkEdits(len(swap), func(a, b int) (edit, bool) {
		var cuts []cut
		for _, e := range swap[a:b] {
			cuts = append(cuts, e.cuts...)
		}
		return newEdit(cuts...), true
	})
}
