package scope

import (
	"fmt"
	"slices"

	"github.com/gramfuzz/gramfuzz/grammar"
)

// Kind says how an annotated element takes a name.
type Kind uint8

// The kinds of elements.
const (
	None   Kind = iota // derived as it is
	Define             // a name in play, or a new one
	Fresh              // a new name
	Use                // a visible name
	Same               // the text that was bound
)

// Wrap is an effect around an element that is derived as it is.
type Wrap struct {
	Kind WrapKind
	NS   int
}

// WrapKind is the kind of a Wrap.
type WrapKind uint8

// The kinds of wraps.
const (
	Commit WrapKind = iota // afterwards: pending names become visible
	Scope                  // afterwards: names are as they were before
	Bind                   // the text is kept
)

// Element holds the annotations of an expression.
type Element struct {
	Kind  Kind
	NS    int    // of Kind
	Wraps []Wrap // the innermost first
}

// Namespace is a set of names.
type Namespace struct {
	Name   string
	Texts  []string // the pool, the shortest first; nil where texts are bound
	commit bool     // there is a @commit: definitions are pending
	fresh  bool     // there is a @fresh: it matters how many names are left
	binds  bool     // a namespace of @bind and @same
}

// Even reports whether the namespace has names, all of one length.
func (ns *Namespace) Even() bool {
	n := len(ns.Texts)
	return n > 0 && len(ns.Texts[0]) == len(ns.Texts[n-1])
}

// Names are the annotations of a grammar. They are immutable and may be used by
// any number of goroutines.
type Names struct {
	grammar    *grammar.Grammar
	canonical  bool // new names are taken in order
	namespaces []*Namespace

	at      []*Element // by Expr.ID; nil where nothing is said
	defined []int      // by Expr.ID: the alternative that @default marks, + 1
	least   []int      // by Expr.ID: bytes of the shortest name there; 0 where there is none
	touch   []uint64   // by Expr.ID: namespaces that are read or changed at or below
	write   []uint64   // those that may have changed after it
}

// maxNamespaces bounds the namespaces of a grammar: sets of them are 64 bits.
const maxNamespaces = 64

// New reads the annotations of a frozen grammar. It returns nil where there are
// none. Each namespace has a pool of at most pool names; with canonical, new names are
// taken in order. The error is a [grammar.Diagnostics] with every annotation that cannot
// be kept. It costs time linear in the grammar, and for each namespace that of
// finding its first names.
func New(g *grammar.Grammar, canonical bool, pool int) (*Names, error) {
	r := &reader{n: &Names{grammar: g, canonical: canonical, at: make([]*Element, len(g.Exprs)), defined: make([]int, len(g.Exprs))}, index: map[string]int{}}
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
	n.findTouched()
	return n, nil
}

// Namespaces lists the sets of names. The caller must not change it.
func (n *Names) Namespaces() []*Namespace { return n.namespaces }

// At returns the annotations of e; nil where it has none.
func (n *Names) At(e *grammar.Expr) *Element { return n.at[e.ID] }

// Facts returns the least depths and sizes of g with its names, which may be nil.
func Facts(g *grammar.Grammar, n *Names, mask *grammar.Mask, measure grammar.Measure) *grammar.Facts {
	if n == nil {
		return g.Facts(mask, measure)
	}
	return g.NamedFacts(mask, measure, n.least)
}

// Touch returns the namespaces, as bits, that e reads or changes from part i on
// (0: the whole; the annotations of e itself only then).
func (n *Names) Touch(e *grammar.Expr, i int) uint64 {
	if i == 0 {
		return n.touch[e.ID]
	}
	return n.parts(n.touch, e, i)
}

// Write returns the namespaces, as bits, that may be other after e from part i on.
func (n *Names) Write(e *grammar.Expr, i int) uint64 {
	if i == 0 {
		return n.write[e.ID]
	}
	return n.parts(n.write, e, i)
}

// parts joins the bits of a sequence or repetition from part i on.
func (n *Names) parts(of []uint64, e *grammar.Expr, i int) uint64 {
	if e.Op == grammar.Rep {
		return of[e.Children[0].ID]
	}
	all := uint64(0)
	for _, k := range e.Children[min(i, len(e.Children)):] {
		all |= of[k.ID]
	}
	return all
}

// inner returns the bits of e without its own annotations.
func (n *Names) inner(of []uint64, e *grammar.Expr) uint64 {
	if e.Op == grammar.Ref {
		if e.Rule == nil || e.Rule.Kind == grammar.Skip && !e.Rule.Inline {
			return 0
		}
		return of[e.Rule.Body.ID]
	}
	all := uint64(0)
	for _, k := range e.Children {
		all |= of[k.ID]
	}
	return all
}

// findTouched computes touch and write: least fixed points.
func (n *Names) findTouched() {
	exprs := n.grammar.Exprs
	n.touch, n.write = make([]uint64, len(exprs)), make([]uint64, len(exprs))
	for changed := true; changed; {
		changed = false
		for id := len(exprs) - 1; id >= 0; id-- {
			t, w := n.wrapped(exprs[id])
			if t != n.touch[id] || w != n.write[id] {
				n.touch[id], n.write[id], changed = t, w, true
			}
		}
	}
}

func (n *Names) wrapped(e *grammar.Expr) (touch, write uint64) {
	return n.Within(e, n.Wraps(e))
}

// Wraps returns how many wraps e has.
func (n *Names) Wraps(e *grammar.Expr) int {
	if el := n.at[e.ID]; el != nil {
		return len(el.Wraps)
	}
	return 0
}

// TouchWithin is Touch for e from part i on with only the first of its wraps.
func (n *Names) TouchWithin(e *grammar.Expr, i, wraps int) uint64 {
	if i > 0 || wraps == n.Wraps(e) {
		return n.Touch(e, i)
	}
	touch, _ := n.Within(e, wraps)
	return touch
}

// Within returns Touch and Write of e with only the first of its wraps.
func (n *Names) Within(e *grammar.Expr, wraps int) (touch, write uint64) {
	el := n.at[e.ID]
	if el == nil {
		return n.inner(n.touch, e), n.inner(n.write, e)
	}
	if el.Kind == None {
		touch, write = n.inner(n.touch, e), n.inner(n.write, e)
	} else {
		touch = 1 << el.NS
	}
	if el.Kind == Define || el.Kind == Fresh {
		write = 1 << el.NS
	}
	for _, w := range el.Wraps[:wraps] {
		bit := uint64(1) << w.NS
		touch |= bit
		write |= bit
		if w.Kind == Scope {
			write &^= bit
		}
	}
	return touch, write
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

var nameKinds = map[string]Kind{"define": Define, "fresh": Fresh, "use": Use, "same": Same}
var wrapKinds = map[string]WrapKind{"commit": Commit, "scope": Scope, "bind": Bind}

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
		el = &Element{}
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
		el.Wraps = append(el.Wraps, Wrap{wrap, ns})
		return
	}
	if el.Kind != None || len(el.Wraps) > 0 {
		r.fail(a, "put the element into parentheses and annotate those", "@%s comes after another annotation of the same element", a.Name)
		return
	}
	el.Kind, el.NS = kind, ns
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
			r.n.least[e.ID] = len(texts[0])
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
