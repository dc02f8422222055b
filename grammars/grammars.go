package grammars

import (
	"embed"
	"fmt"
	"strings"

	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/load"
)

//go:embed *.ebnf *.gramfuzz formats/*.ebnf programs/*.ebnf
var files embed.FS

// Names returns the names of the shipped grammars of texts, sorted; or those of the folders:
// "texts", "formats" (binary formats, with computed fields; their sizes are bytes, from 19 for
// dns to 1536 for tar), and "programs" (programs that compile, whose typed names have too many
// states to be counted, so their sentences are walks; and grammars, as gramfuzz reads them). It
// panics if there is no such folder.
func Names(folders ...string) []string {
	if len(folders) == 0 {
		folders = []string{"texts"}
	}
	var names []string
	for _, folder := range folders {
		if folder == "texts" {
			folder = "."
		}
		entries, err := files.ReadDir(folder)
		if err != nil {
			panic(err)
		}
		for _, e := range entries {
			if name, ok := strings.CutSuffix(e.Name(), ".ebnf"); ok {
				names = append(names, name)
			}
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
	for _, folder := range []string{"", "formats/", "programs/"} {
		if src, err := files.ReadFile(folder + file); err == nil {
			return src, true
		}
	}
	return nil, false
}

// Must returns the shipped grammar called name, frozen, a new one at each call. It panics if
// there is none of that name.
func Must(name string) *grammar.Grammar {
	src, ok := Source(name)
	if !ok {
		panic(fmt.Sprintf("grammars: there is no grammar %q; there are %s", name, strings.Join(Names("texts", "formats", "programs"), ", ")))
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
	o.Shipped, o.ShippedNames = Source, Names("texts", "formats", "programs")
	return load.File(pathOrName, o)
}
