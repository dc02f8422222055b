package coverage

import (
	"math/bits"
	"slices"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/lexical/ways"
)

// choose continues the current ways, begins one to the nearest goal off them, and makes the
// least derivation where no way leads to a goal.
func (r *reacher) choose(d *derive.Decision) (int, error) {
	switch d.Kind {
	case derive.Gap:
		return d.Value(r.rng.IntN(d.N)), nil
	case derive.Alternative, derive.GoOn:
		for i := len(r.under) - 1; i >= 0; i-- {
			w := r.under[i]
			here := w.field.Steps[d.Expr.ID]
			if here > w.left {
				if d.Depth < w.depth || d.Expr == w.from && d.Depth == w.depth {
					r.end(i) // it passed here without reaching the goal
				}
				continue
			}
			v, next := r.nearest(&w.field, d)
			if next == nil || w.field.Steps[next.ID] >= here { // the way is barred
				r.end(i)
				continue
			}
			w.left = w.field.Steps[next.ID]
			if w.left == 0 {
				r.end(i)
				if d.Kind == derive.Alternative {
					v = r.better(d, w.goal, v)
				}
			}
			return v, nil
		}
		if v, ok := r.setOut(d); ok {
			return v, nil
		}
	}
	return r.beside(d), nil
}

// better returns the alternative to take at the end of a way, whose goal is value v. A way
// leads to the nearest goal, but there may be more goals below another alternative here.
func (r *reacher) better(d *derive.Decision, goal, v int) int {
	r.goals[goal], r.current = true, false
	r.room++
	if other, ok := r.setOut(d); ok {
		return other
	}
	delete(r.goals, goal)
	r.room--
	return v
}

// end ends a way. If the goal was not reached, another way may begin.
func (r *reacher) end(i int) {
	w := r.under[i]
	if w.left > 0 && r.begun[w.goal] < maxBegun {
		r.goals[w.goal], r.current = true, false
		r.room++
	}
	r.under = slices.Delete(r.under, i, i+1)
	r.spare = append(r.spare, w)
}

// setOut begins a way to the nearest goal, if there is one.
func (r *reacher) setOut(d *derive.Decision) (v int, ok bool) {
	if r.room == 0 {
		return 0, false
	}
	if !r.current {
		r.goLate()
		r.fill()
	}
	v, next := r.nearest(&r.field, d)
	if next == nil || int(r.field.Levels[next.ID])+r.finish >= d.Left {
		return 0, false
	}
	if y, ok := r.stayOpen(d, next); ok {
		return y, true
	}
	n := r.listed[r.field.Nearest[next.ID]]
	if r.astray[astray{d.Expr.ID, n}] {
		return 0, false
	}
	r.origin[n] = d.Expr.ID
	delete(r.goals, n)
	r.current = false
	r.room--
	if d.Kind == derive.Alternative && r.field.Steps[next.ID] == 0 {
		return v, true
	}
	if len(r.spare) == 0 {
		r.spare = append(r.spare, &way{})
	}
	w := r.spare[len(r.spare)-1]
	r.spare = r.spare[:len(r.spare)-1]
	a := r.c.graph.alts[n]
	w.field.Fill(r.up, nil, a.e.Children[a.i])
	w.goal, w.from, w.depth, w.left = n, d.Expr, d.Depth, w.field.Steps[next.ID]
	r.begun[n]++
	r.under = append(r.under, w)
	return v, true
}

// goLate turns waiting alternatives into goals if there are no others. The alternatives with
// the most conflicts come last.
func (r *reacher) goLate() {
	for n := range r.goals {
		if !r.stuck[n] {
			return
		}
	}
	for added := false; r.stage < r.patience && !added; {
		r.stage++
		for n, times := range r.later {
			if times == r.stage && !r.barred.has(n) {
				r.goals[n], added = true, true
			}
		}
	}
}

