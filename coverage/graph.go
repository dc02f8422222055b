package coverage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/scope"
)

// symbol is what paths are made of: a rule, a literal, or a class. Equal
// literals are one symbol, and equal classes.
type symbol struct {
	name     string
	rule     *grammar.Rule // nil for literals and classes
	pos      grammar.Pos
	terminal bool
}

// graph says which symbols can stand below which in a derivation tree.
type graph struct {
	g       *grammar.Grammar
	facts   *grammar.Facts
	symbols []symbol
	byRule  map[*grammar.Rule]int32
	byName  map[string]int32
	classes []int32 // by Expr.ID: the symbol of a class, from 1; 0: not known yet

	names    map[*grammar.Rule]bool // rules of names alone
	start    state
	reached  map[int32]grammar.Want // symbols of derivations, and the loosest way they are wanted
	order    []int32                // the reached symbols as they were found
	children map[state][]state      // by rule: what can stand below it
	alts     map[int]altOf          // by number: the alternatives that can be taken
	via      map[state]state        // how each was first reached
}

// state is a symbol and whether its text may be empty: below the element of a
// repetition that has to have a text, fewer things can stand.
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
		// A symbol may be found again with a looser want; its children are then
		// looked for again.
		at := state{r.order[i], r.reached[r.order[i]]}
		for _, k := range r.below(at) {
			r.reach(k, at)
		}
	}
	return r, nil
}

// nameRules returns the rules that only names are made of: what stands below a
// name is no part of a derivation.
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

func (r *graph) reach(s, from state) {
	want, known := r.reached[s.sym]
	if known && want <= s.want {
		return
	}
	r.reached[s.sym] = s.want
	r.order = append(r.order, s.sym)
	r.via[s] = from
}

// symbols reached, each once, in the order in which they were found.
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

// symbol returns the symbol that e is a node of, if any.
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
			r.classes[e.ID] = r.terminal(classText(e), e.Pos) + 1
		}
		return r.classes[e.ID] - 1, true
	}
	return 0, false
}

func (r *graph) terminal(name string, pos grammar.Pos) int32 {
	id, ok := r.byName[name]
	if !ok {
		id = int32(len(r.symbols))
		r.byName[name] = id
		r.symbols = append(r.symbols, symbol{name: name, pos: pos, terminal: true})
	}
	return id
}

// below returns what can stand right below s, each symbol once.
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

// find calls found with every symbol of e that a derivation of the wanted kind
// can hold, and notes the alternatives on the way (where it has an owner). A
// symbol may be found several times. The cost is linear in the expressions.
func (r *graph) find(owner *grammar.Rule, e *grammar.Expr, want grammar.Want, found func(state)) {
	f := &finder{graph: r, owner: owner, found: found, inside: map[wanted]bool{}}
	f.look(e, want)
}

// finder goes through one body and the inline rules in it, which it goes into
// once: what is left of a token that keywords take texts from is made of hundreds
// that share each other.
type finder struct {
	*graph
	owner  *grammar.Rule
	found  func(state)
	inside map[wanted]bool // inline rules that it went into
}

type wanted struct {
	rule *grammar.Rule
	want grammar.Want
}

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
			f.look(k, f.kidWant(e, i, want))
		}
	case grammar.Rep:
		if e.Max != 0 {
			f.look(e.Children[0], f.elementWant(e, want))
		}
	}
}

// kidWant returns the loosest way in which child i of a sequence can be wanted.
func (r *graph) kidWant(e *grammar.Expr, i int, want grammar.Want) grammar.Want {
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

// elementWant returns the loosest way in which an element of a repetition can
// be wanted.
func (r *graph) elementWant(e *grammar.Expr, want grammar.Want) grammar.Want {
	if want == grammar.NonEmpty && e.Max == 1 {
		return grammar.NonEmpty
	}
	if e.Min > 0 {
		return grammar.Any
	}
	return r.facts.ElementWant(e)
}

// classText writes a class as the native notation does, cut where it is long.
func classText(e *grammar.Expr) string {
	var b strings.Builder
	b.WriteString("[")
	if e.Negated {
		b.WriteString("^")
	}
	for i, x := range e.Ranges {
		if i == 12 {
			fmt.Fprintf(&b, "…%d more", len(e.Ranges)-i)
			break
		}
		b.WriteString(classChar(x.Lo))
		if x.Hi > x.Lo {
			b.WriteString("-" + classChar(x.Hi))
		}
	}
	return b.String() + "]"
}

func classChar(r rune) string {
	if strings.ContainsRune(`-]^\`, r) {
		return `\` + string(r)
	}
	q := strconv.Quote(string(r))
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// alternatives returns the numbers of the alternatives that can be taken, in
// the order of the file.
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
