package coverage

import (
	"cmp"
	"slices"
	"strconv"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core/scope"
	"github.com/gramfuzz/gramfuzz/internal/lexical/show"
)

// symbol is an element of paths: a rule, a literal, or a class. Equal literals are one symbol,
// and so are equal classes.
type symbol struct {
	name     string
	rule     *grammar.Rule // nil for literals and classes
	pos      grammar.Pos
	terminal bool
}

// graph holds the possible parent-child pairs of symbols in derivation trees.
type graph struct {
	g       *grammar.Grammar
	facts   *grammar.Facts
	symbols []symbol
	byRule  map[*grammar.Rule]int32
	byName  map[string]int32
	classes []int32 // by Expr.ID: the symbol of a class, from 1; 0 is unknown

	names    map[*grammar.Rule]bool // rules used in names only
	start    state
	reached  map[int32]grammar.Want // symbols of derivations, each with its loosest want
	order    []int32                // the reached symbols in order of discovery
	children map[state][]state      // by rule: the possible children
	alts     map[int]altOf          // by number: the possible alternatives
	via      map[state]state        // the state from which each was first reached
}

// state is a symbol with the fact whether its text may be empty. An element of a repetition
// that must not be empty has fewer possible children.
type state struct {
	sym  int32
	want grammar.Want
}

type altOf struct {
	rule *grammar.Rule
	e    *grammar.Expr
	i    int
}

func newGraph(g *grammar.Grammar, measure grammar.Measure) (*graph, error) {
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		return nil, err
	}
	r := &graph{g: g, names: nameRules(g, names), facts: g.Facts(nil, measure), byRule: map[*grammar.Rule]int32{}, byName: map[string]int32{}, classes: make([]int32, len(g.Exprs)),
		reached: map[int32]grammar.Want{}, children: map[state][]state{}, alts: map[int]altOf{}, via: map[state]state{}}
	sym, _ := r.symbol(g.Root)
	r.start = state{sym, grammar.Any}
	r.reach(r.start, r.start)
	for i := 0; i < len(r.order); i++ {
		// A symbol may be found again with a looser want; its children are then searched
		// again.
		at := state{r.order[i], r.reached[r.order[i]]}
		for _, k := range r.below(at) {
			r.reach(k, at)
		}
	}
	return r, nil
}

// nameRules returns the rules that occur inside names only. The inside of a name is not part
// of a derivation.
func nameRules(g *grammar.Grammar, names *gctx.Names) map[*grammar.Rule]bool {
	out := map[*grammar.Rule]bool{}
	if names == nil {
		return out
	}
	for _, plain := range []bool{false, true} {
		for _, e := range g.Exprs {
			if e.Op != grammar.Ref || e.Rule == nil {
				continue
			}
			el := (*scope.Names)(names).At(e)
			switch isName := el != nil && el.Kind != scope.None; {
			case isName && !plain:
				out[e.Rule] = true
			case !isName && plain:
				delete(out, e.Rule)
			}
		}
	}
	return out
}

// reach records that s can be a child of from.
func (r *graph) reach(s, from state) {
	want, known := r.reached[s.sym]
	if known && want <= s.want {
		return
	}
	r.reached[s.sym] = s.want
	r.order = append(r.order, s.sym)
	r.via[s] = from
}

