// Package context makes sentences use only names that they define, and adds user-defined
// functions to derivations. Import it as gctx, because the standard library has a package of
// the same name.
//
//	g := grammars.Must("assign") // assign = name @define(var) " = " expr ; …
//	m, err := gctx.NewMachine(g, derive.Options{MaxDepth: 9})
//	tree, err := m.Run(ctx, chooser) // c = 1; d = c + c
//	names, err := gctx.New(g, gctx.Options{})
//	err = names.Check(parsed)        // "x" is used before it is defined
//
// A grammar's annotations say where names are defined and used:
//
//	@define(ns)  the element is a name that is defined here, new or not
//	@fresh(ns)   the same, but the name must not be in play yet
//	@shadow(ns)  the same, or it is a name of an outer scope, which is hidden until the scope ends
//	@use(ns)     the element is one of the visible names
//	@commit(ns)  names defined before the end of the element become visible
//	@scope(ns)   at the element's end the names are as they were at its start
//	@forward(ns) of the start rule: names may be used before they are defined, in the same scope
//	@bind(ns)    the element's text is kept …
//	@same(ns)    … and stands here again: the end tag of an XML element
//
// The three annotations of names may have types after the namespace: @define(var, int) and
// @fresh(var, int) one, as @shadow, @use(var, int, ptr) all types allowed for the name; without types any
// is allowed. A name keeps its type while it is in play.
//
// If its namespace has a @commit anywhere in the grammar, a definition is pending until the
// next one; otherwise it is visible right after its element. With @forward(ns, 3) up to 3 names of
// each type may at a time be used and not defined yet, 2 if no number is given. Such a use has the
// first of its types. Several annotations of one
// element apply in the order written, the first innermost. An alternative that needs a name
// cannot be derived where none is visible: no derivation runs into a dead end.
//
// [New] reads the annotations, and [Machine] makes a machine whose derivations obey them;
// counting and sampling take [Options] and do the same by themselves. [Names.Check] checks a
// tree that was made without them, and [Names.Convert] turns a parsed tree into the one that
// such a machine makes. [Attach] adds a [Hook]: a function that replaces an element by a text,
// or receives an element's text.
package context
