package grammars

import (
	"embed"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

//go:embed *.ebnf *.gramfuzz formats/*.ebnf
var files embed.FS

// Names returns the names of all shipped grammars of texts, sorted.
func Names() []string { return namesIn(".") }

// Formats returns the names of all shipped grammars of binary formats, sorted. They have
// computed fields; their sizes are bytes, from 19 for dns to 1536 for tar.
func Formats() []string { return namesIn("formats") }

func namesIn(folder string) []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // a folder of an embedded file system is always there
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".ebnf"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Source returns the file of the shipped grammar called name, or a shipped companion of a grammar
// that does not ship, by its file name: "go_spec.ebnf.gramfuzz" goes into load.Options.Companion,
// or into a file beside the grammar. It reports whether it exists.
func Source(name string) ([]byte, bool) {
	file := name
	if !strings.HasSuffix(name, ".gramfuzz") {
		file += ".ebnf"
	}
	src, err := files.ReadFile(file)
	if err != nil {
		src, err = files.ReadFile("formats/" + file)
	}
	return src, err == nil
}

// Must returns the shipped grammar called name, frozen, a new one at each call. It panics if
// there is none of that name.
func Must(name string) *grammar.Grammar {
	src, ok := Source(name)
	if !ok {
		panic(fmt.Sprintf("grammars: there is no grammar %q; there are %s", name, strings.Join(append(Names(), Formats()...), ", ")))
	}
	g, _, err := load.Source(name+".ebnf", src, load.Options{})
	if err != nil {
		panic(err) // a test loads every one of them
	}
	return g
}

// Load loads a grammar by its path, or a shipped one by its name: it is [load.File] with the
// grammars of this package as the shipped ones.
func Load(pathOrName string, o load.Options) (*grammar.Grammar, grammar.Diagnostics, error) {
	o.Shipped, o.ShippedNames = Source, append(Names(), Formats()...)
	return load.File(pathOrName, o)
}