// stayOpen returns an alternative that refers to its own rule, as in a list written with
// recursion, if it has at least as many goals below it as next. It does not take one again
// before some goal is reached.
func (r *reacher) stayOpen(d *derive.Decision, next *grammar.Expr) (v int, ok bool) {
	if d.Kind != derive.Alternative {
		return 0, false
	}
	least := max(2, r.goalsBelow(next))
	for i := range d.N {
		v := d.Value(i)
		e, n := d.Expr.Children[v], d.Expr.FirstAlt+v
		if e == next || r.goals[n] || !r.returns[n] || int(r.field.Levels[e.ID])+r.finish >= d.Left {
			continue
		}
		if was, again := r.opened[n]; again && was <= len(r.goals) || r.goalsBelow(e) < least {
			continue
		}
		r.opened[n] = len(r.goals)
		return v, true
	}
	return 0, false
}

// nearest returns the value nearest to a target, and the expression that it leads to, or nil
// if none leads to a target.
func (r *reacher) nearest(f *ways.Field, d *derive.Decision) (v int, next *grammar.Expr) {
	if f.Steps[d.Expr.ID] == ways.Unreachable {
		return 0, nil
	}
	if d.Kind == derive.GoOn {
		if e := d.Expr.Children[0]; f.Steps[e.ID] != ways.Unreachable && d.Can(1) {
			return 1, e
		}
		return 0, nil
	}
	best, most := uint16(ways.Unreachable), -1
	for i := range d.N {
		e := d.Expr.Children[d.Value(i)]
		steps := f.Steps[e.ID]
		switch {
		case steps == ways.Unreachable || steps > best:
		case steps > 0 && steps < best:
			best, v, next = steps, d.Value(i), e
		case steps == 0: // among several targets, the one with the most goals below; among equals, one that refers to its own rule
			n := 2 * r.goalsBelow(e)
			if r.returns[d.Expr.FirstAlt+d.Value(i)] {
				n++
			}
			if n > most {
				best, most, v, next = 0, n, d.Value(i), e
			}
		}
	}
	return v, next
}

// goalsBelow counts the goals below e.
func (r *reacher) goalsBelow(e *grammar.Expr) int {
	n := 0
	for i, word := range r.below.of(e) {
		n += bits.OnesCount64(word & r.wanted[i])
	}
	return n
}

// fill computes the distances to the goals.
func (r *reacher) fill() {
	r.listed = r.listed[:0]
	clear(r.wanted)
	var targets []*grammar.Expr
	for _, n := range r.all {
		if r.goals[n] {
			r.wanted.add(n)
			a := r.c.graph.alts[n]
			r.listed, targets = append(r.listed, n), append(targets, a.e.Children[a.i])
		}
	}
	r.field.Fill(r.up, nil, targets...)
	r.current = true
}

// beside answers a decision that leads to no goal.
func (r *reacher) beside(d *derive.Decision) int {
	if v, ok := r.around(d); ok {
		return v
	}
	if d.Kind == derive.GoOn && r.filled[d.Expr.ID] && d.Can(1) {
		return 1
	}
	switch {
	case r.random == nothingRandom,
		!r.lexical[d.Expr.ID] && (r.random == tokensRandom || r.rng.IntN(leastShare) > 0):
		return derive.Default
	case d.Kind == derive.GoOn && r.rng.IntN(3) > 0:
		return d.Value(0)
	}
	return d.Value(r.rng.IntN(d.N))
}

// around returns the alternative of least depth that is not barred, if there may be barred
// ones below.
func (r *reacher) around(d *derive.Decision) (v int, ok bool) {
	if d.Kind != derive.Alternative || !r.below.of(d.Expr).meets(r.barred) {
		return 0, false
	}
	best := grammar.Never
	for i := range d.N {
		n := d.Value(i)
		depth := r.m.Facts().Depth(d.Expr.Children[n], grammar.Any)
		if !r.barred.has(d.Expr.FirstAlt+n) && depth < best {
			best, v, ok = depth, n, true
		}
	}
	return v, ok
}
