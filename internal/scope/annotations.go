package scope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/internal/core"
)

// The kinds of actions at annotated elements.
const (
	None   = iota // derived as it is
	Define        // a name in play, or a new one
	Fresh         // a new name
	Use           // a visible name
	Same          // the text that was bound
)

// The kinds of wraps.
const (
	Commit = iota // afterwards: pending names become visible
	Scope         // afterwards: names are as they were before
	Bind          // the text is kept
)

// The effects of wraps, on the names in play when a text is made.
const (
	CommitNames = core.OwnLeaf + 1 + iota // pending names become visible
	BeginScope                            // a scope begins
	EndScope                              // it ends
	HoldText                              // the text that comes now …
	BindText                              // … up to here is bound
)

// wrapOf returns the wrap of a kind for a namespace.
func wrapOf(kind, ns int) core.Wrap {
	switch w := (core.Wrap{Kind: kind, Component: ns}); kind {
	case Commit:
		w.End = CommitNames
		return w
	case Scope:
		w.Restores, w.Forgets, w.Begin, w.End = true, true, BeginScope, EndScope
		return w
	default:
		w.Forgets, w.Begin, w.End = true, HoldText, BindText
		return w
	}
}

// Namespace is a set of names.
type Namespace struct {
	Name   string
	Texts  []string // the pool, the shortest first; nil where texts are bound
	commit bool     // there is a @commit: definitions are pending
	fresh  bool     // there is a @fresh: it matters how many names are left
	binds  bool     // a namespace of @bind and @same
}

// Names are the annotations of a grammar. They are immutable and may be used by
// any number of goroutines.
type Names struct {
	grammar    *grammar.Grammar
	canonical  bool // new names are taken in order
	namespaces []*Namespace

	at      []*core.Action // by Expr.ID; nil where nothing is said
	defined []int          // by Expr.ID: the alternative that @default marks, + 1
	least   []int          // by Expr.ID: bytes of the shortest name there; 0 where there is none
	effects core.Effects
}

// maxNamespaces bounds the namespaces of a grammar: sets of them are 64 bits.
const maxNamespaces = 64

