// Package regexps translates the regular expressions in grammar files into grammar
// expressions.
//
//	e, problems := regexps.Parse(pos, `"[^"\\]*"`, "i", regexps.Python)
//
// Lookaheads and lookbehinds become differences, which have automata: `(?!ab)[a-z]+` is [a-z]+
// without the texts that begin with ab. That is exact if they look only at the sequence that
// contains them. Otherwise they are dropped, with a note. References to groups cannot be expressed
// in this way, and are errors.
package regexps
