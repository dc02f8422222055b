package scope

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/base/words"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// The kinds of actions at annotated elements.
const (
	None   = iota // derived without restriction
	Define        // a name in play, or a new one
	Fresh         // a new name
	Use           // a visible name
	Same          // the bound text
	Shadow        // a new name, or one of an outer scope, which is hidden until this scope ends
)

// The kinds of wraps.
const (
	Commit = iota // afterwards: pending names become visible
	Scope         // afterwards: names have their former state
	Bind          // the text is bound
)

// The effects of wraps, on the names in play when a text is made.
const (
	CommitNames = core.OwnLeaf + 1 + iota // pending names become visible
	BeginScope                            // a scope begins
	EndScope                              // it ends
	HoldText                              // the text from here …
	BindText                              // … up to here is bound
)

// wrapsOf returns the wraps of a kind for a namespace: one for each component; the first has the
// effects on texts. That for the number of all names is the outermost, since it reads the others.
func wrapsOf(kind int, ns *Namespace) (wraps []core.Wrap) {
	from := ns.first
	forgets := kind == Bind || kind == Scope && ns.forward == 0
	if kind == Commit {
		from = ns.class(0)
	}
	for c := ns.last(); c >= from; c-- {
		w := core.Wrap{Kind: kind, Component: c, Restores: kind == Scope, Forgets: forgets}
		if c == from {
			switch kind {
			case Commit:
				w.End = CommitNames
			case Scope:
				w.Begin, w.End = BeginScope, EndScope
			default:
				w.Begin, w.End = HoldText, BindText
			}
		}
		wraps = append(wraps, w)
	}
	return wraps
}

// Namespace is a set of names. It is one component of the state. If its names have types, each
// type is one component, after one for the number of names in play.
type Namespace struct {
	Name   string
	Texts  []string // the pool, shortest first; nil if texts are bound
	Types  []string // the types with which names are defined; nil if they have none
	first  int      // the first component
	commit bool     // there is a @commit, so definitions are pending
	fresh  bool     // new names are needed somewhere, so the number of free ones matters
	binds  bool     // a namespace of @bind and @same

	// Names may be used before they are defined, in the same scope. Those that are not defined yet
	// are pending: so many of each type at most.
	forward int

	// Names of outer scopes may be hidden: those of the innermost scope are pending, the others visible.
	shadows bool
}

// class returns the component of the names of type number i.
func (ns *Namespace) class(i int) int {
	if ns.Types == nil {
		return ns.first
	}
	return ns.first + 1 + i
}

// last returns the last component.
func (ns *Namespace) last() int { return ns.first + len(ns.Types) }

// total reports whether a component is the number of names of all types.
func (ns *Namespace) total(component int) bool { return ns.Types != nil && component == ns.first }

// Names are the annotations of a grammar. They are immutable and safe for concurrent use.
type Names struct {
	grammar    *grammar.Grammar
	canonical  bool         // new names are taken in the order of the pool
	namespaces []*Namespace // by component

	at      []*core.Action // by Expr.ID; nil without annotation
	defined []int          // by Expr.ID: 1 + the alternative marked by @default
	least   []int          // by Expr.ID: the length of the shortest name there; 0 if there is none
	effects core.Effects

	free     uint64                    // components whose names may stand anywhere, for counting
	unmasked [2]atomic.Pointer[States] // by measure: the coarse states under no mask
}

// early is the number of names of a type that may be used before their definitions if @forward says
// none, and maxEarly bounds it.
const (
	early    = 2
	maxEarly = 9
)

// maxComponents bounds the components of a state: sets of them are 64 bits.
const maxComponents = 64

// New reads the annotations of a frozen grammar. It returns nil if there are none. Each namespace
// has a pool of at most pool names; with canonical, new names are taken in order. The error is a
// [grammar.Diagnostics] with every annotation that cannot be kept. It costs time linear in the
// grammar, and for each namespace the time of finding its first names.
func New(g *grammar.Grammar, canonical bool, pool int) (*Names, error) {
	if !slices.ContainsFunc(g.Exprs, func(e *grammar.Expr) bool { return len(e.Annotations) > 0 }) &&
		!slices.ContainsFunc(g.Rules, func(r *grammar.Rule) bool { return len(r.Annotations) > 0 }) {
		return nil, nil
	}
	r := &reader{n: Unannotated(g), index: map[string]*nsKind{}, types: map[string][]string{}, forward: map[string]int{}}
	r.n.canonical = canonical
	r.each(r.typed)
	r.elements()
	if len(r.ds) == 0 && len(r.n.namespaces) > 0 {
		r.pools(pool)
	}
	if err := r.ds.Err(); err != nil {
		return nil, r.ds
	}
	n := r.n
	if len(n.namespaces) == 0 && !r.defaults {
		return nil, nil
	}
	n.effects = core.NewEffects(g, n, g.Facts(nil, grammar.Exact))
	return n, nil
}

