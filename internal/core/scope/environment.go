package scope

import (
	"iter"
	"slices"

	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Env holds the names in play while one sentence is made: a [State] has only their number. It
// belongs to one goroutine.
type Env struct {
	names *Names
	ns    []envNS
	trail []change
	marks []int // for each open scope: the length of the trail at its beginning

	several []int32 // for uses

	// At is a place in the sentence, for the caller's own use.
	At int
}

// envNS is one component: the names of a namespace, or those of one of its types. Names are
// numbers in the pool.
type envNS struct {
	*play
	visible []int32 // shortest first, then in the order of their definitions
	pending []int32 // in the order of their definitions; where pending names may be used, shortest first
	text    string  // the bound text
	bound   bool
}

// play has the names of a namespace, of all types.
type play struct {
	*Namespace
	texts  []string         // the pool, and names beyond it
	status []uint8          // by name: whether it is in play
	of     []uint8          // by name in play: its component
	at     []int            // by name in play: Env.At when it came into play
	used   int              // the number of names in play
	index  map[string]int32 // of all texts, once names beyond the pool occurred
}

const (
	notInPlay uint8 = iota
	isPending
	isVisible
)

// change records one step, so that the end of a scope can undo it.
type change struct {
	ns     int
	name   int32
	commit bool // the name was pending before; otherwise it was not in play
	hides  int  // 1 + the component to which the name belonged; 0: it was not hidden
	bind   bool // a text was bound; text is the one before
	text   string
	bound  bool
}

// NewEnv returns an Env without a name in play.
func (n *Names) NewEnv() *Env {
	env := &Env{names: n}
	var p *play
	for i, ns := range n.namespaces {
		if i == ns.first {
			p = &play{Namespace: ns, texts: ns.Texts, status: make([]uint8, len(ns.Texts)), of: make([]uint8, len(ns.Texts)), at: make([]int, len(ns.Texts))}
		}
		env.ns = append(env.ns, envNS{play: p})
	}
	return env
}

// Reset takes all names out of play.
func (env *Env) Reset() {
	for i := range env.ns {
		ns := &env.ns[i]
		for _, x := range ns.visible {
			ns.status[x] = notInPlay
		}
		for _, x := range ns.pending {
			ns.status[x] = notInPlay
		}
		ns.visible, ns.pending, ns.text, ns.bound, ns.used = ns.visible[:0], ns.pending[:0], "", false, 0
	}
	env.trail, env.marks = env.trail[:0], env.marks[:0]
}

// Possible returns the number of names that the element may have now.
func (env *Env) Possible(el *core.Action) int {
	ns := &env.ns[el.Component]
	switch el.Kind {
	case Same:
		if ns.bound {
			return 1
		}
		return 0
	case Use:
		if len(ns.pending) >= ns.forward {
			return env.Known(el)
		}
	}
	n := len(ns.texts) - ns.used
	if env.names.canonical {
		n = min(n, 1)
	}
	return n + env.Known(el)
}

// Known returns the number of names in play that the element may have now.
func (env *Env) Known(el *core.Action) (n int) {
	ns := &env.ns[el.Component]
	switch el.Kind {
	case Use:
		for k := range components(el) {
			n += len(env.ns[k].visible)
			if ns.apart() {
				n += len(env.ns[k].pending)
			}
		}
	case Define:
		n = len(ns.visible) + len(ns.pending)
	case Shadow:
		for k := range components(el) {
			n += len(env.ns[k].visible)
		}
	case Fresh:
		if ns.forward > 0 {
			n = len(ns.pending)
		}
	}
	return n
}

// Take returns the text of the element's name number v, 0 ≤ v < Possible, and puts it in play.
// Names that are in play come first, shortest first, and among equals the visible ones and those
// defined earlier; for a definition that hides names, by type first. Then come new names in the order of
// the pool.
func (env *Env) Take(el *core.Action, v int) string {
	ns := &env.ns[el.Component]
	if el.Kind == Same {
		return ns.text
	}
	known := env.Known(el)
	switch {
	case v >= known:
		return ns.texts[env.define(el, v-known)]
	case el.Kind == Use:
		return ns.texts[env.uses(el)[v]]
	case el.Kind == Define:
		return ns.texts[ns.known(v)]
	case el.Kind == Shadow:
		x := env.uses(el)[v]
		env.hide(el.Component, x)
		return ns.texts[x]
	}
	x := ns.pending[v]
	env.show(el.Component, x)
	return ns.texts[x]
}

// Names yields the names of a namespace that a use may have, with their types, by type and in the order of
// their definitions among names of one length, which come shortest first. Of the names of @shadow, those of
// the innermost scope come last. The type is "" if the names have none.
func (env *Env) Names(namespace string) iter.Seq2[string, string] {
	return func(yield func(name, of string) bool) {
		for i := range env.ns {
			ns, of := &env.ns[i], ""
			if ns.Name != namespace || ns.total(i) {
				continue
			}
			if ns.Types != nil {
				of = ns.Types[i-ns.class(0)]
			}
			for _, x := range slices.Clone(env.uses(&core.Action{Kind: Use, Component: i, Classes: 1 << i})) {
				if !yield(ns.texts[x], of) {
					return
				}
			}
		}
	}
}

// uses returns the names in play that a use may have, shortest first, then by type, or a shadowing
// definition, by type.
func (env *Env) uses(el *core.Action) []int32 {
	ns := &env.ns[el.Component]
	if el.Classes&(el.Classes-1) == 0 && !ns.apart() {
		return ns.visible
	}
	env.several = env.several[:0]
	for k := range components(el) {
		env.several = append(env.several, env.ns[k].visible...)
		if ns.apart() && el.Kind == Use {
			env.several = append(env.several, env.ns[k].pending...)
		}
	}
	if el.Kind == Use && len(ns.texts[0]) != len(ns.texts[len(ns.texts)-1]) {
		slices.SortStableFunc(env.several, func(x, y int32) int { return len(ns.texts[x]) - len(ns.texts[y]) })
	}
	return env.several
}

// TakeOfLength is Take of name number v among those of the given length only, new ones or those
// in play; length 0 means any.
func (env *Env) TakeOfLength(el *core.Action, fresh bool, length, v int) string {
	if length > 0 {
		v += env.shorter(el, fresh, length)
	}
	if fresh {
		v += env.Known(el)
	}
	return env.Take(el, v)
}

// shorter returns the number of names of the kind that are shorter than length.
func (env *Env) shorter(el *core.Action, fresh bool, length int) int {
	ns, n := &env.ns[el.Component], 0
	if fresh && env.names.canonical {
		return 0 // there is one
	}
	for x, text := range ns.texts {
		if len(text) >= length {
			break
		}
		if status := ns.status[x]; fresh && status == notInPlay || !fresh && ns.admits(el, x, status) {
			n++
		}
	}
	return n
}

// admits reports whether an element may have a name that is in play.
func (p *play) admits(el *core.Action, x int, status uint8) bool {
	switch {
	case status == notInPlay || el.Classes>>p.of[x]&1 == 0:
		return false
	case el.Kind == Use:
		return status == isVisible || p.apart()
	case el.Kind == Fresh:
		return status == isPending && p.forward > 0
	case el.Kind == Shadow:
		return status == isVisible
	}
	return true
}

// known returns name number v among those in play.
func (ns *envNS) known(v int) int32 {
	a, b := ns.visible, ns.pending
	if len(b) > 0 && len(ns.texts[0]) != len(ns.texts[len(ns.texts)-1]) {
		b = slices.Clone(b)
		slices.SortStableFunc(b, func(x, y int32) int { return len(ns.texts[x]) - len(ns.texts[y]) })
		a = slices.Clone(a)
		for _, x := range b {
			a = insert(ns, a, x)
		}
		return a[v]
	}
	if v < len(a) {
		return a[v]
	}
	return b[v-len(a)]
}

// insert inserts a name after the last that is not longer.
func insert(ns *envNS, list []int32, x int32) []int32 {
	at := len(list)
	for at > 0 && len(ns.texts[list[at-1]]) > len(ns.texts[x]) {
		at--
	}
	return slices.Insert(list, at, x)
}

// define puts the v-th free name in play.
func (env *Env) define(el *core.Action, v int) int32 {
	ns := &env.ns[el.Component]
	x := int32(0)
	for ; ; x++ {
		if ns.status[x] == notInPlay {
			if v == 0 {
				break
			}
			v--
		}
	}
	env.enter(el, x)
	return x
}

// enter puts a name in play.
func (env *Env) enter(el *core.Action, x int32) {
	k := el.Component
	ns := &env.ns[k]
	ns.used++
	ns.of[x], ns.at[x] = uint8(k), env.At
	switch {
	case ns.commit:
		ns.pending = append(ns.pending, x)
		ns.status[x] = isPending
	case el.Kind == Use || ns.shadows:
		ns.pending = insert(ns, ns.pending, x)
		ns.status[x] = isPending
	default:
		ns.visible = insert(ns, ns.visible, x)
		ns.status[x] = isVisible
	}
	env.note(change{ns: k, name: x})
}

func (env *Env) note(c change) {
	if len(env.marks) > 0 {
		env.trail = append(env.trail, c)
	}
}

// Commit makes pending names visible, of all types.
func (env *Env) Commit(component int) {
	ns := env.ns[component].Namespace
	for k := ns.class(0); k <= ns.last(); k++ {
		ns := &env.ns[k]
		for len(ns.pending) > 0 {
			env.show(k, ns.pending[0])
		}
	}
}

// show makes a pending name visible.
func (env *Env) show(k int, x int32) {
	ns := &env.ns[k]
	ns.pending = remove(ns.pending, x)
	ns.visible = insert(ns, ns.visible, x)
	ns.status[x] = isVisible
	env.note(change{ns: k, name: x, commit: true})
}

// Bind binds a text.
func (env *Env) Bind(k int, text string) {
	ns := &env.ns[k]
	env.note(change{ns: k, bind: true, text: ns.text, bound: ns.bound})
	ns.text, ns.bound = text, true
}

// hide makes a visible name one of the innermost scope, and of component k.
func (env *Env) hide(k int, x int32) {
	old := &env.ns[env.ns[k].of[x]]
	env.note(change{ns: k, name: x, hides: 1 + int(old.of[x])})
	old.visible = remove(old.visible, x)
	ns := &env.ns[k]
	ns.pending = insert(ns, ns.pending, x)
	ns.status[x], ns.of[x] = isPending, uint8(k)
}

// seen makes a name visible again, of component k.
func (env *Env) seen(k int, x int32) {
	ns := &env.ns[k]
	ns.visible = insert(ns, ns.visible, x)
	ns.status[x], ns.of[x] = isVisible, uint8(k)
}

// Begin begins a scope of the namespace of component k, which the next End ends. Names that are
// pending outside are visible inside.
func (env *Env) Begin(k int) {
	env.marks = append(env.marks, len(env.trail))
	if env.ns[k].apart() {
		env.Commit(k)
	}
}

// End ends the innermost scope: the names of the namespace of component k get their state at its
// beginning. Changes of other namespaces stay.
func (env *Env) End(k int) {
	of := env.ns[k].play
	mark := env.marks[len(env.marks)-1]
	env.marks = env.marks[:len(env.marks)-1]
	kept := mark
	for i := len(env.trail) - 1; i >= mark; i-- {
		if env.ns[env.trail[i].ns].play == of {
			env.undo(env.trail[i])
		}
	}
	if len(env.marks) > 0 {
		for _, c := range env.trail[mark:] {
			if env.ns[c.ns].play != of {
				env.trail[kept] = c
				kept++
			}
		}
	}
	env.trail = env.trail[:kept]
}

func (env *Env) undo(c change) {
	ns := &env.ns[c.ns]
	switch {
	case c.bind:
		ns.text, ns.bound = c.text, c.bound
	case c.hides > 0:
		ns.pending = remove(ns.pending, c.name)
		env.seen(c.hides-1, c.name)
	case c.commit:
		ns.visible = remove(ns.visible, c.name)
		ns.pending = slices.Insert(ns.pending, 0, c.name)
		ns.status[c.name] = isPending
	default:
		ns.used--
		ns.status[c.name] = notInPlay
		ns.visible = remove(ns.visible, c.name)
		ns.pending = remove(ns.pending, c.name)
	}
}

// remove removes a name from a list. It searches from the end, since most are there.
func remove(list []int32, x int32) []int32 {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == x {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// Enter begins the scopes of an element. It reports whether the names in play are others then.
func (env *Env) Enter(el *core.Action) (changed bool) {
	for _, w := range el.Wraps {
		if w.Begin == BeginScope {
			env.Begin(w.Component)
			changed = changed || env.ns[w.Component].apart()
		}
	}
	return changed
}

// Missing is a name that was used in a scope and not defined there.
type Missing struct {
	Name      string
	Component int
	At        int // Env.At at its first use
}

// Leave applies the wraps of an element with the given text. It returns a missing name of a scope that
// ends, nil if there is none.
func (env *Env) Leave(el *core.Action, text func() string) (missing *Missing) {
	for _, w := range el.Wraps {
		switch w.End {
		case CommitNames:
			env.Commit(w.Component)
		case EndScope:
			for k, ns := range env.ns {
				if ns.play == env.ns[w.Component].play && ns.forward > 0 && len(ns.pending) > 0 {
					x := ns.pending[0]
					missing = &Missing{ns.texts[x], k, ns.at[x]}
				}
			}
			env.End(w.Component)
		case BindText:
			env.Bind(w.Component, text())
		}
	}
	return missing
}
