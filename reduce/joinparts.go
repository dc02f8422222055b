package reduce

import "slices"

// maxJoins bounds the levels of brackets at which two neighbours are joined.
const maxJoins = 4

// joinEdits returns the edits that join the insides of neighbouring brackets: "{a}, {b}" becomes
// "{a, b}". They also join the last brackets inside the first with the first ones inside the
// second: "{x: [a]}, {x: [b]}" becomes "{x: [a, b]}".
func joinEdits(l *lexedText, gs []brackets) (es []edit) {
	children := make([][]int, len(gs)+1) // of each pair, at its index plus one
	for i, g := range gs {
		children[g.parent+1] = append(children[g.parent+1], i)
	}
	for _, siblings := range children {
		for k := 1; k < len(siblings); k++ {
			a, b := siblings[k-1], siblings[k]
			with := ""
			if next := gs[a].shut + 1; next == gs[b].open-1 && l.is(next, ',') {
				with = ","
			}
			for range maxJoins {
				if gs[a].kind != gs[b].kind || gs[a].kind == "<" || gs[a].in == gs[a].out || gs[b].in == gs[b].out {
					break
				}
				es = append(es, newEdit(cut{from: l.tokens[gs[a].out-1].to, to: l.tokens[gs[b].in].from, with: with}))
				last, first := children[a+1], children[b+1]
				if len(last) == 0 || len(first) == 0 || gs[last[len(last)-1]].shut != gs[a].out-1 {
					break
				}
				a, b = last[len(last)-1], first[0]
			}
		}
	}
	return es
}

// parameterEdits returns the edits that make a definition at the top of a function's body a
// parameter: "f(a) { b = a.b; ...}" becomes "f(b) { ...}". The definition takes the place of one
// parameter, or of all.
func parameterEdits(l *lexedText, gs []brackets) (es []edit) {
	shut := map[int]int{} // the pair that ends at a token
	for i, g := range gs {
		shut[g.shut] = i
	}
	in := insides(l, gs)
	for i, g := range gs {
		p, ok := shut[g.open-1]
		if g.kind != "{" || !ok || gs[p].kind != "(" || len(in[i+1]) == 0 {
			continue
		}
		all := cut{from: l.tokens[gs[p].open].to, to: l.tokens[gs[p].shut].from}
		places := []cut{all}
		if inside := in[p+1]; len(inside) > 0 {
			list := split(l, inside, ',')
			for k, first := range list.from[:len(list.from)-1] {
				places = append(places, cut{from: l.tokens[first].from, to: l.tokens[list.from[k+1]-1].from})
			}
			if last := list.from[len(list.from)-1]; len(list.from) > 1 {
				places = append(places, cut{from: l.tokens[last].from, to: all.to})
			}
		}
		for _, d := range definitions(l, in[i+1], g.out) {
			for _, place := range places {
				place.with = d.with
				es = append(es, newEdit(place, cut{from: d.from, to: d.to}))
			}
		}
	}
	return es
}

// definitions returns the cuts that replace the statements "name = ..." inside of a body by the
// tokens before "=", and by the name. The body ends before token end.
func definitions(l *lexedText, inside []int, end int) (cuts []cut) {
	for _, sep := range []byte{';', 0} {
		body := split(l, inside, sep)
		body.from = append(body.from, end)
		for k := range len(body.from) - 1 {
			from, to := body.from[k], body.from[k+1]
			equals := from
			for equals < to && !l.is(equals, '=') {
				equals++
			}
			if equals == from || equals == to || l.tokens[equals-1].kind != word {
				continue
			}
			c := l.del(from, to)
			for _, first := range slices.Compact([]int{from, equals - 1}) {
				c.with = string(l.text[l.tokens[first].from:l.tokens[equals-1].to])
				cuts = append(cuts, c)
			}
		}
	}
	return cuts
}
