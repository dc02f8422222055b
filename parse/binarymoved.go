package parse

import "slices"

// Choices of an expression that stands elsewhere come before those of the text between. So a
// hole is left among the choices in its place, and filled when all choices are made.

// hole stands among the choices in the place of others that are made later.
const hole = -1

// movedChoices are the choices from one index up to another, which fill a hole.
type movedChoices struct{ hole, from, to int }

// elsewhere defers an expression to the part that it stands in, or reads it there.
func (r *reading) elsewhere(t *task) {
	r.next = t.next
	if !t.begun {
		r.add(t.scope.up, readFact{part: t.e.Resize.Move, what: partHas, v: len(r.choices), e: t.e, of: t.scope})
		r.choices = append(r.choices, hole)
		return
	}
	r.push(&task{kind: endMoved, e: t.e, begin: len(r.choices), hole: t.hole})
	r.push(&task{e: t.e.Children[0], scope: &readScope{up: t.scope}})
}

// inOrder returns the choices in the order of the derivation, and the texts of encoded parts,
// as [derive.Tree] stores them.
func (r *reading) inOrder() (all []int, raw []string) {
	if len(r.moved) == 0 && len(r.raw) == 0 {
		return r.choices, nil
	}
	fills, skips := map[int]movedChoices{}, map[int]int{}
	for _, m := range r.moved {
		fills[m.hole], skips[m.from] = m, max(m.to, skips[m.from])
	}
	var add func(from, to int)
	add = func(from, to int) {
		for i := from; i < to; i++ {
			if end := skips[i]; i > from && end > i {
				i = end - 1
				continue
			}
			switch v := r.choices[i]; {
			case v == hole:
				add(fills[i].from, fills[i].to)
			case v < hole:
				raw = append(raw, r.raw[hole-1-v])
			default:
				all = append(all, v)
			}
		}
	}
	add(0, len(r.choices))
	if !slices.ContainsFunc(raw, func(s string) bool { return s != "" }) {
		raw = nil
	}
	return all, raw
}

// layer is an encoded part of a text while it is read.
type layer struct {
	text      string // the decoded text
	up        *layer
	at, limit int    // in the surrounding text: the beginning of the encoded part and the limit around it
	raw       string // the encoded part
}

// enter continues in an encoded part, or in the text itself.
func (r *reading) enter(l *layer) {
	r.in = l
	if l != nil {
		r.text = l.text
	} else {
		r.text = r.whole
	}
}

// decode starts reading the decoded text of an encoded part; it returns false where there is
// none.
func (r *reading) decode(t *task) bool {
	plain, size, ok := t.e.Resize.Code.Decode(r.text[r.at:r.limit])
	if !ok {
		r.next = t
		r.fail(t.e)
		return false
	}
	r.steps += len(plain)
	l := &layer{text: plain, up: r.in, at: r.at, limit: r.limit, raw: r.text[r.at : r.at+size]}
	r.push(&task{kind: endCoded, e: t.e, coded: l})
	r.enter(l)
	r.at, r.limit = 0, len(plain)
	return true
}

// endCoded returns to the text around an encoded part.
func (r *reading) endCoded(t *task) {
	l := t.coded
	if r.at != len(l.text) {
		r.fail(nil)
		return
	}
	r.enter(l.up)
	r.at, r.limit = l.at+len(l.raw), l.limit
	if l.raw == string(t.e.Resize.Code.Append(nil, []byte(l.text))) {
		r.keep("")
	} else {
		r.keep(l.raw)
	}
	r.next = t.next
}

// keep records an encoding that differs from the one gramfuzz writes; raw is "" where it does
// not. Its index goes among the choices.
func (r *reading) keep(raw string) {
	r.choices = append(r.choices, hole-1-len(r.raw))
	r.raw = append(r.raw, raw)
}

// copied returns the widths, up to most, that a copy of any length may have here. There is
// one width where the copied part is known.
func (r *reading) copied(t *task, most int) []int {
	ref := t.e.Field.Parts[0]
	s := t.scope.above(ref.Up)
	size, known := s.get(ref.Part, partSize)
	if end, ok := s.get(ref.Part, partEnded); ok {
		began, _ := s.get(ref.Part, partBegan)
		size, known = end-began, true
	}
	switch {
	case known && size <= most:
		return []int{size}
	case known:
		return nil
	}
	var all []int
	for n := range max(0, most+1) {
		all = append(all, n)
	}
	return all
}
