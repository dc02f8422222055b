package parse

// The choices of what stands elsewhere come before those of the text between. So a hole is left
// among the choices in its place, and filled when all are made.

// hole stands among the choices in the place of others that are made later.
const hole = -1

// movedChoices are the choices from one number up to another, which fill a hole.
type movedChoices struct{ hole, from, to int }

// elsewhere leaves an expression for the part that it stands in, or reads it there.
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

// inOrder returns the choices in the order of the derivation.
func (r *reading) inOrder() []int {
	if len(r.moved) == 0 {
		return r.choices
	}
	fills, skips := map[int]movedChoices{}, map[int]int{}
	for _, m := range r.moved {
		fills[m.hole], skips[m.from] = m, max(m.to, skips[m.from])
	}
	var all []int
	var add func(from, to int)
	add = func(from, to int) {
		for i := from; i < to; i++ {
			if end := skips[i]; i > from && end > i {
				i = end - 1
				continue
			}
			if v := r.choices[i]; v != hole {
				all = append(all, v)
			} else {
				add(fills[i].from, fills[i].to)
			}
		}
	}
	add(0, len(r.choices))
	return all
}

// copied returns the widths that a copy of any length may have here, up to most: one, where its
// part is known.
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
