// Package load goes from a path or a name to a frozen grammar: it finds the
// notation out, reads, resolves and checks.
//
//	g, ds, err := load.File("json.ebnf", load.Options{})
//
// A companion file beside the grammar, path.gramfuzz, adds what the notation
// cannot say: start, tokens, layout, weights, annotations, the meaning of prose
// (package companion).
//
// [File] takes a path and [Source] bytes in memory; [Notations] lists what can
// be read. The package holds no grammars: where a path does not exist,
// Options.Shipped may offer one by its name (package grammars does).
package load
