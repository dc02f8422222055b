// Package grammars holds the grammars that ship with gramfuzz, in the native
// notation.
//
//	g := grammars.Must("json")
//	g, found, err := grammars.Load("json", load.Options{})      // by name
//	g, found, err = grammars.Load("my/json.ebnf", load.Options{}) // or by path
//	src, ok := grammars.Source("json")
//	fmt.Println(grammars.Names())
package grammars
