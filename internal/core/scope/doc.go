// Package scope tracks the names that are defined and used while a sentence is derived.
//
//	names, err := scope.New(g, false, 26)               // reads the annotations
//	m, err := scope.Machine(g, names, derive.Options{}) // walks that obey them
//	env := names.NewEnv()                               // the names in play, one by one
//	p, err := scope.Program(g, names, facts, grammar.Terminals, 0, 0) // for counting
//
// Names of equal length are interchangeable, so the derivable sentences depend only on the number
// of names: a [State]. [States] is the automaton for counting in package core; the [Hooks] of a
// machine look ahead with a coarser one. Package context is the public part of this package.
package scope
