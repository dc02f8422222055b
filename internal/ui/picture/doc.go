// Package picture draws grammars, predictions of samplers and derivations.
//
//	err := picture.WriteGrammar(ctx, w, g, facts, diagnostics) // a page of railroad diagrams
//	err := picture.WriteSampling(ctx, w, prediction)  // a page of lengths and shares
//	hidden, err := picture.WriteTree(w, tree)           // an SVG picture
//
// Pages and pictures are self-contained, in light and dark: they run no scripts and fetch
// nothing. Foreign text in them (names, literals, texts, messages) has no unprintable
// characters. Their size is bounded; a note marks each omission.
package picture