// New reads the annotations of a frozen grammar. It returns nil where there are
// none. Each namespace has a pool of at most pool names; with canonical, new names are
// taken in order. The error is a [grammar.Diagnostics] with every annotation that cannot
// be kept. It costs time linear in the grammar, and for each namespace that of
// finding its first names.
func New(g *grammar.Grammar, canonical bool, pool int) (*Names, error) {
	r := &reader{n: Unannotated(g), index: map[string]int{}}
	r.n.canonical = canonical
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

// Unannotated returns the annotations of a grammar in which nothing is annotated.
func Unannotated(g *grammar.Grammar) *Names {
	return &Names{grammar: g, at: make([]*core.Action, len(g.Exprs)), defined: make([]int, len(g.Exprs))}
}

// Namespaces lists the sets of names. The caller must not change it.
func (n *Names) Namespaces() []*Namespace { return n.namespaces }

// At returns what annotations say about e; nil where nothing.
func (n *Names) At(e *grammar.Expr) *core.Action { return n.at[e.ID] }

// Facts returns the least depths and sizes of g with its names, which may be nil.
func Facts(g *grammar.Grammar, n *Names, mask *grammar.Mask, measure grammar.Measure) *grammar.Facts {
	if n == nil {
		return g.Facts(mask, measure)
	}
	return g.NamedFacts(mask, measure, n.least)
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
	index    map[string]int // namespaces by name
	kinds    []nsKind
	ds       grammar.Diagnostics
	defaults bool
}

// nsKind notes how a namespace is used.
type nsKind struct {
	names, binds *grammar.Annotation // a first annotation of either sort
	elements     []*grammar.Expr     // those that names stand for
	defines      bool
}

func (r *reader) fail(a *grammar.Annotation, hint, format string, args ...any) {
	r.ds = append(r.ds, grammar.Diagnostic{Severity: grammar.Error, Pos: a.Pos, Code: "annotation", Message: fmt.Sprintf(format, args...), Hint: hint})
}

// elements reads all annotations of expressions, and of rules as if they stood
// at the rule's body.
func (r *reader) elements() {
	g := r.n.grammar
	for _, rule := range g.Rules {
		rule.Body.Walk(func(e *grammar.Expr) {
			if e.Op == grammar.Choice {
				r.marked(e)
			}
			for i := range e.Annotations {
				r.read(rule, e, &e.Annotations[i])
			}
		})
		for i := range rule.Annotations {
			r.read(rule, rule.Body, &rule.Annotations[i])
		}
	}
	for ns, k := range r.kinds {
		name := r.n.namespaces[ns].Name
		switch {
		case k.names != nil && k.binds != nil:
			r.fail(k.binds, "take another name for one of the two", "namespace %q has names that are defined and texts that are bound", name)
		case k.names != nil && !k.defines && len(k.elements) > 0:
			r.fail(k.names, "annotate with @define or @fresh the place where they come from", "nothing defines the names of namespace %q", name)
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

var nameKinds = map[string]int{"define": Define, "fresh": Fresh, "use": Use, "same": Same}
var wrapKinds = map[string]int{"commit": Commit, "scope": Scope, "bind": Bind}

func (r *reader) read(rule *grammar.Rule, e *grammar.Expr, a *grammar.Annotation) {
	kind, isName := nameKinds[a.Name]
	wrap, isWrap := wrapKinds[a.Name]
	if !isName && !isWrap {
		return
	}
	if len(a.Args) != 1 {
		r.fail(a, fmt.Sprintf("write it as in @%s(var)", a.Name), "@%s takes the name of one namespace", a.Name)
		return
	}
	if rule.Kind.Lexical() {
		r.fail(a, "annotate a reference to the token instead", "@%s stands inside %v %q, whose text is one unit", a.Name, rule.Kind, rule.Name)
		return
	}
	ns, ok := r.namespace(a)
	if !ok {
		return
	}
	el := r.n.at[e.ID]
	if el == nil {
		el = &core.Action{}
		r.n.at[e.ID] = el
	}
	k, space := &r.kinds[ns], r.n.namespaces[ns]
	switch {
	case kind == Same || isWrap && wrap == Bind:
		k.binds, space.binds = a, true
	case isWrap && wrap == Scope: // goes with both
	default:
		k.names = a
	}
	if isWrap {
		space.commit = space.commit || wrap == Commit
		el.Wraps = append(el.Wraps, wrapOf(wrap, ns))
		return
	}
	if el.Kind != None || len(el.Wraps) > 0 {
		r.fail(a, "put the element into parentheses and annotate those", "@%s comes after another annotation of the same element", a.Name)
		return
	}
	el.Kind, el.Component, el.Leaf = kind, ns, true
	el.Writes, el.Silent = kind == Define || kind == Fresh, kind == Same
	if kind != Same {
		k.elements = append(k.elements, e)
		k.defines = k.defines || kind != Use
		space.fresh = space.fresh || kind == Fresh
	}
}

func (r *reader) namespace(a *grammar.Annotation) (int, bool) {
	ns, ok := r.index[a.Args[0]]
	if !ok {
		if len(r.n.namespaces) == maxNamespaces {
			r.fail(a, "", "a grammar has at most %d namespaces", maxNamespaces)
			return 0, false
		}
		ns = len(r.n.namespaces)
		r.index[a.Args[0]] = ns
		r.n.namespaces = append(r.n.namespaces, &Namespace{Name: a.Args[0]})
		r.kinds = append(r.kinds, nsKind{})
	}
	return ns, true
}

func meanLength(texts []string) float64 {
	return float64(len(strings.Join(texts, ""))) / float64(len(texts))
}

// pools finds the names of every namespace, which have to be the same wherever
// they stand.
func (r *reader) pools(most int) {
	first := newFirstTexts(r.n.grammar, most)
	r.n.least = make([]int, len(r.n.grammar.Exprs))
	for ns, k := range r.kinds {
		space := r.n.namespaces[ns]
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
				space.Texts = texts
			case !slices.Equal(space.Texts, texts):
				r.fail(at, "annotate references to one rule everywhere", "names of namespace %q are %q … elsewhere, but %q … here", space.Name, space.Texts[0], texts[0])
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