// Unannotated returns empty annotations of a grammar.
func Unannotated(g *grammar.Grammar) *Names {
	return &Names{grammar: g, at: make([]*core.Action, len(g.Exprs)), defined: make([]int, len(g.Exprs))}
}

// Namespaces lists the set of names of each component. The caller must not change it.
func (n *Names) Namespaces() []*Namespace { return n.namespaces }

// At returns the action of the annotations at e; nil without one.
func (n *Names) At(e *grammar.Expr) *core.Action { return n.at[e.ID] }

// Facts returns the least depths and sizes of g with its names, which may be nil.
func Facts(g *grammar.Grammar, n *Names, mask *grammar.Mask, measure grammar.Measure) *grammar.Facts {
	if n == nil {
		return g.Facts(mask, measure)
	}
	return g.NamedFacts(mask, measure, n.least)
}

// Kinds returns the namespaces whose names come from pools.
func (n *Names) Kinds() (kinds []string) {
	for i, ns := range n.namespaces {
		if i == ns.first && !ns.binds {
			kinds = append(kinds, ns.Name)
		}
	}
	return kinds
}

// Keeping returns the same annotations, of which counting keeps those of one kind of names alone: every other
// name may be any of its pool. Bound texts are kept.
func (n *Names) Keeping(kind string) *Names {
	k := &Names{grammar: n.grammar, canonical: n.canonical, namespaces: n.namespaces, at: n.at, defined: n.defined, least: n.least, effects: n.effects}
	for c, ns := range n.namespaces {
		if ns.Name != kind && !ns.binds {
			k.free |= 1 << c
		}
	}
	return k
}

// Touched returns the namespaces, as bits, that a part of an expression reads or changes.
func (n *Names) Touched(k core.Part) uint64 {
	touch, _ := n.effects.Of(k)
	return touch
}

// Whole returns the part that is all of e.
func (n *Names) Whole(e *grammar.Expr, w grammar.Want) core.Part {
	return n.effects.Whole(e, w)
}

// reader collects the annotations of a grammar.
type reader struct {
	n        *Names
	types    map[string][]string // by namespace: the types with which names are defined
	forward  map[string]int      // by namespace: Namespace.forward
	index    map[string]*nsKind
	kinds    []*nsKind // in the order of their first annotations
	ds       grammar.Diagnostics
	defaults bool
}

// nsKind notes how a namespace is used.
type nsKind struct {
	*Namespace
	names, binds *grammar.Annotation // the first annotation of either kind
	shadowed     *grammar.Annotation // a @shadow
	elements     []*grammar.Expr     // the elements that names stand for
	defines      bool
}

func (r *reader) fail(a *grammar.Annotation, hint, format string, args ...any) {
	r.ds = append(r.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: a.Pos, Code: "annotation", Message: fmt.Sprintf(format, args...), Hint: hint})
}

// each calls f for all annotations of expressions, and for those of rules as if they were at the
// rule's body.
func (r *reader) each(f func(*grammar.Rule, *grammar.Expr, *grammar.Annotation)) {
	for _, rule := range r.n.grammar.Rules {
		rule.Body.Walk(func(e *grammar.Expr) {
			for i := range e.Annotations {
				f(rule, e, &e.Annotations[i])
			}
		})
		for i := range rule.Annotations {
			f(rule, rule.Body, &rule.Annotations[i])
		}
	}
}

// typed notes the types that names are defined with, and the namespaces of @forward.
func (r *reader) typed(_ *grammar.Rule, _ *grammar.Expr, a *grammar.Annotation) {
	if a.Name == "forward" && len(a.Args) > 0 {
		r.forward[a.Args[0]] = early
		if len(a.Args) > 1 {
			r.forward[a.Args[0]], _ = strconv.Atoi(a.Args[1])
		}
	}
	if kind := nameKinds[a.Name]; len(a.Args) < 2 || kind != Define && kind != Fresh && kind != Shadow {
		return
	}
	if ns := a.Args[0]; !slices.Contains(r.types[ns], a.Args[1]) {
		r.types[ns] = append(r.types[ns], a.Args[1])
	}
}

