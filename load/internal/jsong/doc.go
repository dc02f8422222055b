// Package jsong reads and prints grammars in JSON, as the Fuzzing Book and the
// tools around it (F1, mimid, ddset, Grammar-Mutator) write them.
//
//	{"<start>": ["<digit>", "<start>, <digit>"],
//	 "<digit>": ["0", "1", ["<nine>"]],
//	 "<nine>":  [["9", {"prob": 0.1}]]}
//
// A rule is a list of alternatives. An alternative is a text, in which <name> is
// a reference, or a list of texts, each of which is a reference if it is the
// name of a rule, and else a literal. An alternative may be paired with options:
// "prob" becomes a weight, others are noted. The grammar may be wrapped as
// {"[start]": "<s>", "[grammar]": {…}}; else the rule <start> is the start, or
// the first one. The notation is scannerless.
//
// Rule names lose their angle brackets in the graph and get them back in print.
package jsong
