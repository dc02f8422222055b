// Package jsong reads and prints grammars in JSON, as the Fuzzing Book and the
// tools around it (F1, mimid, ddset, Grammar-Mutator) write them.
//
//	{"<start>": ["<digit>", "<start>, <digit>"],
//	 "<digit>": ["0", "1", ["<nine>"]],
//	 "<nine>":  [["9", {"prob": 0.1}]]}
//
// A rule is a list of alternatives. An alternative is a text or a list of texts. In a
// text alone, <name> is a reference. In a list, each text is a reference if it is the
// name of a rule, and a literal otherwise. An alternative may be paired with options:
// "prob" becomes a weight, others are noted. The grammar may be wrapped as
// {"[start]": "<s>", "[grammar]": {…}}. Without this wrapper the start is the rule
// <start>, or else the first rule. The notation is scannerless.
//
// Rule names have no angle brackets in the graph. [Print] adds them again.
package jsong
