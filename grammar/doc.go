// Package grammar holds the rule graph: what every notation is read into and
// what every other package works on.
//
// A [Grammar] is a list of [Rule] values; a rule's body is a graph of [Expr]
// nodes: literals, character classes, sequences, choices, repetitions,
// references and regular differences. Every expression keeps the [Pos] it was
// written at, so that each message can name a place.
//
// The path of a grammar through the program:
//
//	reader (grammar/ebnf, …)  builds rules and expressions with the New… functions
//	(*Grammar).Freeze         resolves names, numbers expressions, checks
//	(*Grammar).Facts          least depths and sizes, what is productive, under a [Mask]
//
// A frozen grammar is never changed again and may be used by any number of
// goroutines. The package imports nothing of gramfuzz.
package grammar
