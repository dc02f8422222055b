package grammar

import "encoding/binary"

// duplicates reports alternatives of a choice that are written alike. Each
// expression gets a number that equal ones share, from its own fields and its
// kids' numbers, so the cost is that of one pass.
func (c *checker) duplicates() {
	shape := make([]int, len(c.g.Exprs))
	numbers := make(map[string]int)
	var key []byte
	for i := len(c.g.Exprs) - 1; i >= 0; i-- {
		key = appendShape(key[:0], c.g.Exprs[i], shape)
		n, ok := numbers[string(key)]
		if !ok {
			n = len(numbers)
			numbers[string(key)] = n
		}
		shape[i] = n
	}
	for _, e := range c.g.Exprs {
		r := c.owner[e.ID]
		if e.Op != Choice || r == nil || r.Inline || r.Written != nil {
			continue
		}
		first := make(map[int]int, len(e.Kids))
		for i, k := range e.Kids {
			if j, ok := first[shape[k.ID]]; ok {
				c.add(Warning, k.Pos, "duplicate-alternative", r, "remove one: what they derive counts twice",
					"alternative %d is the same as alternative %d", i+1, j+1)
				continue
			}
			first[shape[k.ID]] = i
		}
	}
}

// appendShape appends to key what makes e differ from others: its kind, and
// every field with its length or end before the next one, so that no two
// expressions that differ have one key.
func appendShape(key []byte, e *Expr, shape []int) []byte {
	text := func(s string) {
		key = append(binary.AppendUvarint(key, uint64(len(s))), s...)
	}
	number := func(n int) { key = binary.AppendVarint(key, int64(n)) }
	switch {
	case e.IsEmpty():
		key = append(key, 'e')
	case e.Op == Lit:
		key = append(key, 'l')
		text(e.Text)
	case e.Op == Class:
		key = append(key, 'c')
		number(len(e.Set.ranges))
		for _, r := range e.Set.ranges {
			number(int(r.Lo))
			number(int(r.Hi))
		}
	case e.Op == Ref:
		key = append(key, 'r')
		text(e.Name)
	default:
		lazy := byte(0)
		if e.Lazy {
			lazy = 1
		}
		key = append(key, 'x', byte(e.Op), lazy)
		number(e.Min)
		number(e.Max)
		number(len(e.Weights))
		for _, w := range e.Weights {
			number(w)
		}
		number(len(e.Kids))
		for _, k := range e.Kids {
			number(shape[k.ID])
		}
	}
	for _, a := range e.Annotations {
		key = append(key, '@')
		text(a.Name)
		number(len(a.Args))
		for _, arg := range a.Args {
			text(arg)
		}
	}
	return key
}
