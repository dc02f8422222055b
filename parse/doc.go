// Package parse, which may change, parses texts into derivation trees, for any grammar: left-recursive,
// ambiguous, or with empty rules.
//
//	p, err := parse.New(ctx, g, parse.Options{})
//	f, err := p.Parse(ctx, "input.json", text) // a *parse.Error where text is not a sentence
//	tree, err := f.Tree(ctx)                   // the canonical tree
//	n, err := f.Count(ctx)                     // the number of trees
//	for tree, err := range f.All(ctx) {}       // all of them
//
// A grammar whose LALR(1) table has no conflicts is parsed by that table alone: in linear
// time, with one look at each token. Other grammars are parsed by a generalised LR parser
// (Tomita's graph of stacks) into a packed forest, in cubic time at worst. Conflicts that
// precedences settle wherever they arise are left out at first, so that one tree takes linear time
// in grammars of operators; trees that are counted or listed take them, too. Both work on a form
// of the grammar without empty productions.
//
// A grammar without token and skip rules is read character by character. Otherwise a lexer
// cuts the text into tokens, and the parser reads these. The inside of a token is parsed by
// its own rule when a tree is built. A token whose rule does not lead to itself is only checked
// and measured, in linear time; its nodes and choices are built on demand.
//
// The trees are the derivations that package count counts, with one exception: a class
// takes every character that it means, not only those that it generates.
//
// Package texts draws and numbers distinct texts in place of derivations.
package parse
