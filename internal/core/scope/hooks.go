package scope

import (
	"cmp"
	"errors"
	"fmt"
	"iter"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// Machine returns a machine whose derivations obey the annotations n, which may be nil. Hooks in
// the options replace those of n. It uses only the mask and the measure of the options' facts.
func Machine(g *grammar.Grammar, n *Names, o derive.Options) (*derive.Machine, error) {
	if n != nil && o.Hooks == nil {
		h, err := n.Hooks(&o)
		if err != nil {
			return nil, err
		}
		o.Hooks = h
	}
	return derive.NewMachine(g, o), nil
}

// lookahead is the memory that looking ahead may keep. With twice as much, Go programs take a fifth
// less time.
const lookahead = 128 << 20

// Hooks returns hooks for one machine with the given options, and sets the facts among
// these.
func (n *Names) Hooks(o *derive.Options) (*Hooks, error) {
	var mask *grammar.Mask
	measure := grammar.Structure
	if o.Facts != nil {
		mask, measure = o.Facts.Mask, o.Facts.Measure
	}
	o.Facts = Facts(n.grammar, n, mask, measure)
	k := &Hooks{n: n, env: n.NewEnv(), ids: map[requirement]int{}, rests: map[restKey]int{}, inners: map[innerKey]int{}, can: map[canKey]statesFrom{}}
	sp, err := n.coarse(o.Facts)
	if err != nil {
		return nil, err
	}
	k.sp, k.order = sp, newOrder(sp)
	k.bounded = o.MaxDepth > 0
	reach := func() *core.Reach {
		return core.NewReach(n.grammar, o.Facts, ordered{sp, k.order}, o.Repeat, core.Budget(min(cmp.Or(o.Memory, lookahead), lookahead)), core.DefaultBudget)
	}
	k.reach, k.loose = reach(), reach().Loose()
	every := k.order.minimal(func(State) bool { return true })
	k.need(every, every) // requirement 0
	k.lowest = make([]map[State]int32, 2*len(n.grammar.Exprs))
	return k, nil
}

// Hooks keeps the names in play for one machine. It looks ahead by coarse states: requirements
// are sets of them.
type Hooks struct {
	n       *Names
	sp      *States
	order   *order
	reach   *core.Reach
	loose   *core.Reach // for existence, without a bound
	bounded bool        // there is a depth bound

	env    *Env
	now    State
	begins []State // the states before the elements that are entered and not left

	needs  []requirement
	ids    map[requirement]int
	rests  map[restKey]int
	inners map[innerKey]int
	can    map[canKey]statesFrom // without a bound: the states in which a part is possible
	lowest []map[State]int32     // by 2·Expr.ID + want and state: the least depth
	err    error                 // the error of looking ahead; Enter returns it
}

// requirement has the states in which an element may end: if it has text, and if it has none.
type requirement struct{ some, none statesFrom }

type restKey struct {
	e          *grammar.Expr
	from, left int
	need       int
	want       grammar.Want
	empty      bool
}

type canKey struct {
	e    *grammar.Expr
	want grammar.Want
	need int
}

type innerKey struct {
	e      *grammar.Expr
	before State // the components that the element wraps; the others are 0
	need   int
}

// Names is [Env.Names].
func (k *Hooks) Names(namespace string) iter.Seq2[string, string] { return k.env.Names(namespace) }

// need returns the number of a requirement.
func (k *Hooks) need(some, none statesFrom) int {
	r := requirement{some, none}
	id, ok := k.ids[r]
	if !ok {
		id = len(k.needs)
		k.needs = append(k.needs, r)
		k.ids[r] = id
	}
	return id
}

// Reset is part of [derive.Hooks], like the other exported methods.
func (k *Hooks) Reset() {
	k.env.Reset()
	k.now, k.begins = 0, k.begins[:0]
}

func (k *Hooks) Concerns(e *grammar.Expr) bool { return k.n.Touched(k.n.Whole(e, grammar.Any)) != 0 }

func (k *Hooks) Acts(e *grammar.Expr) bool { return k.n.at[e.ID] != nil }

func (k *Hooks) Default(e *grammar.Expr) int { return k.n.defined[e.ID] - 1 }

func (k *Hooks) CanAfter(need int, empty bool) bool {
	switch {
	case need == 0:
		return true
	case empty:
		return k.order.has(k.needs[need].none, k.now)
	}
	return k.order.has(k.needs[need].some, k.now)
}

func (k *Hooks) Can(e *grammar.Expr, want grammar.Want, left, need int) bool {
	if !k.bounded && e == k.n.grammar.Root { // always in the same state
		return k.able(k.n.Whole(e, want), k.now, left, k.needs[need])
	}
	if !k.bounded {
		key := canKey{e, want, need}
		set, known := k.can[key]
		if !known {
			set = k.order.minimal(func(s State) bool { return k.able(k.n.Whole(e, want), s, left, k.needs[need]) })
			k.can[key] = set
		}
		return k.order.has(set, k.now)
	}
	if need != 0 {
		return k.able(k.n.Whole(e, want), k.now, left, k.needs[need])
	}
	row := &k.lowest[2*e.ID+int(want)]
	if *row == nil {
		*row = map[State]int32{}
	}
	least, known := (*row)[k.now]
	if !known {
		least = grammar.Never
		outs, _ := k.outs(k.reach, k.n.Whole(e, want), k.now)
		for _, o := range outs {
			least = min(least, int32(o.Depth))
		}
		(*row)[k.now] = least
	}
	return int(least) <= left
}

// levels returns the levels left, one constant for all cases without a bound.
func (k *Hooks) levels(left int) int {
	if !k.bounded {
		return grammar.Never - 2
	}
	return left
}

// outs returns the states in which a part can end.
func (k *Hooks) outs(r *core.Reach, p core.Part, s State) ([]core.Out, uint64) {
	outs, touch, err := r.Outs(p, s)
	if err != nil && k.err == nil {
		k.err = k.n.ofNames(err)
	}
	return outs, touch
}

// able reports whether there is a derivation of a part that begins in s and ends as required.
func (k *Hooks) able(p core.Part, s State, left int, r requirement) bool {
	if k.bounded {
		return k.fits(k.reach, p, s, left, r) != nil
	}
	return k.fits(k.loose, p, s, k.levels(left), r) != nil
}

// fits returns the smallest derivation of a part that begins in s and ends as required; nil if
// there is none.
func (k *Hooks) fits(reach *core.Reach, p core.Part, s State, left int, r requirement) *core.Out {
	var best *core.Out
	want := p.Want
	try := func(set statesFrom) {
		outs, touch := k.outs(reach, p, s)
		for _, o := range outs {
			end := k.sp.space.Merge(s, o.To, touch)
			if o.Depth > left || !k.order.has(set, end) {
				continue
			}
			o.To = end
			if best == nil || o.Smaller(best) {
				best = &o
			}
		}
	}
	if want != grammar.OnlyEmpty {
		p.Want = grammar.NonEmpty
		try(r.some)
	}
	if want != grammar.NonEmpty {
		p.Want = grammar.OnlyEmpty
		try(r.none)
	}
	return best
}

func (k *Hooks) Least(e *grammar.Expr, want grammar.Want, need int) (bytes, nodes int) {
	if o := k.fits(k.reach, k.n.Whole(e, want), k.now, grammar.Never-2, k.needs[need]); o != nil {
		return o.Bytes, o.Nodes
	}
	return grammar.Never, grammar.Never
}

func (k *Hooks) Rest(p derive.Place) int {
	if p.Least {
		if need, ok := k.leastRest(p); ok {
			return need
		}
	}
	if p.Expr.Op == grammar.Rep {
		p.From = k.reach.Clamp(p.Expr, p.From)
	}
	if p.Need == 0 && k.n.Touched(core.Part{Expr: p.Expr, I: p.From}) == 0 && (p.Want == grammar.Any || !p.Empty) {
		return 0
	}
	key := restKey{p.Expr, p.From, k.levels(p.Left), p.Need, p.Want, p.Empty}
	if need, ok := k.rests[key]; ok {
		return need
	}
	set := func(empty bool) statesFrom {
		return k.order.minimal(func(s State) bool {
			part, r := k.rest(p, empty)
			return k.able(part, s, p.Left, r)
		})
	}
	need := k.need(set(false), set(true))
	k.rests[key] = need
	return need
}

// after returns the smallest derivation of the rest after a place, in state s; empty says that
// the element before the place had no text.
func (k *Hooks) after(p derive.Place, s State, empty bool) *core.Out {
	part, r := k.rest(p, empty)
	return k.fits(k.reach, part, s, k.levels(p.Left), r)
}

// rest returns the rest after a place, and the requirement on it.
func (k *Hooks) rest(p derive.Place, empty bool) (core.Part, requirement) {
	r := k.needs[p.Need]
	if !p.Empty || !empty {
		return core.Part{Expr: p.Expr, I: p.From}, requirement{r.some, r.some}
	}
	return core.Part{Expr: p.Expr, I: p.From, Want: p.Want}, r
}

// leastRest returns the requirement on the end of the element before a place for which that
// element and the rest take the fewest bytes together.
func (k *Hooks) leastRest(p derive.Place) (int, bool) {
	child := p.Expr.Children[0]
	if p.Expr.Op == grammar.Seq {
		child = p.Expr.Children[p.From-1]
	}
	var best *core.Out
	bestText := grammar.NonEmpty
	for _, text := range []grammar.Want{grammar.NonEmpty, grammar.OnlyEmpty} {
		if text == grammar.OnlyEmpty && p.ChildWant == grammar.NonEmpty {
			continue
		}
		outs, touch := k.outs(k.reach, k.n.Whole(child, text), k.now)
		for _, o := range outs {
			mid := k.sp.space.Merge(k.now, o.To, touch)
			rest := k.after(p, mid, text == grammar.OnlyEmpty)
			if o.Depth > k.levels(p.Left) || rest == nil {
				continue
			}
			o.To, o.Bytes, o.Nodes = mid, o.Bytes+rest.Bytes, o.Nodes+rest.Nodes
			if best == nil || o.Smaller(best) {
				best, bestText = &o, text
			}
		}
	}
	if best == nil {
		return 0, false
	}
	if bestText == grammar.OnlyEmpty {
		return k.need("", k.order.from(best.To)), true
	}
	return k.need(k.order.from(best.To), ""), true
}

func (k *Hooks) Enter(e *grammar.Expr, need int, choose func(derive.Range) (int, error)) (string, int, bool, error) {
	if k.err != nil {
		return "", 0, false, k.err
	}
	el := k.n.at[e.ID]
	k.begins = append(k.begins, k.now)
	if k.env.Enter(el) {
		k.now = k.env.state(k.sp)
	}
	if el.Kind == None {
		return "", 0, false, nil
	}
	r, err := k.values(e, el, k.Inner(e, need))
	if err != nil {
		return "", 0, false, err
	}
	v := 0
	if el.Kind != Same {
		if v, err = choose(r); err != nil {
			return "", 0, false, err
		}
	}
	text := k.env.Take(el, v)
	k.now = k.env.state(k.sp)
	return text, v, true, nil
}

// values returns the possible values of a name's choice.
func (k *Hooks) values(e *grammar.Expr, el *core.Action, need int) (derive.Range, error) {
	n, known := k.env.Possible(el), k.env.Known(el)
	if el.Kind == Same {
		known = n
	}
	r := derive.Range{N: n, Full: n}
	some := k.needs[need].some
	old, fresh := false, false
	hidden := uint64(0) // of a definition that hides names: the components of those that it may hide
	for _, edge := range k.sp.Edges(el, k.now) {
		if !k.order.has(some, edge.To) {
			continue
		}
		old, fresh = old || !edge.Fresh, fresh || edge.Fresh
		if !edge.Fresh {
			hidden |= 1 << edge.First
		}
	}
	if !old {
		r.From = known
	}
	if !fresh {
		r.N = known
	}
	r.N -= r.From
	r.Least = r.From
	if el.Kind == Shadow && old {
		for v, x := range k.env.uses(el) {
			if hidden>>k.env.ns[el.Component].of[x]&1 != 0 {
				r.Allowed = append(r.Allowed, v)
			}
		}
		for v := known; v < r.N; v++ { // new names
			r.Allowed = append(r.Allowed, v)
		}
		r.N, r.Least = len(r.Allowed), r.Allowed[0]
	}
	if r.N <= 0 {
		return r, fmt.Errorf("%v: no name of namespace %q can stand here; take more names with --pool, or define fewer", e.Pos, k.n.namespaces[el.Component].Name)
	}
	return r, nil
}

func (k *Hooks) Inner(e *grammar.Expr, need int) int {
	el := k.n.at[e.ID]
	wrapped, closes := uint64(0), false
	for _, w := range el.Wraps {
		wrapped |= 1 << w.Component
		closes = closes || w.Kind == Scope && k.n.namespaces[w.Component].forward > 0
	}
	if wrapped == 0 || need == 0 && !closes {
		return need
	}
	key := innerKey{e, k.sp.space.Only(k.begins[len(k.begins)-1], wrapped), need}
	if id, ok := k.inners[key]; ok {
		return id
	}
	set := func(ends statesFrom) statesFrom {
		return k.order.minimal(func(s State) bool {
			for _, w := range el.Wraps {
				if !k.sp.closed(w, s) {
					return false
				}
				s = k.sp.after(w, key.before, s)
			}
			return k.order.has(ends, s)
		})
	}
	id := k.need(set(k.needs[need].some), set(k.needs[need].none))
	k.inners[key] = id
	return id
}

func (k *Hooks) Leave(e *grammar.Expr, text func() string) error {
	k.begins = k.begins[:len(k.begins)-1]
	if el := k.n.at[e.ID]; len(el.Wraps) > 0 {
		k.env.Leave(el, text)
		k.now = k.env.state(k.sp)
	}
	return nil
}

// Possible returns an error if the start rule derives nothing, or if finding out takes more memory
// than looking ahead may keep. Its walks would be slow, too.
func Possible(n *Names, facts *grammar.Facts) error {
	sp, err := n.coarse(facts)
	if err != nil {
		return err
	}
	r := core.NewReach(n.grammar, facts, ordered{sp, newOrder(sp)}, 0, lookahead, lookahead).Loose()
	outs, _, err := r.Outs(n.Whole(n.grammar.Root, grammar.Any), 0)
	if err == nil && len(outs) == 0 {
		return errors.New("the start rule derives nothing with the names that are in play")
	}
	return n.ofNames(err)
}

// Depth returns the least depth of a derivation of the start rule that obeys n, [grammar.Never]
// if there is none. n may be nil. With repeat > 0 unbounded repetitions have at most max(min,
// repeat) elements.
func Depth(g *grammar.Grammar, n *Names, facts *grammar.Facts, repeat int) (int, error) {
	if least := facts.Depth(g.Root, grammar.Any); n == nil || least == grammar.Never {
		return least, nil
	}
	sp, err := n.coarse(facts)
	if err != nil {
		return 0, err
	}
	outs, _, err := core.NewReach(g, facts, ordered{sp, newOrder(sp)}, repeat, core.DefaultBudget, core.DefaultBudget).Outs(n.Whole(g.Root, grammar.Any), 0)
	least := grammar.Never
	for _, o := range outs {
		least = min(least, o.Depth)
	}
	return least, n.ofNames(err)
}
