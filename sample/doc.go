// Package sample draws random sentences of a grammar: uniformly over all derivations
// within a bound, without repetition, or by the walks of other tools.
//
//	s, err := sample.New(ctx, grammars.Must("json"), sample.Options{Seed: 1})
//	src := s.Source()
//	text, err := src.Text(ctx, 0) // sentence 0; 1, 2, … are others
//	tree, err := src.Tree(ctx, 0) // its derivation
//
// Sentence i depends on the seed and i alone. So any number of goroutines or machines
// draw disjoint parts of one stream without talking to each other.
//
// With [Options].Distinct nothing is drawn twice. [Explain] gives averages before any sentence
// is drawn. Package stream draws parts of a stream, and sentences that a function accepts.
//
// Uniform sampling is exact: given ideal random bits, each derivation has probability 1/N.
// Approximate numbers never decide a draw within their error.
package sample
