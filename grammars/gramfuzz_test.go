package grammars_test

import (
	"strings"
	"testing"

	gctx "github.com/gramfuzz/gramfuzz/context"
	"github.com/gramfuzz/gramfuzz/grammars"
	"github.com/gramfuzz/gramfuzz/parse"
)

// TestGrammarsAreSentences: every grammar that ships, its own included, is a sentence of the
// grammar of grammars, and each of its rules is defined once.
func TestGrammarsAreSentences(t *testing.T) {
	g := grammars.Must("gramfuzz")
	names, err := gctx.New(g, gctx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := parse.New(t.Context(), g, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sentence := func(name, text string) error {
		f, err := p.Parse(t.Context(), name, text)
		if err != nil {
			return err
		}
		tree, err := f.Obeying(t.Context(), names)
		if err == nil && tree.Text() != text {
			t.Errorf("%s: the tree has another text", name)
		}
		return err
	}
	for _, name := range grammars.Names("texts", "formats", "programs") {
		src, _ := grammars.Source(name)
		text := string(src)
		if err := sentence(name, text); err != nil {
			t.Error(err)
		}
		at := strings.LastIndex(text, ";")
		if err := sentence(name, text[:at]+text[at+1:]); err == nil {
			t.Errorf("%s: without its last semicolon it is a sentence too", name)
		}
	}
	for text, want := range map[string]string{
		"a = b ;":           "not defined",
		"a = \"x\" ; a = ;": "defined again",
		"a = b%2%3 ; b = ;": "unexpected",
		"a = @use(b) ;":     "unexpected",
	} {
		if err := sentence("-", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
