package scope

import (
	"github.com/gramfuzz/gramfuzz/grammar"
)

// Text says whether the text of a derivation may be empty; [grammar.Want] with
// the case that it lacks.
type Text uint8

// The kinds of texts.
const (
	AnyText Text = iota
	SomeText
	NoText
)

// Out is a state that a derivation can end in.
type Out struct {
	To State

	// Depth is that of the lowest derivation that ends there; Bytes and Nodes are
	// the size of the smallest, in bytes first.
	Depth, Bytes, Nodes int
}

// Reach finds the states in which derivations can end: for an expression and a
// state before it, the least fixed point over all its parts. It works only for the
// expressions that it is asked about. A Reach belongs to one goroutine.
type Reach struct {
	sp     *Space
	facts  *grammar.Facts
	repeat int // > 0: unbounded repetitions are cut at max(min, repeat) elements
	limit  int
	size   int // outs of all places
	places map[placeKey]*reached
	queue  []*reached
}

// placeKey is a part of an expression in a state: of a sequence or repetition
// from part i on, with so many of its wraps.
type placeKey struct {
	e     *grammar.Expr
	i     int32
	wraps int8
	text  Text
	from  State
}

type reached struct {
	key   placeKey
	touch uint64 // namespaces that it reads or changes; the others are 0 in its states
	outs  []Out
	users map[*reached]bool
	waits bool
}

// NewReach returns a Reach over a space and the facts of its names. With repeat
// > 0 unbounded repetitions have at most max(min, repeat) elements. Limit bounds
// what it keeps.
func NewReach(sp *Space, facts *grammar.Facts, repeat, limit int) *Reach {
	return &Reach{sp: sp, facts: facts, repeat: repeat, limit: limit, places: map[placeKey]*reached{}}
}

// Outs returns the states in which e from part i on can end if it begins in s.
// The caller must not change the result, in which namespaces that e does not
// touch are as at the beginning (see [Space.Merge]).
func (r *Reach) Outs(e *grammar.Expr, i int, text Text, s State) ([]Out, error) {
	return r.OutsWithin(e, i, r.sp.Names.Wraps(e), text, s)
}

// OutsWithin is Outs for e with only the first of its wraps.
func (r *Reach) OutsWithin(e *grammar.Expr, i, wraps int, text Text, s State) ([]Out, error) {
	p := r.place(e, i, wraps, text, s, nil)
	for len(r.queue) > 0 {
		if r.size > r.limit {
			return nil, &StatesError{r.limit}
		}
		q := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		q.waits = false
		if r.update(q) {
			for u := range q.users {
				r.wait(u)
			}
		}
	}
	return p.outs, nil
}

func (r *Reach) wait(p *reached) {
	if !p.waits {
		p.waits = true
		r.queue = append(r.queue, p)
	}
}

// place returns the known ends of a place, for use in another.
func (r *Reach) place(e *grammar.Expr, i, wraps int, text Text, s State, user *reached) *reached {
	if e.Op == grammar.Rep {
		i = r.clamp(e, i)
	}
	if i > 0 {
		wraps = 0
	}
	touch := r.sp.Names.TouchWithin(e, i, wraps)
	key := placeKey{e, int32(i), int8(wraps), text, r.sp.Only(s, touch)}
	p := r.places[key]
	if p == nil {
		p = &reached{key: key, touch: touch, users: map[*reached]bool{}}
		r.places[key] = p
		r.size++
		r.wait(p)
	}
	if user != nil {
		p.users[user] = true
	}
	return p
}

// clamp folds the positions of an unbounded repetition that are alike.
func (r *Reach) clamp(e *grammar.Expr, i int) int {
	switch {
	case e.Max >= 0:
		return i
	case r.repeat > 0:
		return min(i, max(e.Min, r.repeat))
	}
	return min(i, e.Min)
}

// update works out a place from those it is made of and reports whether that
// changed anything.
func (r *Reach) update(p *reached) bool {
	k := p.key
	e := k.e
	el := r.sp.Names.at[e.ID]
	switch {
	case k.wraps > 0:
		changed := false
		w := el.Wraps[k.wraps-1]
		inner := r.place(e, 0, int(k.wraps)-1, k.text, k.from, p)
		for _, o := range inner.outs {
			o.To = r.sp.Wrap(w, k.from, r.merge(inner, k.from, o.To))
			changed = r.add(p, o) || changed
		}
		return changed
	case k.i == 0 && el != nil && el.Kind != None:
		changed := false
		for _, edge := range r.sp.Edges(el, k.from) {
			if k.text != NoText {
				changed = r.add(p, Out{edge.To, 0, r.sp.Names.least[e.ID], 1}) || changed
			}
		}
		return changed
	case k.i == 0 && k.text != NoText && r.sp.Names.touch[e.ID] == 0:
		return r.plain(p)
	}
	return r.structure(p)
}

// plain adds the end of a place with text that leaves the names as they are.
func (r *Reach) plain(p *reached) bool {
	e, want := p.key.e, grammar.Any
	if p.key.text == SomeText {
		want = grammar.NonEmpty
	}
	f := r.facts
	if f.Depth(e, want) == grammar.Never {
		return false
	}
	return r.add(p, Out{p.key.from, f.Depth(e, want), f.Size(e, grammar.Bytes, want), f.Size(e, grammar.Nodes, want)})
}

// merge returns s after a part that ended in to, of which only the namespaces
// that the part touches mean anything.
func (r *Reach) merge(part *reached, s, to State) State {
	switch {
	case part.touch == 0:
		return s
	case len(r.sp.ns) == 1:
		return to
	}
	return r.sp.Merge(s, to, part.touch)
}

