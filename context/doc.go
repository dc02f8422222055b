// Package context knows which names are in play. Import it as gctx: its name is
// also the standard library's.
//
// A grammar's annotations say where names are defined and used:
//
//	@define(ns)  the element is a name that is defined here, new or not
//	@fresh(ns)   the same, but the name must not be in play yet
//	@use(ns)     the element is one of the visible names
//	@commit(ns)  names defined before the end of the element become visible
//	@scope(ns)   at the element's end the names are as they were at its start
//	@bind(ns)    the element's text is kept …
//	@same(ns)    … and stands here again: the end tag of an XML element
//
// A definition is pending until the next @commit if its namespace has one
// anywhere in the grammar, else visible right after its element. Several
// annotations of one element apply in the order written, the first innermost.
// An alternative that needs a name where none is visible cannot be derived
// there: no derivation runs into a dead end.
//
// [New] reads the annotations, [Names.Hooks] keeps them while a
// [derive.Machine] expands, and [Names.Space] is what counting needs: names of
// equal length are alike, so that what can be derived depends only on how many
// names there are. [Names.Check] looks at a tree that was made without them.
// [Attach] adds functions of the user's own.
package context
