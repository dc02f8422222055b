// Package scope keeps track of the names that are defined and used while a sentence
// is derived.
//
//	names, err := scope.New(g, false, 26)             // reads the annotations
//	m, err := scope.Machine(g, names, derive.Options{}) // walks that obey them
//	env := names.NewEnv()                             // the names in play, one by one
//	sp, err := names.Space(false)                     // the same as states, for counting
//	outs, err := scope.NewReach(sp, facts, 0, 1<<20).Outs(e, 0, scope.AnyText, 0)
//
// Names of equal length are alike, so that what can be derived depends only on how
// many there are: a [State]. [Reach] finds the states in which derivations can end,
// for counting and for the [Hooks] of a machine, which look ahead by it. Package
// context is the part of this that Go users see.
package scope
