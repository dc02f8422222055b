package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gramfuzz/gramfuzz/derive"
	"github.com/gramfuzz/gramfuzz/grammar"
	"github.com/gramfuzz/gramfuzz/parse"
)

func grammarName(ref derive.GrammarRef) string { return ref.Name + ref.Path }

// loadRef loads the grammar of a record or a plan, or the one of -g in its place, and makes ref
// name it.
func loadRef(f *flags, gf *grammarFlags, ref *derive.GrammarRef, alphabet string) (*grammar.Grammar, error) {
	if gf.given() {
		want := ref.SHA256
		gf.words = cmp.Or(gf.words, ref.Case)
		g, err := gf.load()
		if err != nil {
			return nil, err
		}
		if want != "" && g.SHA256 != want {
			f.note("%s is not the grammar that was recorded; choices may mean something else", gf.path)
		}
		*ref = refOf(gf.ref(), g)
		return g, nil
	}
	path := ref.Path
	if path == "" {
		path = ref.Name
	}
	if path == "" {
		return nil, errors.New("the grammar has no name there; name it with -g")
	}
	g, _, err := readGrammar(f, *ref, path, alphabet)
	if err != nil {
		return nil, err
	}
	if ref.SHA256 != "" && g.SHA256 != ref.SHA256 {
		return nil, fmt.Errorf("the grammar %s has changed since the sentence was made; give -g %s to use it as it is now", path, path)
	}
	return g, nil
}

// refused returns the error of a text that is not a sentence, with exit code 1.
func refused(path string, err error) error {
	if errors.As(err, new(*parse.Error)) {
		return no("%s is not a sentence of the grammar: %v", path, err)
	}
	return err
}
