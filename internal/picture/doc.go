// Package picture draws grammars, predictions of samplers and derivations.
//
//	err := picture.WriteGrammar(ctx, w, g, facts, diagnostics) // a page of railroad diagrams
//	err := picture.WriteSampling(ctx, w, prediction)  // a page of lengths and shares
//	hidden, err := picture.WriteTree(w, tree)           // an SVG picture
//
// Pages and pictures stand alone, in light and dark: no scripts, nothing is fetched. What
// they show of others (names, literals, texts, messages) has no character that does not
// print. Their size is bounded; what is left out is said where it is missing.
package picture
