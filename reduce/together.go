package reduce

import (
	"bytes"
	"slices"
	"strings"
)

// togetherEdits returns the edits of parts of a text that belong together: parameters with their
// arguments, openers of blocks with their enders, brackets with the words before them, and late
// definitions with their uses or as parameters, and neighbouring brackets that are joined.
func togetherEdits(l *lexedText, gs []brackets, ls []line, bs []block, all []elements, late bool) []edit {
	es := append(columnEdits(l, gs), enderEdits(l, gs, ls, bs)...)
	es = append(useEdit.mark(es), unwrapEdits(l, gs, all)...)
	if late {
		es = append(es, joinEdit.mark(slices.Concat(joinEdits(l, gs), parameterEdits(l, gs), inlineEdits(l, ls, all)))...)
	}
	return es
}

// unwrapEdits returns the edits that replace an element by the inside of the brackets at its end,
// for one element and for all that begin with the same word.
func unwrapEdits(l *lexedText, gs []brackets, all []elements) (es []edit) {
	around := elementsAround(l, all)
	same := map[string][]edit{}
	var heads []string
	for _, g := range gs {
		el := around[g.open]
		if g.kind == "<" || g.in == g.out || el == [2]int{} || el[0] == g.open {
			continue
		}
		last := el[1] - 1
		for last > g.shut && (l.is(last, ';') || l.is(last, ',')) {
			last--
		}
		if last != g.shut {
			continue
		}
		e := newEdit(l.del(el[0], g.in), l.del(g.out, g.shut+1))
		e.cuts[0].to = max(e.cuts[0].to, l.tokens[g.in].from)
		e.keep = [][2]int{{l.tokens[g.in].from, l.tokens[g.out-1].to}}
		e.kind = hoistEdit
		es = append(es, e)
		head := l.str(el[0])
		if same[head] == nil {
			heads = append(heads, head)
		}
		same[head] = append(same[head], e)
	}
	for _, head := range heads {
		if cuts, ok := merge(same[head]); ok && len(same[head]) > 1 {
			e := newEdit(slices.Clone(cuts)...)
			e.kind = allEdit
			es = append(es, e)
		}
	}
	return es
}

// elementsAround returns, for every token, the tokens of the smallest element of a list
// around it.
func elementsAround(l *lexedText, all []elements) [][2]int {
	around := make([][2]int, len(l.tokens))
	for _, list := range all {
		for k := range len(list.from) - 1 {
			el := [2]int{list.from[k], list.from[k+1]}
			for i := el[0]; i < el[1]; i++ {
				if a := around[i]; a[1] == 0 || el[1]-el[0] < a[1]-a[0] {
					around[i] = el
				}
			}
		}
	}
	return around
}

// columnEdits returns the edits that delete one element from all lists in brackets of the same
// length: from those after the same word, and from all.
func columnEdits(l *lexedText, gs []brackets) (es []edit) {
	type shape struct {
		before string
		n      int
	}
	lists := map[shape][]elements{}
	var order []shape
	add := func(s shape, list elements) {
		if lists[s] == nil {
			order = append(order, s)
		}
		lists[s] = append(lists[s], list)
	}
	for i, inside := range insides(l, gs)[1:] {
		if len(inside) == 0 {
			continue
		}
		list := split(l, inside, ',')
		list.from = append(list.from, gs[i].out)
		n := len(list.from) - 1
		if at := gs[i].open - 1; at >= 0 && l.tokens[at].kind == word {
			add(shape{l.str(at), n}, list)
		}
		if n > 1 {
			add(shape{"", n}, list)
		}
	}
	for _, s := range order {
		if len(lists[s]) < 2 || len(lists[s]) > maxUses {
			continue
		}
		for k := range s.n {
			var parts []edit
			for _, list := range lists[s] {
				e, _ := list.delEdit(l, k, k+1)
				parts = append(parts, e)
			}
			if cuts, ok := merge(parts); ok {
				es = append(es, newEdit(slices.Clone(cuts)...))
			}
		}
	}
	return es
}

