// Package scope keeps track of the names that are defined and used while a sentence
// is derived.
//
//	names, err := scope.New(g, false, 26)               // reads the annotations
//	m, err := scope.Machine(g, names, derive.Options{}) // walks that obey them
//	env := names.NewEnv()                               // the names in play, one by one
//	p, err := scope.Program(g, names, facts, grammar.Terminals, 0, 0) // for counting
//
// Names of equal length are alike, so that the derivable sentences depend only on how
// many names there are: a [State]. [States] are the automaton that core counts with; the
// [Hooks] of a machine look ahead by a coarser one. Package context is the part of this
// that Go users see.
package scope