// all returns the symbols reached, each once, in the order of discovery.
func (r *graph) all() []int32 {
	var out []int32
	seen := map[int32]bool{}
	for _, s := range r.order {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// symbol returns the symbol of e's node, if there is one.
func (r *graph) symbol(e *grammar.Expr) (int32, bool) {
	switch e.Op {
	case grammar.Ref:
		if e.Rule == nil || e.Rule.Inline || e.Rule.Kind == grammar.Skip {
			return 0, false
		}
		id, ok := r.byRule[e.Rule]
		if !ok {
			id = int32(len(r.symbols))
			r.byRule[e.Rule] = id
			r.symbols = append(r.symbols, symbol{name: e.Rule.Name, rule: e.Rule, pos: e.Rule.Pos, terminal: r.facts.Leaf(e) || r.names[e.Rule]})
		}
		return id, true
	case grammar.Lit:
		if e.Text == "" {
			return 0, false
		}
		return r.terminal(strconv.Quote(e.Text), e.Pos), true
	case grammar.Class:
		if r.classes[e.ID] == 0 {
			r.classes[e.ID] = r.terminal(show.Class(e), e.Pos) + 1
		}
		return r.classes[e.ID] - 1, true
	}
	return 0, false
}

// terminal returns the symbol of a literal or class.
func (r *graph) terminal(name string, pos grammar.Pos) int32 {
	id, ok := r.byName[name]
	if !ok {
		id = int32(len(r.symbols))
		r.byName[name] = id
		r.symbols = append(r.symbols, symbol{name: name, pos: pos, terminal: true})
	}
	return id
}

// below returns the possible children of s, each symbol once.
func (r *graph) below(s state) []state {
	if children, ok := r.children[s]; ok {
		return children
	}
	var children []state
	if sym := r.symbols[s.sym]; sym.rule != nil && !sym.terminal {
		r.find(sym.rule, sym.rule.Body, s.want, func(k state) {
			i := slices.IndexFunc(children, func(o state) bool { return o.sym == k.sym })
			switch {
			case i < 0:
				children = append(children, k)
			case k.want < children[i].want:
				children[i] = k
			}
		})
	}
	r.children[s] = children
	return children
}

// find calls found with every symbol that a derivation of e of the wanted kind can contain,
// possibly several times. It records the alternatives on the way if they have an owner. It
// takes time linear in the expressions.
func (r *graph) find(owner *grammar.Rule, e *grammar.Expr, want grammar.Want, found func(state)) {
	f := &finder{graph: r, owner: owner, found: found, inside: map[wanted]bool{}}
	f.look(e, want)
}

// finder walks one body and the inline rules in it, each once. A token without its keywords
// becomes hundreds of inline rules that share parts.
type finder struct {
	*graph
	owner  *grammar.Rule
	found  func(state)
	inside map[wanted]bool // inline rules entered
}

type wanted struct {
	rule *grammar.Rule
	want grammar.Want
}

// look finds the symbols of e.
func (f *finder) look(e *grammar.Expr, want grammar.Want) {
	if f.facts.Depth(e, want) == grammar.Never {
		return
	}
	if sym, ok := f.symbol(e); ok {
		f.found(state{sym, want})
		return
	}
	switch e.Op {
	case grammar.Ref:
		if k := (wanted{e.Rule, want}); e.Rule.Inline && !f.inside[k] {
			f.inside[k] = true
			f.look(e.Rule.Body, want)
		}
	case grammar.Choice:
		for i, k := range e.Children {
			if f.facts.Depth(k, want) != grammar.Never {
				if f.owner != nil {
					f.alts[e.FirstAlt+i] = altOf{f.owner, e, i}
				}
				f.look(k, want)
			}
		}
	case grammar.Seq:
		for i, k := range e.Children {
			f.look(k, f.childWant(e, i, want))
		}
	case grammar.Rep:
		if e.Max != 0 {
			f.look(e.Children[0], f.elementWant(e, want))
		}
	}
}

// childWant returns the loosest want of child i of a sequence.
func (r *graph) childWant(e *grammar.Expr, i int, want grammar.Want) grammar.Want {
	if want == grammar.Any {
		return grammar.Any
	}
	for j, k := range e.Children {
		if j != i && r.facts.CanBeNonEmpty(k) {
			return grammar.Any
		}
	}
	return grammar.NonEmpty
}

// elementWant returns the loosest want of an element of a repetition.
func (r *graph) elementWant(e *grammar.Expr, want grammar.Want) grammar.Want {
	if want == grammar.NonEmpty && e.Max == 1 {
		return grammar.NonEmpty
	}
	if e.Min > 0 {
		return grammar.Any
	}
	return r.facts.ElementWant(e)
}

// alternatives returns the numbers of the possible alternatives, in the order of the file.
func (r *graph) alternatives() []int {
	var out []int
	for n := range r.alts {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b int) int {
		x, y := r.alts[a], r.alts[b]
		return cmp.Or(cmp.Compare(x.rule.ID, y.rule.ID), cmp.Compare(a, b))
	})
	return out
}
