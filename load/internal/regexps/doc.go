// Package regexps turns regular expressions, as grammars in other notations hold them,
// into expressions of grammars.
//
//	e, problems := regexps.Parse(pos, `"[^"\\]*"`, "i", regexps.Python)
//
// Loops that take as little as they can, and looks ahead and behind, become differences,
// which have automata: `".*?"` is the texts of `".*"` of which no beginning is one. That is
// exact where such a loop or look stands in a sequence. What looks out of the text, and
// references to groups, have no such form; they are problems.
package regexps
