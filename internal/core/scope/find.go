package scope

import (
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Find puts the name with the given text in play, like [Env.Take], and returns its number; false
// if it is not possible now.
func (env *Env) Find(el *core.Action, text string) (v int, ok bool) {
	ns := &env.ns[el.Component]
	if el.Kind == Same {
		return 0, ns.bound && ns.text == text
	}
	x := slices.Index(ns.texts, text)
	if x < 0 {
		return 0, false
	}
	switch status := ns.status[x]; {
	case status == notInPlay:
	case !ns.admits(el, x, status):
		return 0, false
	case el.Kind == Use:
		return slices.Index(env.uses(el), int32(x)), true
	case el.Kind == Shadow:
		v = slices.Index(env.uses(el), int32(x))
		env.hide(el.Component, int32(x))
		return v, true
	case el.Kind == Fresh:
		v = slices.Index(ns.pending, int32(x))
		env.show(el.Component, int32(x))
		return v, true
	default:
		for ns.known(v) != int32(x) {
			v++
		}
		return v, true
	}
	for _, s := range ns.status[:x] {
		if s == notInPlay {
			v++
		}
	}
	v += env.Known(el)
	if v >= env.Possible(el) {
		return 0, false
	}
	env.Take(el, v)
	return v, true
}

// FindAny is Find where a name may be any text, in the pool or not.
func (env *Env) FindAny(el *core.Action, text string) bool {
	ns := &env.ns[el.Component]
	if el.Kind == Same {
		return ns.bound && ns.text == text
	}
	if ns.index == nil {
		ns.texts, ns.index = slices.Clone(ns.texts), map[string]int32{}
		for i, text := range ns.texts {
			ns.index[text] = int32(i)
		}
	}
	x, known := ns.index[text]
	if !known {
		x = int32(len(ns.texts))
		ns.index[text] = x
		ns.texts, ns.status, ns.of = append(ns.texts, text), append(ns.status, notInPlay), append(ns.of, 0)
		ns.at = append(ns.at, 0)
	}
	switch status := ns.status[x]; {
	case status != notInPlay:
		ok := ns.admits(el, int(x), status)
		switch {
		case ok && el.Kind == Fresh:
			env.show(el.Component, x)
		case ok && el.Kind == Shadow:
			env.hide(el.Component, x)
		}
		return ok
	case el.Kind == Use && ns.forward == 0:
		return false
	}
	env.enter(el, x)
	return true
}
