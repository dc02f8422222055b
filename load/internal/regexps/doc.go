// Package regexps turns regular expressions, as grammars in other notations hold them,
// into expressions of grammars.
//
//	e, problems := regexps.Parse(pos, `"[^"\\]*"`, "i", regexps.Python)
//
// Looks ahead and behind become differences, which have automata: `(?!ab)[a-z]+` is
// [a-z]+ without what begins with ab. That is exact where they look into the sequence that
// they stand in. What looks out of it is not kept, with a note; references to groups have no
// such form and are errors.
package regexps
