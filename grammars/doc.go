// Package grammars holds the grammars that ship with gramfuzz, in the native
// notation.
//
//	g := grammars.Must("json")
//
// [Names] lists them, [Source] returns a file as it is, and [Load] takes the
// name of one or the path of a file.
package grammars
