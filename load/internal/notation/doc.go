// Package notation holds the parts shared by the readers and printers of grammar notations.
//
//	toks, ds := reader.Tokens(name, src)
//	for _, rule := range rules { // cut in the way of the notation
//		tree, d := reader.Rule(rule, end)
//	}
//
// A [Reader] cuts a file into tokens with positions. It parses one rule at a time, so
// that every broken rule is reported. A [Printer] writes a grammar in a notation of the
// EBNF family.
//
// Any number of goroutines may use one [Reader].
package notation
