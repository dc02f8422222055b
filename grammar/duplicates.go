package grammar

import "encoding/binary"

// duplicates reports alternatives of a choice that are written identically. Each expression
// gets a number, computed from its own fields and the numbers of its children and shared by
// equal expressions. The cost is one pass.
func (c *checker) duplicates() {
	shape := c.shapes()
	type use struct {
		choice int // the last choice, from 1, with an alternative of the shape
		first  int // the first such alternative
	}
	uses := make([]use, len(c.g.Exprs))
	for _, e := range c.g.Exprs {
		if e.Op != Choice || !c.asWritten(e) {
			continue
		}
		r := c.owner[e.ID]
		for i, k := range e.Children {
			u := &uses[shape[k.ID]]
			if u.choice == e.ID+1 {
				c.add(Warning, k.Pos, "duplicate-alternative", r, "remove one: what they derive counts twice",
					"alternative %d is the same as alternative %d", i+1, u.first+1)
				continue
			}
			*u = use{e.ID + 1, i}
		}
	}
}

// asWritten reports whether e has the same form in the file and in the graph.
func (c *checker) asWritten(e *Expr) bool {
	r := c.owner[e.ID]
	return r != nil && !r.Inline && r.Written == nil
}

// shapes returns a number for every expression inside a choice of the file. It is below the
// number of all expressions, and is shared by expressions that are written identically.
func (c *checker) shapes() []int {
	inside := make([]bool, len(c.g.Exprs)) // parents come before their children
	for _, e := range c.g.Exprs {
		if inside[e.ID] || e.Op == Choice && c.asWritten(e) {
			for _, k := range e.Children {
				inside[k.ID] = true
			}
		}
	}
	shape := make([]int, len(c.g.Exprs))
	numbers := make(map[string]int)
	classes := make(map[*Range]int) // by the address of the set's ranges: classes share sets
	var key []byte
	for i := len(c.g.Exprs) - 1; i >= 0; i-- {
		e := c.g.Exprs[i]
		if !inside[i] {
			continue
		}
		bare := e.Op == Class && len(e.Set.ranges) > 0 && len(e.Annotations) == 0
		if bare {
			if n, ok := classes[&e.Set.ranges[0]]; ok {
				shape[i] = n
				continue
			}
		}
		key = appendShape(key[:0], e, shape)
		n, ok := numbers[string(key)]
		if !ok {
			n = len(numbers)
			numbers[string(key)] = n
		}
		shape[i] = n
		if bare {
			classes[&e.Set.ranges[0]] = n
		}
	}
	return shape
}

// appendShape appends the distinguishing features of e to key: its kind, and every field with
// its length or end before the next one. Different expressions have different keys.
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
		number(len(e.Children))
		for _, k := range e.Children {
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
