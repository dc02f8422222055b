// Package sample draws sentences of a grammar: uniformly over all derivations
// within a bound, or by the walks that other tools know.
//
//	s, err := sample.New(ctx, grammars.Must("json"), sample.Options{Seed: 1})
//	src := s.Source()
//	text, err := src.Text(ctx, 0) // sentence 0; 1, 2, … are others
//
// Sentence i depends on the seed and i alone, so any number of goroutines or
// machines draw disjoint parts of one stream without a word between them.
//
// Uniform sampling is exact: given ideal random bits each derivation has
// probability 1/N. Numbers that are only known approximately never decide
// anything their error leaves open; see [Sampler].
package sample