// elements reads all annotations.
func (r *reader) elements() {
	for _, e := range r.n.grammar.Exprs {
		if e.Op == grammar.Choice {
			r.marked(e)
		}
	}
	r.each(r.read)
	for _, k := range r.kinds {
		switch {
		case k.names != nil && k.binds != nil:
			r.fail(k.binds, "take another name for one of the two", "namespace %q has names that are defined and texts that are bound", k.Name)
		case k.shadows && (k.commit || k.forward > 0):
			r.fail(k.shadowed, "leave out @commit and @forward", "@shadow hides a name at once, in a namespace whose names are visible once they are defined")
		case k.names != nil && !k.defines && (len(k.elements) > 0 || k.forward > 0):
			r.fail(k.names, "annotate with @define or @fresh the place where they come from", "nothing defines the names of namespace %q", k.Name)
		}
	}
}

// marked notes the alternative that is a choice's default.
func (r *reader) marked(e *grammar.Expr) {
	for i, k := range e.Children {
		for j := range k.Annotations {
			if a := &k.Annotations[j]; a.Name == "default" {
				if len(a.Args) > 0 {
					r.fail(a, "write it after the alternative that is the default", "@default takes no arguments")
				}
				r.defaults = true
				r.n.defined[e.ID] = i + 1
			}
		}
	}
}

var nameKinds = map[string]int{"define": Define, "fresh": Fresh, "use": Use, "same": Same, "shadow": Shadow}
var wrapKinds = map[string]int{"commit": Commit, "scope": Scope, "forward": Scope, "bind": Bind}

func (r *reader) read(rule *grammar.Rule, e *grammar.Expr, a *grammar.Annotation) {
	kind, isName := nameKinds[a.Name]
	wrap, isWrap := wrapKinds[a.Name]
	if !isName && !isWrap {
		return
	}
	if takesMore := isName && kind != Same || a.Name == "forward"; len(a.Args) == 0 || len(a.Args) > 1 && !takesMore {
		r.fail(a, fmt.Sprintf("write it as in @%s(var)", a.Name), "@%s takes the name of one namespace", a.Name)
		return
	}
	if rule.Kind.Lexical() {
		r.fail(a, "annotate a reference to the token instead", "@%s stands inside %v %q, whose text is one unit", a.Name, rule.Kind, rule.Name)
		return
	}
	k, ok := r.namespace(a)
	if !ok || !r.forwards(rule, e, a, k) {
		return
	}
	el := r.n.at[e.ID]
	if el == nil {
		el = &core.Action{}
		r.n.at[e.ID] = el
	}
	switch {
	case kind == Same || isWrap && wrap == Bind:
		k.binds, k.Namespace.binds = a, true
	case a.Name == "scope": // allowed with both
	default:
		k.names = a
	}
	if isWrap {
		k.commit = k.commit || wrap == Commit
		el.Wraps = append(el.Wraps, wrapsOf(wrap, k.Namespace)...)
		return
	}
	if el.Kind != None || len(el.Wraps) > 0 {
		r.fail(a, "put the element into parentheses and annotate those", "@%s comes after another annotation of the same element", a.Name)
		return
	}
	el.Kind, el.Component, el.Classes, el.Leaf = kind, k.first, 1<<k.first, true
	el.Writes, el.Silent = kind == Define || kind == Fresh || kind == Shadow || kind == Use && k.forward > 0, kind == Same
	el.Spends = kind == Use && el.Writes
	if kind != Same {
		k.elements = append(k.elements, e)
		k.defines = k.defines || kind != Use
		k.fresh = k.fresh || kind == Fresh || kind == Shadow || len(k.Types) > 1
		k.shadows = k.shadows || kind == Shadow
		if kind == Shadow {
			k.shadowed = a
		}
	}
	if k.Types != nil {
		r.classes(k, el, a)
	}
}