func (r *Reach) structure(p *reached) bool {
	k := p.key
	e := k.e
	changed := false
	switch e.Op {
	case grammar.Lit:
		if (e.Text == "") == (k.text == NoText) || k.text == AnyText {
			return r.add(p, Out{k.from, 0, len(e.Text), min(len(e.Text), 1)})
		}
	case grammar.Class:
		if k.text != NoText && r.facts.Mask.Gen(e).Len() > 0 {
			return r.add(p, Out{k.from, 0, 1, 1})
		}
	case grammar.Choice:
		for i, child := range e.Children {
			if r.facts.Mask.On(e, i) {
				changed = r.addAll(p, r.place(child, 0, r.sp.Names.Wraps(child), k.text, k.from, p), Out{}) || changed
			}
		}
	case grammar.Ref:
		return r.reference(p)
	case grammar.Seq:
		if int(k.i) == len(e.Children) {
			return k.text != SomeText && r.add(p, Out{To: k.from})
		}
		return r.join(p, e.Children[k.i], AnyText)
	case grammar.Rep:
		if int(k.i) == e.Max {
			return k.text != SomeText && r.add(p, Out{To: k.from})
		}
		if int(k.i) < e.Min {
			return r.join(p, e.Children[0], AnyText)
		}
		if k.text != SomeText {
			changed = r.add(p, Out{To: k.from})
		}
		if e.Max < 0 && r.repeat > 0 && int(k.i) >= max(e.Min, r.repeat) {
			return changed
		}
		return r.join(p, e.Children[0], Text(r.facts.ElementWant(e))) || changed
	case grammar.Diff: // only in tokens, which are taken as they are
	}
	return changed
}

func (r *Reach) reference(p *reached) bool {
	k := p.key
	e := k.e
	switch {
	case e.Rule == nil:
		return false
	case e.Rule.Kind == grammar.Skip && !e.Rule.Inline:
		return k.text != SomeText && r.add(p, Out{To: k.from})
	case r.facts.Leaf(e) && k.text != NoText: // a token that is annotated
		return r.plain(p)
	case r.facts.Leaf(e):
		return r.facts.Nullable(e) && r.add(p, Out{k.from, 0, 0, 1})
	}
	more := Out{Depth: r.facts.Level(e)}
	if !e.Rule.Inline {
		more.Nodes = 1
	}
	return r.addAll(p, r.place(e.Rule.Body, 0, r.sp.Names.Wraps(e.Rule.Body), k.text, k.from, p), more)
}

// join adds the ends of a child followed by the rest of p's expression. Counting
// divides the cases in the same way.
func (r *Reach) join(p *reached, child *grammar.Expr, full Text) bool {
	switch {
	case p.key.text == AnyText:
		return r.product(p, child, full, AnyText)
	case p.key.text == NoText:
		return full != SomeText && r.product(p, child, NoText, NoText)
	case full == SomeText:
		return r.product(p, child, SomeText, AnyText)
	}
	a := r.product(p, child, SomeText, AnyText)
	return r.product(p, child, NoText, SomeText) || a
}

func (r *Reach) product(p *reached, child *grammar.Expr, a, b Text) bool {
	changed := false
	k := p.key
	first := r.place(child, 0, r.sp.Names.Wraps(child), a, k.from, p)
	for i := 0; i < len(first.outs); i++ { // it may be p itself, and grow
		x := first.outs[i]
		mid := r.merge(first, k.from, x.To)
		rest := r.place(k.e, int(k.i)+1, 0, b, mid, p)
		for j := 0; j < len(rest.outs); j++ {
			y := rest.outs[j]
			changed = r.add(p, Out{r.merge(rest, mid, y.To), max(x.Depth, y.Depth), x.Bytes + y.Bytes, x.Nodes + y.Nodes}) || changed
		}
	}
	return changed
}

// addAll adds all ends of a part, each enlarged by more.
func (r *Reach) addAll(p, part *reached, more Out) bool {
	changed := false
	for i := 0; i < len(part.outs); i++ {
		o := part.outs[i]
		changed = r.add(p, Out{r.merge(part, p.key.from, o.To), o.Depth + more.Depth, o.Bytes, o.Nodes + more.Nodes}) || changed
	}
	return changed
}

// add notes an end of p and reports whether it is new or better than known.
func (r *Reach) add(p *reached, o Out) bool {
	o.Bytes, o.Nodes = min(o.Bytes, grammar.Never), min(o.Nodes, grammar.Never)
	for i := range p.outs {
		k := &p.outs[i]
		if k.To != o.To {
			continue
		}
		better := false
		if o.Depth < k.Depth {
			k.Depth, better = o.Depth, true
		}
		if o.Bytes < k.Bytes || o.Bytes == k.Bytes && o.Nodes < k.Nodes {
			k.Bytes, k.Nodes, better = o.Bytes, o.Nodes, true
		}
		return better
	}
	p.outs = append(p.outs, o)
	r.size++
	return true
}

// Depth returns the least depth of a derivation of the start rule in which every
// name is where it may be, [grammar.Never] where there is none. Names may be nil.
// With repeat > 0 unbounded repetitions have at most max(min, repeat) elements.
func Depth(g *grammar.Grammar, n *Names, facts *grammar.Facts, repeat int) (int, error) {
	if least := facts.Depth(g.Root, grammar.Any); n == nil || least == grammar.Never {
		return least, nil
	}
	sp, err := n.coarse(true)
	if err != nil {
		if sp, err = n.coarse(false); err != nil {
			return 0, err
		}
	}
	outs, err := NewReach(sp, facts, repeat, maxPlaces).Outs(g.Root, 0, AnyText, 0)
	least := grammar.Never
	for _, o := range outs {
		least = min(least, o.Depth)
	}
	return least, err
}