// inlineEdits returns edits that delete the definition of a word, and replace the word elsewhere by a
// word of the definition or by all after "="; and the edits of bodyEdits. The definition is the first
// element of a list that begins with the word, or nearly. Lines that are in no list are elements here.
func inlineEdits(l *lexedText, ls []line, all []elements) (es []edit) {
	uses, words := l.uses()
	least := smallestElements(l, all)
	for _, ln := range ls {
		for i := ln.from; i < ln.to; i++ {
			if least[i].cuts == nil {
				least[i] = newEdit(l.del(ln.from, ln.to))
			}
		}
	}
	for _, w := range words {
		defines := func(i int) bool {
			el := least[i].cuts
			return el != nil && (i <= heads || l.tokens[i-heads-1].from < el[0].from) && i+1 < len(l.tokens) && l.tokens[i+1].to <= el[0].to
		}
		k := slices.IndexFunc(uses[w], defines)
		if k < 0 || len(uses[w]) < 2 || len(uses[w]) > maxUses {
			continue
		}
		at := slices.Concat(uses[w][k:k+1], uses[w][:k], uses[w][k+1:])
		def := least[at[0]]
		es = append(es, l.bodyEdits(def.cuts[0], at, least)...)
		to := def.cuts[0].to
		var body []int // the tokens after the word
		for i := at[0] + 1; i < len(l.tokens) && l.tokens[i].to <= to; i++ {
			body = append(body, i)
		}
		for len(body) > 0 && l.tokens[body[len(body)-1]].kind == other && bytes.IndexByte([]byte(";,"), l.text[l.tokens[body[len(body)-1]].from]) >= 0 {
			body = body[:len(body)-1]
		}
		if len(body) == 0 {
			continue
		}
		end := l.tokens[body[len(body)-1]].to
		var by []string
		for k, i := range body {
			if l.tokens[i].kind != other && (k <= heads || k == len(body)-1) {
				by = append(by, l.str(i))
			}
		}
		for _, i := range body {
			if l.is(i, '=') && l.tokens[i].to < end {
				by = append(by, strings.TrimSpace(string(l.text[l.tokens[i].to:end])))
				break
			}
		}
		for k, with := range by {
			if !slices.Contains(by[:k], with) && with != w {
				es = append(es, l.insteadOf(at, def.cuts, with)...)
			}
		}
	}
	return es
}

// insteadOf returns the edits that make the cuts of a definition and replace the uses outside of
// it by other text: all of them, and those that are no field after a dot.
func (l *lexedText) insteadOf(uses []int, def []cut, with string) (es []edit) {
	before := 0
	for _, fields := range []bool{true, false} {
		cuts := slices.Clone(def)
		for _, i := range uses {
			t := l.tokens[i]
			if outside := t.from >= def[0].to || t.to <= def[0].from; outside && (fields || i == 0 || !l.is(i-1, '.')) {
				cuts = append(cuts, cut{from: t.from, to: t.to, with: with})
			}
		}
		if e := newEdit(cuts...); e.gain > 0 && len(cuts) > len(def) && len(cuts) != before {
			es = append(es, e)
		}
		before = len(cuts)
	}
	return es
}

// bodyEdits returns the edits that replace a definition, and all other elements with its name, by
// the end of the definition. uses holds the name's tokens; the definition is around the first. So
// a view or a function is inlined.
func (l *lexedText) bodyEdits(def cut, uses []int, least []edit) (es []edit) {
	var gone []edit
	for _, i := range uses {
		if t := l.tokens[i]; t.from >= def.to && least[i].cuts != nil {
			gone = append(gone, least[i])
		}
	}
	from := def.from
	for k := uses[0] + 1; k <= uses[0]+heads && k < len(l.tokens) && l.tokens[k].to <= def.to && gone != nil; k++ {
		cuts, ok := merge(append(slices.Clone(gone), newEdit(cut{from: from, to: l.tokens[k].from})))
		if ok && len(cuts) > 1 {
			es = append(es, newEdit(slices.Clone(cuts)...))
		}
	}
	return es
}

// heads bounds two distances in a definition, in tokens: from its beginning to its name, and from
// the name to what the name stands for.
const heads = 3

// openers bounds the lines before an ender that may open its block.
const openers = 6

// enderEdits returns the edits that delete a line that ends a block, together with one of the
// lines before it, or such a line's beginning up to a bracket, if indentation does not show the opener.
func enderEdits(l *lexedText, gs []brackets, ls []line, bs []block) (es []edit) {
	for j, ln := range ls {
		if !l.ends(ln.from) || slices.ContainsFunc(bs, func(b block) bool { return b.last == j && b.end == j }) {
			continue
		}
		for i := j - 1; i >= max(0, j-openers); i-- {
			es = append(es, newEdit(l.del(ls[i].from, ls[i].to), l.del(ln.from, ln.to)))
			if k := slices.IndexFunc(gs, func(g brackets) bool { return g.open >= ls[i].from }); k >= 0 && gs[k].shut+1 < ls[i].to {
				es = append(es, newEdit(l.del(ls[i].from, gs[k].shut+1), l.del(ln.from, ln.to)))
			}
		}
	}
	return es
}

// ends reports whether token i, the first of its line, ends a block by its name.
func (l *lexedText) ends(i int) bool {
	w := strings.ToLower(l.str(i))
	if l.is(i, '#') && i+1 < len(l.tokens) {
		w = strings.ToLower(l.str(i + 1))
	}
	return strings.HasPrefix(w, "end") || l.tokens[i].kind == word && l.closes(i)
}

// uses returns the tokens of each word, number or string, and the words in order.
func (l *lexedText) uses() (uses map[string][]int, words []string) {
	uses = map[string][]int{}
	for i, t := range l.tokens {
		if t.kind == word || t.kind == quoted {
			w := l.str(i)
			if uses[w] == nil {
				words = append(words, w)
			}
			uses[w] = append(uses[w], i)
		}
	}
	slices.Sort(words)
	return uses, words
}