// classes sets the components of an element with a typed name: its own and, if a name may be new,
// the number of all; for a use, those of all its types.
func (r *reader) classes(k *nsKind, el *core.Action, a *grammar.Annotation) {
	types := a.Args[1:]
	if el.Kind != Use && len(types) != 1 {
		r.fail(a, fmt.Sprintf("write it as in @%s(%s, %s)", a.Name, k.Name, k.Types[0]), "names of namespace %q have types, so @%s takes one", k.Name, a.Name)
		return
	}
	if len(types) == 0 {
		types = k.Types
	}
	known := slices.DeleteFunc(slices.Clone(types), func(name string) bool { return !slices.Contains(k.Types, name) })
	if len(known) == 0 {
		hint := "annotate with @define or @fresh the place where they come from"
		if near := words.Nearest(types[0], k.Types); near != "" {
			hint = fmt.Sprintf("did you mean %s?", near)
		}
		r.fail(a, hint, "nothing defines the names of type %s in namespace %q", strings.Join(types, " or "), k.Name)
		return
	}
	set := uint64(0)
	for _, name := range known {
		set |= 1 << k.class(slices.Index(k.Types, name))
	}
	el.Component, el.Classes = k.class(slices.Index(k.Types, known[0])), set
	switch {
	case el.Kind == Shadow:
		set = 2<<k.last() - 1<<k.first
		el.Classes = set &^ (1 << k.first)
	case k.forward > 0:
		set = 2<<k.last() - 1<<k.first
	case el.Writes:
		set |= 1 << k.first
	}
	el.Also = set &^ (1 << el.Component)
}

// forwards reports whether an annotation is possible with regard to @forward.
func (r *reader) forwards(rule *grammar.Rule, e *grammar.Expr, a *grammar.Annotation, k *nsKind) bool {
	switch start := r.n.grammar.Start; {
	case a.Name == "forward" && (rule != start || e != rule.Body):
		r.fail(a, fmt.Sprintf("write it before %q", start.Name), "@forward stands before the start rule only")
	case a.Name == "forward" && (k.forward < 1 || k.forward > maxEarly || len(a.Args) > 2):
		r.fail(a, fmt.Sprintf("write it as in @forward(%s, %d)", k.Name, early), "@forward takes a namespace, and how many names of a type may be used before they are defined, from 1 to %d", maxEarly)
	case k.forward > 0 && a.Name == "commit":
		r.fail(a, "leave out @commit", "names of namespace %q may be used before they are defined", k.Name)
	case k.forward > 0 && a.Name == "define":
		k.defines = true
		r.fail(a, "write @fresh", "names of namespace %q may be used before they are defined, so each is defined once", k.Name)
	default:
		return true
	}
	return false
}

func (r *reader) namespace(a *grammar.Annotation) (*nsKind, bool) {
	name := a.Args[0]
	if k := r.index[name]; k != nil {
		return k, true
	}
	k := &nsKind{Namespace: &Namespace{Name: name, Types: r.types[name], forward: r.forward[name], first: len(r.n.namespaces)}}
	if k.last() >= maxComponents {
		r.fail(a, "take fewer", "a grammar has at most %d namespaces and types of names", maxComponents)
		return nil, false
	}
	for range k.last() - k.first + 1 {
		r.n.namespaces = append(r.n.namespaces, k.Namespace)
	}
	r.index[name] = k
	r.kinds = append(r.kinds, k)
	return k, true
}

func meanLength(texts []string) float64 {
	return float64(len(strings.Join(texts, ""))) / float64(len(texts))
}

// pools finds the names of every namespace, which must be the same at all its elements.
func (r *reader) pools(most int) {
	first := newFirstTexts(r.n.grammar, most)
	r.n.least = make([]int, len(r.n.grammar.Exprs))
	for _, k := range r.kinds {
		for i, e := range k.elements {
			texts := first.of(e)
			a := e.Annotations
			at := k.names
			if len(a) > 0 {
				at = &a[0]
			}
			switch {
			case len(texts) == 0:
				r.fail(at, "names have at least one character", "the element derives no name")
				return
			case i == 0:
				k.Texts = texts
			case !slices.Equal(k.Texts, texts):
				r.fail(at, "annotate references to one rule everywhere", "names of namespace %q are %q … elsewhere, but %q … here", k.Name, k.Texts[0], texts[0])
				return
			}
			r.n.least[e.ID], r.n.at[e.ID].Bytes = len(texts[0]), meanLength(texts)
		}
	}
	facts := r.n.grammar.Facts(nil, grammar.Exact)
	for id, el := range r.n.at {
		if el != nil && el.Kind == Same {
			e := r.n.grammar.Exprs[id]
			r.n.least[id] = min(max(facts.Size(e, grammar.Bytes, grammar.NonEmpty), 1), 1<<20)
		}
	}
}
