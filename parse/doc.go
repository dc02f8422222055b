// Package parse reads texts back to their derivation trees, by any rule graph:
// left-recursive, ambiguous, with empty rules.
//
// The path through the package:
//
//	p, err := parse.New(g, parse.Options{})
//	f, err := p.Parse(ctx, "input.json", text)  // *parse.Error where it is not a sentence
//	f.Tree()                                    // the canonical tree, a *derive.Tree
//	f.Count()                                   // how many trees the text has
//	f.All(), f.At(i), f.Uniform(rng)            // the others
//
// A grammar whose LALR(1) table has no conflicts is parsed by that table alone:
// linear, one look at each token. Any other is parsed by a generalised LR
// parser (Tomita's graph of stacks) over tables of its own, cubic at worst, into
// a packed forest. Both work on a form of the grammar without empty productions.
//
// A grammar without token and skip rules is read character by character. Else
// package lex cuts the text into tokens, the table reads these, and the inside
// of each token is parsed by its own rule when a tree is made.
//
// The trees are exactly the derivations that package count counts, but for one
// thing: a class takes every character that it means, not only those of the
// alphabet that it generates.
package parse
