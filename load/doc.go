// Package load reads grammars in eleven notations, checks them, and writes them.
//
//	g, err := load.String(`sum = num ("+" num)* ; num = [0-9]+ ;`)
//	g, found, err := load.File("url.abnf", load.Options{Start: "URI"})
//	for _, d := range found { // warnings and notes
//		fmt.Println(d)
//	}
//	text, lost, err := load.Print(g, "antlr4")
//
// [File] takes a path, [Source] bytes in memory, [String] the native notation;
// [Notations] lists what can be read and [Printable] what can be written. A
// companion file beside the grammar, path.gramfuzz, adds what the notation cannot
// say: start, tokens, layout, weights, annotations, the meaning of prose.
// The package holds no grammars: where a path does not exist, Options.Shipped may
// offer one by its name, as package grammars does.
//
// Loading is a pipeline. A reader makes a syntax.Grammar, to which the companion
// is applied; bind.Bind ties names to rules and finds recursion; lex.Resolve
// resolves tokens; Bound.Freeze numbers all and checks.
package load
